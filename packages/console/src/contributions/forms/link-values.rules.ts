/** What the input and output forms hold: every field as its text; and the way from the wire and back. */
import { inputOfFeeder } from '@trunkline/contract/contributions/feeder-input.rules'
import {
  type Input,
  InputConfig,
  type InputDraft,
} from '@trunkline/contract/contributions/input.schema'
import { type Output, OutputConfig } from '@trunkline/contract/contributions/output.schema'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import { bytesPerSecondOf, kbpsText } from '../../shared/bandwidth.rules.ts'
import type { TypedParameter } from '../../shared/srt-parameter.rules.ts'
import type { LinkKind } from '../link.rules.ts'
import {
  FIELD_NAMES,
  type FieldName,
  type Fields,
  mayEncrypt,
  OPTIONAL,
  shownFields,
} from './link-field.rules.ts'

export interface FeederKey {
  encoderId: string
  name: string
  title: string
}

export interface LinkValues {
  kind: LinkKind
  fields: Fields
  advanced: readonly TypedParameter[]
  /** Of a new input: the feeder whose passphrase the API copies when none is typed; null for none. */
  feeder: FeederKey | null
  /** A passphrase is stored, so an empty one keeps it (decisions.md 17). */
  hasKey: boolean
  /** Of the local bus; given by the API, null while there is none. */
  busPort: number | null
}

const EMPTY_FIELDS = Object.fromEntries(FIELD_NAMES.map((name) => [name, ''])) as Record<
  FieldName,
  string
>
const NO_KEY = { 'encryption.selection': 'no', 'encryption.type': '128' } as const
/** An own port of its own kind is all that the defaults need to be told. */
const SOME_PORT = 1024
const INPUT_DEFAULTS = InputConfig.parse({ port: SOME_PORT })
const OUTPUT_DEFAULTS = OutputConfig.parse({ port: SOME_PORT })

/** IN-FORM-06 to IN-FORM-10; server and group come from the route (IN-FORM-28). */
export function newInputValues(serverId: string, groupId: string): LinkValues {
  const config = configFields(INPUT_DEFAULTS)
  const fields = { ...EMPTY_FIELDS, ...config, ...NO_KEY, inputType: 'SRT', serverId, groupId }
  return newValues('input', { ...fields, 'config.port': '' })
}

/** As an input that receives this feeder; its key is filled in by size, and copied by the API. */
export function inputValuesForFeeder(
  place: { serverId: string; groupId: string },
  encoderId: string,
  feeder: Feeder,
): LinkValues {
  const empty = newInputValues(place.serverId, place.groupId)
  const { title, inputType, config, encryption } = inputOfFeeder(feeder)
  const key = { encoderId, name: feeder.name, title }
  return {
    ...empty,
    fields: {
      ...empty.fields,
      ...configFields(config),
      title,
      inputType,
      'encryption.selection': encryption.selection,
      'encryption.type': String(encryption.type),
    },
    feeder: encryption.selection === 'yes' ? key : null,
  }
}

/** OUT-FORM-15, OUT-FORM-20. */
export function newOutputValues(contributionId: string): LinkValues {
  const config = configFields(OUTPUT_DEFAULTS)
  const fields = { ...EMPTY_FIELDS, ...config, ...NO_KEY, inputType: 'SRT', contributionId }
  return newValues('output', { ...fields, 'config.port': '' })
}

function newValues(kind: LinkKind, fields: Fields): LinkValues {
  return { kind, fields, advanced: [], feeder: null, hasKey: false, busPort: null }
}

export function inputValuesOf(input: Input): LinkValues {
  const { serverId, groupId } = input
  return { ...valuesOf('input', input, { serverId, groupId }), busPort: busPortOf(input) }
}

function busPortOf({ config }: Input): number | null {
  return config.multicastPort ?? null
}

export function outputValuesOf(output: Output): LinkValues {
  const { contributionId, destinationId, config } = output
  return valuesOf('output', output, {
    contributionId,
    destinationId: destinationId ?? '',
    'config.secondPath': config.secondPath === undefined ? '' : '1',
  })
}

function valuesOf(
  kind: LinkKind,
  item: Input | Output,
  own: Partial<Record<FieldName, string>>,
): LinkValues {
  const { title, inputType, config, encryption, advanced } = item
  const fields = {
    ...EMPTY_FIELDS,
    ...configFields(config),
    title,
    inputType,
    'encryption.selection': encryption.selection,
    'encryption.type': String(encryption.type),
    ...own,
  }
  const hasKey = encryption.passphraseSet === true
  return { kind, fields, advanced, feeder: null, hasKey, busPort: null }
}

/** As a form begins, or as it was read again. */
export interface Read {
  values: LinkValues
  /** 0 for a new one. */
  version: number
}

export function readOf(item: Input | Output): Read {
  const values = 'contributionId' in item ? outputValuesOf(item) : inputValuesOf(item)
  return { values, version: item.version }
}

