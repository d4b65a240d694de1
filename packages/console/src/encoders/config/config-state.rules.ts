/** The state of the configuration form and each step it can take; pure, so that it can be undone and tested. */
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import type { TemplateSettings } from '@trunkline/contract/encoders/template.schema'
import {
  calculate,
  CALCULATED_FIELD,
  differing,
  followers,
  isVideoFormat,
  presetTexts,
  templateTexts,
  type Calculation,
  type FieldTexts,
} from './config-edit.rules.ts'
import { FIELD_NAMES, isFieldName, type FieldName, type OutputPart } from './config-field.rules.ts'
import { merge, takeTheirs, type News } from './config-merge.rules.ts'
import { NEW_OUTPUT, proposedValues, type ConfigValues } from './config-values.rules.ts'

/** Many fields changed by one choice, so that the choice can be undone. */
export interface Bulk {
  /** The video format, or the template's title. */
  title: string
  kind: 'preset' | 'template'
  before: FieldTexts
  after: FieldTexts
  /** Beside the field that was chosen. */
  count: number
}

export interface ConfigState {
  /** As it is saved; for a new one, as the form began. */
  base: ConfigValues
  version: number
  values: ConfigValues
  /** Why a field has its value, where nobody typed it: 'preset', 'follows bitrate'. */
  reasons: Readonly<Partial<Record<FieldName, string>>>
  bulk: Bulk | null
  /** What somebody else saved meanwhile; null when there is nothing to say. */
  news: News | null
}

export type ConfigStep =
  | { step: 'edit'; name: FieldName; text: string }
  | { step: 'calculate'; which: Calculation }
  | { step: 'template'; settings: TemplateSettings; title: string }
  | { step: 'undo' }
  | { step: 'discard' }
  /** What the host of a new one has free. */
  | { step: 'propose'; proposed: EncoderHost['proposed'] }
  | { step: 'add-output' }
  | { step: 'remove-output'; index: number }
  | { step: 'edit-output'; index: number; part: OutputPart; text: string }
  /** Read again: somebody may have saved it. */
  | { step: 'read'; values: ConfigValues; version: number }
  | { step: 'take-theirs' }
  | { step: 'keep-mine' }

export function beginState(values: ConfigValues, version: number): ConfigState {
  return { base: values, version, values, reasons: {}, bulk: null, news: null }
}

export function reduce(state: ConfigState, step: ConfigStep): ConfigState {
  switch (step.step) {
    case 'edit':
      return edit(state, step.name, step.text)
    case 'calculate': {
      const result = calculate(state.values.fields, step.which)
      if (result === null) return state
      // Q77: a calculated video bitrate sets vbv-maxrate as well.
      const name = CALCULATED_FIELD[step.which]
      const edited = edit(state, name, String(result))
      return { ...edited, reasons: { ...edited.reasons, [name]: 'calculated' } }
    }
    case 'template': {
      const { settings, title } = step
      return applyBulk(state, templateTexts(settings), { title, kind: 'template', chosen: null })
    }
    case 'undo':
      return undo(state)
    case 'discard':
      return beginState(state.base, state.version)
    case 'propose':
      return propose(state, proposedValues(state.base, step.proposed))
    case 'add-output':
      return withOutputs(state, [...state.values.outputs, NEW_OUTPUT])
    case 'remove-output':
      return withOutputs(
        state,
        state.values.outputs.filter((_, index) => index !== step.index),
      )
    case 'edit-output':
      return withOutputs(
        state,
        state.values.outputs.map((one, index) =>
          index === step.index ? { ...one, [step.part]: step.text } : one,
        ),
      )
    case 'read':
      return merge(state, step.values, step.version)
    case 'take-theirs':
      return takeTheirs(state)
    case 'keep-mine':
      return { ...state, news: null }
  }
}

/** It is where the form begins: what was typed meanwhile stays. */
function propose(state: ConfigState, base: ConfigValues): ConfigState {
  const { fields, outputs } = state.values
  const untouched = FIELD_NAMES.filter((name) => fields[name] === state.base.fields[name])
  const taken = Object.fromEntries(untouched.map((name) => [name, base.fields[name]]))
  const areOutputsSame = outputs === state.base.outputs
  return {
    ...state,
    base,
    values: { fields: { ...fields, ...taken }, outputs: areOutputsSame ? base.outputs : outputs },
  }
}

function edit(state: ConfigState, name: FieldName, text: string): ConfigState {
  const { fields } = state.values
  if (name === 'video-format' && isVideoFormat(text)) {
    if (fields[name] === text) return state
    const texts = { 'video-format': text, ...presetTexts(text) }
    return applyBulk(state, texts, { title: text, kind: 'preset', chosen: 'video-format' })
  }
  const followed = followers(fields, name, text)
  const { [name]: _, ...reasons } = state.reasons
  const because =
    followed === null ? {} : reasonsFor(differing(fields, followed.texts), followed.why)
  return {
    ...state,
    values: { ...state.values, fields: { ...fields, ...followed?.texts, [name]: text } },
    reasons: { ...reasons, ...because },
  }
}

interface BulkChoice {
  title: string
  kind: 'preset' | 'template'
  /** The field that was edited by hand; null for none. */
  chosen: FieldName | null
}

function applyBulk(state: ConfigState, texts: FieldTexts, choice: BulkChoice): ConfigState {
  const { fields } = state.values
  const after = differing(fields, texts)
  const others = Object.keys(after).filter((name) => name !== choice.chosen)
  const why = choice.kind === 'preset' ? 'preset' : choice.title
  const { [choice.chosen ?? '']: _, ...because } = reasonsFor(after, why)
  return {
    ...state,
    values: { ...state.values, fields: { ...fields, ...after } },
    reasons: { ...state.reasons, ...because },
    bulk: {
      title: choice.title,
      kind: choice.kind,
      before: pick(fields, after),
      after,
      count: others.length,
    },
  }
}

/** What was typed after the choice stays as it was typed. */
function undo(state: ConfigState): ConfigState {
  if (state.bulk === null) return state
  const { before, after } = state.bulk
  const fields: Record<FieldName, string> = { ...state.values.fields }
  const reasons: Partial<Record<FieldName, string>> = { ...state.reasons }
  for (const [name, text] of Object.entries(before)) {
    if (!isFieldName(name) || fields[name] !== after[name]) continue
    fields[name] = text
    delete reasons[name]
  }
  return { ...state, values: { ...state.values, fields }, reasons, bulk: null }
}

function pick(fields: ConfigValues['fields'], of: FieldTexts): FieldTexts {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in of))
}

function reasonsFor(texts: FieldTexts, why: string): Record<string, string> {
  return Object.fromEntries(Object.keys(texts).map((name) => [name, why]))
}

function withOutputs(state: ConfigState, outputs: ConfigValues['outputs']): ConfigState {
  return { ...state, values: { ...state.values, outputs } }
}
