/** What the input and output forms hold, from the wire and back. */
import { inputOfFeeder } from '@trunkline/contract/contributions/feeder-input.rules'
import { type Input, InputConfig } from '@trunkline/contract/contributions/input.schema'
import { type Output, OutputConfig } from '@trunkline/contract/contributions/output.schema'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import { wellParts } from '../../forms/field-faults.rules.ts'
import { type Read as ReadOf } from '../../forms/form-state.rules.ts'
import { numberOrText, plainText, textsOf, type Tree, treeOf } from '../../forms/wire-tree.rules.ts'
import { bytesPerSecondOf, kbpsText } from '../../shared/link-settings/link-rate.rules.ts'
import type { TypedParameter } from '../../shared/link-settings/srt-parameter.rules.ts'
import type { LinkKind } from '../link.rules.ts'
import { ANY } from './form.messages.ts'
import {
  FIELD_NAMES,
  type FieldName,
  type Fields,
  hasSecondPath,
  LINK_FIELDS,
  type LinkValues,
  mayEncrypt,
  shownFields,
} from './link-field.rules.ts'

export type Read = ReadOf<LinkValues>

const NO_KEY = { 'encryption.selection': 'no', 'encryption.type': '128' } as const
/** Of an object that is not stored yet. */
const NOTHING_STORED = { advanced: [], feeder: null, hasKey: false, busPort: null } as const

/** IN-FORM-06 to IN-FORM-10; server and group come from the route (IN-FORM-28). */
export function newInputValues(serverId: string, groupId: string): LinkValues {
  const config = wellParts(InputConfig, {})
  return newValues('input', { inputType: 'SRT', serverId, groupId, config })
}

/** OUT-FORM-15, OUT-FORM-20. */
export function newOutputValues(contributionId: string): LinkValues {
  const config = wellParts(OutputConfig, {})
  return newValues('output', { inputType: 'SRT', contributionId, config })
}

/** As an input that receives this feeder; its key is filled in by size, and copied by the API. */
export function inputValuesForFeeder(
  place: { serverId: string; groupId: string },
  encoderId: string,
  feeder: Feeder,
): LinkValues {
  const { title, inputType, config, encryption } = inputOfFeeder(feeder)
  const filled = { ...wellParts(InputConfig, {}), ...config }
  const values = newValues('input', { ...place, title, inputType, config: filled, encryption })
  const key = { encoderId, name: feeder.name, title }
  return { ...values, feeder: encryption.selection === 'yes' ? key : null }
}

function newValues(kind: LinkKind, parts: object): LinkValues {
  return { ...NOTHING_STORED, kind, ...fieldsOf({ encryption: DEFAULT_KEY, ...parts }) }
}

const DEFAULT_KEY = { selection: 'no', type: 128 }

export function readOf(item: Input | Output): Read {
  const isInput = 'outputIds' in item
  const values: LinkValues = {
    kind: isInput ? 'input' : 'output',
    ...fieldsOf(item),
    advanced: item.advanced,
    feeder: null,
    hasKey: item.encryption.passphraseSet === true,
    busPort: isInput ? (item.config.multicastPort ?? null) : null,
  }
  return { values, version: item.version }
}

function fieldsOf(item: object): Fields {
  return textsOf(FIELD_NAMES, item, (value, name) => {
    if (name === CAP) return value === undefined ? '' : kbpsText(Number(value))
    return name === 'config.secondPath' ? (value === undefined ? '' : '1') : plainText(value)
  })
}

/**
 * The values as they would be saved: what this type does not show stays as it was, and what it does
 * not have is off, so that another look at another type loses nothing that was typed.
 */
export function effectiveValues(values: LinkValues, base: LinkValues): LinkValues {
  const shown = shownFields(values)
  const kept = FIELD_NAMES.filter((name) => name.startsWith('config.') && !shown.has(name))
  return {
    ...values,
    ...Object.fromEntries(kept.map((name) => [name, base[name]])),
    ...(shown.has('config.mode') ? {} : { 'config.mode': 'Listen' }),
    ...(shown.has('config.secondPath') ? {} : { 'config.secondPath': '' }),
    ...(values['config.mode'] === 'Push' ? {} : { destinationId: '' }),
    ...(mayEncrypt(values) ? {} : { ...NO_KEY, 'encryption.passphrase': '' }),
    'config.host': shown.has('config.host') ? anyToEmpty(values['config.host']) : '',
    advanced: effectiveParameters(values),
  }
}

/** Q164. */
export function anyToEmpty(text: string): string {
  const trimmed = text.trim()
  return [ANY.toLowerCase(), 'any'].includes(trimmed.toLowerCase()) ? '' : trimmed
}

/** Local inputs have no program, so nothing to set (Q176). */
function effectiveParameters({ inputType, advanced }: LinkValues): readonly TypedParameter[] {
  if (inputType === 'Local') return []
  return advanced.map(({ key, value }) => ({ key: key.trim(), value: value.trim() }))
}

/** As it goes over the wire, right or wrong: the schema judges it. */
export function draftOf(values: LinkValues, base: LinkValues): Tree {
  const { kind, busPort } = values
  const effective = effectiveValues(values, base)
  const hasBus = kind === 'input' && busPort !== null && values.inputType !== 'Local'
  const draft = treeOf(FIELD_NAMES, (name) => wireValue(name, effective))
  const config = { ...(draft['config'] as Tree), ...(hasBus ? { multicastPort: busPort } : {}) }
  return { ...draft, config, advanced: effective.advanced }
}

/** Shown in kbit/s, sent in bytes a second. */
const CAP: FieldName = 'config.maxBandWidth'

/** Undefined for what this kind does not have, and for what is left to the API or the tool. */
function wireValue(name: FieldName, values: LinkValues): unknown {
  const { control = 'text', empty, tab, ...types } = LINK_FIELDS[name]
  const typed = values[name]
  if (name === 'destinationId') return values.kind === 'output' ? typed || null : undefined
  if (name === 'encryption.type') return Number(typed)
  if (name === 'config.secondPath') return undefined
  const isOfKind = types[values.kind] !== undefined || ALWAYS.includes(name)
  if (!isOfKind) return undefined
  if (tab !== 'settings') return typed
  if (name.startsWith('config.secondPath.') && !hasSecondPath(values)) return undefined
  const text = typed.trim()
  if (text === '' && empty === 'unset') return undefined
  if (name === CAP) return bytesPerSecondOf(text) ?? text
  // IN-FORM-24, OUT-FORM-21: the port of an SRT link is text.
  const isText = control === 'text' || (name === 'config.port' && values.inputType === 'SRT')
  return isText ? text : numberOrText(text)
}

const ALWAYS: readonly FieldName[] = [
  'title',
  'inputType',
  'encryption.selection',
  'encryption.passphrase',
]
