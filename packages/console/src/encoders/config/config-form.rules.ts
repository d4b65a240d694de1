/** The rules of the configuration form: what follows an edit by the specification, and how a value reads. */
import {
  audioKbpsFor,
  type BitBudget,
  bitBudget,
  muxRateBpsFor,
  videoKbpsFor,
} from '@trunkline/contract/encoders/bit-budget.rules'
import { configName } from '@trunkline/contract/encoders/encoder-config.schema'
import type { TemplateSettings } from '@trunkline/contract/encoders/template.schema'
import {
  keyintOf,
  presetOf,
  VIDEO_FORMATS,
  type VideoFormat,
} from '@trunkline/contract/encoders/video-format.rules'
import { type FormSpec, plannedChanges } from '../../forms/field.rules.ts'
import type { FormAction, Followed, FormState } from '../../forms/form-state.rules.ts'
import type { PlannedChange } from '../../forms/SavePlan.tsx'
import { textsOf, type Tree } from '../../forms/wire-tree.rules.ts'
import { UNKNOWN } from '../../shared/format.ts'
import {
  CONFIG_FIELDS,
  type ConfigContext,
  type ConfigValues,
  extrasOf,
  FIELD_NAMES,
  type FieldName,
  isFieldName,
} from './config-field.rules.ts'
import { numberOf } from './config-hint.rules.ts'
import { configTree, targetOf } from './config-values.rules.ts'
import { BY_PRESET } from './config.messages.ts'

type State = FormState<ConfigValues>
type FieldTexts = Partial<Record<FieldName, string>>

export const CONFIG_FORM: FormSpec<ConfigValues, ConfigContext> = {
  rules: { names: [...FIELD_NAMES, 'output'], follow },
  fields: CONFIG_FIELDS,
  shownText,
}

/** CFG-06. */
export function nameOf({ 'card-idx': card }: ConfigValues): string {
  return /^\d+$/.test(card) ? configName(Number(card)) : ''
}

function follow({ values }: State, change: Partial<ConfigValues>): Followed<ConfigValues> {
  const format = change['video-format'] ?? ''
  if (isVideoFormat(format)) {
    const choice = { title: format, kind: 'preset' }
    return { change: presetTexts(format), why: BY_PRESET, choice }
  }
  // CFG-22.
  const bitrate = change['video-stream.bitrate']
  if (bitrate !== undefined) {
    return { change: { 'video-stream.vbv-maxrate': bitrate }, why: 'follows bitrate' }
  }
  const audio = change['audio-stream.format']
  if (audio !== undefined) return { change: audioSwap(audio), why: 'follows format' }
  // The muxer puts the PCR on the video PID: one that was there stays there.
  const pid = change['video-stream.pid']
  const isPcrWithVideo = values['muxer.pcr-pid'] === values['video-stream.pid']
  return pid !== undefined && isPcrWithVideo
    ? { change: { 'muxer.pcr-pid': pid }, why: 'follows video PID' }
    : {}
}

/** CFG-16, CFG-17: what the other format had goes, what this one needs comes. */
function audioSwap(format: string): FieldTexts {
  const gone = extrasOf(format === 'mp2' ? 'aac' : 'mp2')
  const come: FieldTexts =
    format === 'mp2'
      ? { 'audio-stream.mp2-mode': 'stereo', 'audio-stream.audio-type': 'undefined' }
      : { 'audio-stream.aac-profile': 'aac-lc', 'audio-stream.aac-encap': 'adts' }
  return { ...Object.fromEntries(gone.map((name) => [name, ''])), ...come }
}

/** CFG-18 to CFG-21, Q79: the fields that a video format sets. */
function presetTexts(format: VideoFormat): FieldTexts {
  const preset = presetOf(format)
  return {
    'video-stream.width': String(preset.widthPixels),
    'video-stream.profile': preset.profile,
    'video-stream.level': preset.level,
    'video-stream.bitrate': String(preset.videoBitrateKbps),
    'video-stream.vbv-bufsize': String(preset.vbvBufsizeKbit),
    'video-stream.vbv-maxrate': String(preset.vbvMaxrateKbps),
    'video-stream.keyint': String(keyintOf(format)),
    'audio-stream.bitrate': String(preset.audioBitrateKbps),
    'muxer.ts-muxrate': String(preset.muxRateBps),
  }
}

export function isVideoFormat(text: string): text is VideoFormat {
  return (VIDEO_FORMATS as readonly string[]).includes(text)
}

