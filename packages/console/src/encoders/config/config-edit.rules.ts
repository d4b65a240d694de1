/** What one edit does to the form: the field itself, and what follows from it by the specification. */
import { configName } from '@trunkline/contract/encoders/encoder-config.schema'
import {
  type BitBudget,
  bitBudget,
  audioKbpsFor,
  muxRateBpsFor,
  videoKbpsFor,
} from '@trunkline/contract/encoders/bit-budget.rules'
import type { TemplateSettings } from '@trunkline/contract/encoders/template.schema'
import {
  keyintOf,
  presetOf,
  VIDEO_FORMATS,
  type VideoFormat,
} from '@trunkline/contract/encoders/video-format.rules'
import { isFieldName, type FieldName } from './config-field.rules.ts'
import { AAC_EXTRAS, fieldsOf, MP2_EXTRAS, type ConfigValues } from './config-values.rules.ts'

export type Fields = ConfigValues['fields']
export type FieldTexts = Partial<Record<FieldName, string>>

/** Other fields that an edit of one changes, and why. */
interface Followed {
  texts: FieldTexts
  why: string
}

/** CFG-06. */
export function nameOf(fields: Fields): string {
  return /^\d+$/.test(fields['card-idx']) ? configName(Number(fields['card-idx'])) : ''
}

/** What follows an edit of that field; the video format is `presetTexts`. */
export function followers(fields: Fields, name: FieldName, text: string): Followed | null {
  // CFG-22.
  if (name === 'video-stream.bitrate') {
    return { texts: { 'video-stream.vbv-maxrate': text }, why: 'follows bitrate' }
  }
  if (name === 'audio-stream.format') return { texts: audioSwap(text), why: 'follows format' }
  // The muxer puts the PCR on the video PID: one that was there stays there.
  const isPcrWithVideo = fields['muxer.pcr-pid'] === fields['video-stream.pid']
  return name === 'video-stream.pid' && isPcrWithVideo
    ? { texts: { 'muxer.pcr-pid': text }, why: 'follows video PID' }
    : null
}

/** CFG-16, CFG-17: what the other format had goes, what this one needs comes. */
function audioSwap(format: string): FieldTexts {
  const gone = format === 'mp2' ? AAC_EXTRAS : MP2_EXTRAS
  const come: FieldTexts =
    format === 'mp2'
      ? { 'audio-stream.mp2-mode': 'stereo', 'audio-stream.audio-type': 'undefined' }
      : { 'audio-stream.aac-profile': 'aac-lc', 'audio-stream.aac-encap': 'adts' }
  return { ...Object.fromEntries(gone.map((name) => [name, ''])), ...come }
}

/** CFG-18 to CFG-21, Q79: the fields that a video format sets. */
export function presetTexts(format: VideoFormat): FieldTexts {
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
  const { title: _, 'card-idx': __, ...texts } = fieldsOf(settings)
  return texts
}

export const CALCULATIONS = ['video', 'audio', 'mux'] as const
export type Calculation = (typeof CALCULATIONS)[number]

export const CALCULATED_FIELD: Readonly<Record<Calculation, FieldName>> = {
  video: 'video-stream.bitrate',
  audio: 'audio-stream.bitrate',
  mux: 'muxer.ts-muxrate',
}

/** Null while one of the two that it is made from is no number. */
export function calculate(fields: Fields, which: Calculation): number | null {
  const video = numberOf(fields['video-stream.bitrate'])
  const audio = numberOf(fields['audio-stream.bitrate'])
  const mux = numberOf(fields['muxer.ts-muxrate'])
  if (which === 'video') return mux === null || audio === null ? null : videoKbpsFor(mux, audio)
  if (which === 'audio') return mux === null || video === null ? null : audioKbpsFor(mux, video)
  return video === null || audio === null ? null : muxRateBpsFor(video, audio)
}

/** Whether the bitrates fit into the mux rate; null while one of them is no number. */
export function budgetOf(fields: Fields): BitBudget | null {
  const video = numberOf(fields['video-stream.bitrate'])
  const audio = numberOf(fields['audio-stream.bitrate'])
  const mux = numberOf(fields['muxer.ts-muxrate'])
  return video === null || audio === null || mux === null ? null : bitBudget(mux, video, audio)
}

export function numberOf(text: string): number | null {
  return /^\d{1,12}$/.test(text) ? Number(text) : null
}

/** The texts that are other than what stands in the fields. */
export function differing(fields: Fields, texts: FieldTexts): FieldTexts {
  return Object.fromEntries(
    Object.entries(texts).filter(([name, text]) => isFieldName(name) && fields[name] !== text),
  )
}