/** 'config.secondPath.host' too; what the form has no field for is left out. */
function configFields(config: object, lead = 'config'): Partial<Record<FieldName, string>> {
  const fields: Partial<Record<FieldName, string>> = {}
  for (const [key, value] of Object.entries(config)) {
    const name = FIELD_NAMES.find((one) => one === `${lead}.${key}`)
    if (name === undefined) continue
    if (typeof value === 'object') Object.assign(fields, configFields(value as object, name))
    else fields[name] = name === CAP ? kbpsText(Number(value)) : String(value)
  }
  return fields
}

/**
 * The fields as they would be saved: what this type does not show stays as it was, and what it does
 * not have is off, so that another look at another type loses nothing that was typed.
 */
export function effectiveFields({ kind, fields }: LinkValues, base: LinkValues): Fields {
  const shown = shownFields(kind, fields)
  const kept = FIELD_NAMES.filter((name) => name.startsWith('config.') && !shown.has(name))
  return {
    ...fields,
    ...Object.fromEntries(kept.map((name) => [name, base.fields[name]])),
    ...(shown.has('config.mode') ? {} : { 'config.mode': 'Listen', 'config.host': '' }),
    ...(shown.has('config.secondPath') ? {} : { 'config.secondPath': '' }),
    ...(fields['config.mode'] === 'Push' ? {} : { destinationId: '' }),
    ...(mayEncrypt(fields) ? {} : { ...NO_KEY, 'encryption.passphrase': '' }),
    'config.host': shown.has('config.host') ? anyToEmpty(fields['config.host']) : '',
  }
}

/** Q164. */
export function anyToEmpty(text: string): string {
  const trimmed = text.trim()
  return trimmed.toLowerCase() === 'any' ? '' : trimmed
}

/** Local inputs have no program, so nothing to set (Q176). */
export function effectiveParameters({ fields, advanced }: LinkValues): readonly TypedParameter[] {
  if (fields['inputType'] === 'Local') return []
  return advanced.map(({ key, value }) => ({ key: key.trim(), value: value.trim() }))
}

/** As it goes over the wire. */
export type Tree = Record<string, unknown>

const INPUT_TREE: readonly FieldName[] = ['serverId', 'groupId']
const OUTPUT_TREE: readonly FieldName[] = ['contributionId']

/** As it goes over the wire, right or wrong: the schema judges it. */
export function treeOf(values: LinkValues, base: LinkValues): Tree {
  const { kind } = values
  const fields = effectiveFields(values, base)
  const own = kind === 'input' ? INPUT_TREE : OUTPUT_TREE
  return {
    title: fields.title,
    inputType: fields['inputType'],
    ...Object.fromEntries(own.map((name) => [name, fields[name]])),
    ...(kind === 'output' ? { destinationId: fields['destinationId'] || null } : {}),
    config: configTree(values, fields),
    encryption: {
      selection: fields['encryption.selection'],
      passphrase: fields['encryption.passphrase'],
      type: Number(fields['encryption.type']) as InputDraft['encryption']['type'],
    },
    advanced: effectiveParameters(values),
  }
}

const CONFIG_KEYS: Readonly<Record<LinkKind, readonly string[]>> = {
  input: Object.keys(InputConfig.shape),
  output: Object.keys(OutputConfig.shape),
}

function configTree({ kind, busPort }: LinkValues, fields: Fields): Tree {
  const tree: Tree = {}
  for (const key of CONFIG_KEYS[kind]) {
    const name = FIELD_NAMES.find((one) => one === `config.${key}`)
    if (name === undefined || name === 'config.secondPath') continue
    if (fields[name] === '' && OPTIONAL.includes(name)) continue
    tree[key] = wireValue(name, fields)
  }
  const isLocal = fields['inputType'] === 'Local'
  if (kind === 'input' && busPort !== null && !isLocal) tree['multicastPort'] = busPort
  if (fields['config.secondPath'] === '1') {
    tree['secondPath'] = {
      host: fields['config.secondPath.host'].trim(),
      port: numberOrText(fields['config.secondPath.port']),
      adapterIp: fields['config.secondPath.adapterIp'],
    }
  }
  return tree
}

/** Shown in kbit/s, sent in bytes a second. */
const CAP: FieldName = 'config.maxBandWidth'

const WORDS: readonly FieldName[] = ['config.host', 'config.multicast', 'config.adapterIp']

function wireValue(name: FieldName, fields: Fields): unknown {
  const text = fields[name].trim()
  if (name === CAP) return bytesPerSecondOf(text) ?? text
  // IN-FORM-24, OUT-FORM-21: the port of an SRT link is text.
  const isSrtPort = name === 'config.port' && fields['inputType'] === 'SRT'
  return isSrtPort || WORDS.includes(name) ? text : numberOrText(text)
}

function numberOrText(text: string): unknown {
  return /^\d{1,12}$/.test(text) ? Number(text) : text
}