/** The fields that a template sets: all but what belongs to one encoder alone. */
export function templateTexts(settings: TemplateSettings): FieldTexts {
  const { title: _, 'card-idx': __, ...texts } = textsOf(FIELD_NAMES, settings)
  return texts
}

export const CALCULATIONS = ['video', 'audio', 'mux'] as const
export type Calculation = (typeof CALCULATIONS)[number]

const CALCULATED_FIELD: Readonly<Record<Calculation, FieldName>> = {
  video: 'video-stream.bitrate',
  audio: 'audio-stream.bitrate',
  mux: 'muxer.ts-muxrate',
}

/** Q77: a calculated video bitrate sets vbv-maxrate as well. */
export function calculatedEdit(which: Calculation, result: number): FormAction<ConfigValues> {
  return {
    step: 'edit',
    change: { [CALCULATED_FIELD[which]]: String(result) },
    why: 'calculated',
  }
}

function ratesOf(values: ConfigValues) {
  return {
    video: numberOf(values['video-stream.bitrate']),
    audio: numberOf(values['audio-stream.bitrate']),
    mux: numberOf(values['muxer.ts-muxrate']),
  }
}

/** Null while one of the two that it is made from is no number. */
export function calculate(values: ConfigValues, which: Calculation): number | null {
  const { video, audio, mux } = ratesOf(values)
  if (which === 'video') return mux === null || audio === null ? null : videoKbpsFor(mux, audio)
  if (which === 'audio') return mux === null || video === null ? null : audioKbpsFor(mux, video)
  return video === null || audio === null ? null : muxRateBpsFor(video, audio)
}

export interface Rates {
  videoKbps: number
  audioKbps: number
  muxRateBps: number
  budget: BitBudget
}

/** Whether the bitrates fit into the mux rate; null while one of them is no number. */
export function budgetOf(values: ConfigValues): Rates | null {
  const { video, audio, mux } = ratesOf(values)
  if (video === null || audio === null || mux === null) return null
  const budget = bitBudget(mux, video, audio)
  return { videoKbps: video, audioKbps: audio, muxRateBps: mux, budget }
}

/** As an operator reads it: on and off, a missing value as a dash. */
export function shownText(values: ConfigValues, name: keyof ConfigValues): string {
  if (name === 'output') return values.output.map(targetOf).join(', ') || UNKNOWN
  if (CONFIG_FIELDS[name].control === 'switch') return values[name] === '1' ? 'on' : 'off'
  return values[name] === '' ? UNKNOWN : values[name]
}

/** Each output is a line of its own. */
export function changesOf(state: State, context: ConfigContext): PlannedChange[] {
  const changes = plannedChanges(CONFIG_FORM, state, context)
  const fields = changes.filter(({ name }) => isFieldName(name))
  return [...fields, ...outputChanges(state.base, state.values)]
}

function outputChanges(base: ConfigValues, values: ConfigValues): PlannedChange[] {
  const rows = Math.max(base.output.length, values.output.length)
  return Array.from({ length: rows }, (_, index) => {
    const textOf = ({ output }: ConfigValues) => {
      const target = output[index]
      return target === undefined ? UNKNOWN : targetOf(target)
    }
    const [before, after] = [textOf(base), textOf(values)]
    return { name: `output.${index}`, label: `Output ${index + 1}`, before, after, why: '' }
  }).filter(({ before, after }) => before !== after)
}

export interface TextLine {
  text: string
  isChanged: boolean
}

/** The configuration as it will be stored, a line each; changed against what is stored. */
export function textLines(base: ConfigValues, values: ConfigValues): TextLine[] {
  return linesOf(configTree(values), configTree(base), { indent: '', lead: '', tail: '' })
}

function linesOf(
  value: unknown,
  old: unknown,
  { indent, lead, tail }: Readonly<Record<'indent' | 'lead' | 'tail', string>>,
): TextLine[] {
  if (typeof value !== 'object' || value === null) {
    return [{ text: `${indent}${lead}${JSON.stringify(value)}${tail}`, isChanged: value !== old }]
  }
  const isList = Array.isArray(value)
  const [open, close] = isList ? '[]' : '{}'
  const entries = Object.entries(value as Tree)
  const inner = entries.flatMap(([key, part], index) =>
    linesOf(part, (old as Tree | null | undefined)?.[key], {
      indent: `${indent}  `,
      lead: isList ? '' : `${JSON.stringify(key)}: `,
      tail: index < entries.length - 1 ? ',' : '',
    }),
  )
  const isChanged = old === undefined
  return [
    { text: `${indent}${lead}${open}`, isChanged },
    ...inner,
    { text: `${indent}${close}${tail}`, isChanged },
  ]
}
