/** The rules of the input and output forms: what follows an edit, and how a value reads. */
import { RIST_SIMPLE } from '@trunkline/contract/contributions/link.schema'
import { type FormSpec, plannedChanges } from '../../forms/field.rules.ts'
import type { Followed, FormRules, FormState } from '../../forms/form-state.rules.ts'
import type { PlannedChange } from '../../forms/SavePlan.tsx'
import {
  bandwidthOf,
  bytesPerSecondOf,
  megabitText,
} from '../../shared/link-settings/link-rate.rules.ts'
import { UNKNOWN } from '../../shared/format.ts'
import type { TypedParameter } from '../../shared/link-settings/srt-parameter.rules.ts'
import { MODE_WORDS } from '../contribution.messages.ts'
import { ANY, capTooLow, COMPRESSION_WORDS, type Consequence, KEY_WORDS } from './form.messages.ts'
import {
  FIELD_NAMES,
  type FieldName,
  hasSecondPath,
  LINK_FIELDS,
  type LinkValues,
  type Titles,
} from './link-field.rules.ts'
import { effectiveValues } from './link-values.rules.ts'
import type { ProgramState } from '@trunkline/contract/program-state'
import { offersStop } from '../../programs/command/command.rules.ts'
import type { Link } from '../link.rules.ts'

type State = FormState<LinkValues>
type Texts = Partial<Record<FieldName, string>>

/** IN-FORM-05: where feeders send to when nobody says otherwise. */
export const FEEDER_PORT = '6000'

const NAMES = [...FIELD_NAMES, 'advanced'] as const

export const LINK_RULES: FormRules<LinkValues> = {
  names: NAMES,
  follow,
  // A free group is of no use to a Local input: it names the group of its stream (Q179).
  mayOffer: ({ inputType }, name) => name !== 'config.multicast' || inputType !== 'Local',
}

export const LINK_FORM: FormSpec<LinkValues, Titles> = {
  rules: LINK_RULES,
  fields: LINK_FIELDS,
  shownText,
}

function follow(state: State, change: Partial<LinkValues>): Followed<LinkValues> {
  const { inputType, 'config.mode': mode, serverId, 'encryption.selection': key } = change
  if (inputType !== undefined) {
    const texts = typeTexts(state, inputType)
    // IN-FORM-14: RIST has none of them.
    return { change: inputType === 'RIST' ? { ...texts, advanced: [] } : texts }
  }
  if (mode !== undefined) {
    // An address to listen at is no far end, and the other way round.
    return { change: { 'config.host': '', destinationId: '' }, offer: portAfter(state, mode) }
  }
  // IN-FORM-18.
  if (key === 'no') {
    return { change: { 'encryption.type': '128', 'encryption.passphrase': '' } }
  }
  // Adapters are the server's own.
  return serverId === undefined ? {} : { change: { 'config.adapterIp': '' } }
}

/** What is free here to listen at is no port of a far end: it goes in Push, and comes back in Listen. */
function portAfter({ offered, values, version }: State, mode: string): Texts {
  const free = offered['config.port'] ?? ''
  if (free === '' || version !== null) return {}
  const [from, to] = mode === 'Push' ? [free, ''] : ['', free]
  return values['config.port'] === from ? { 'config.port': to } : {}
}

function typeTexts(state: State, type: string): Texts {
  const { values, version } = state
  const port = values['config.port']
  const texts: Texts = {}
  // IN-FORM-13, Q163: Any in Listen; in Push the field is cleared.
  if (type === 'SRT') Object.assign(texts, { 'config.host': '', destinationId: '' })
  if (type === 'aCANFeeder') {
    texts['config.mode'] = 'Listen'
    texts['config.host'] = ''
    if (port === '') texts['config.port'] = FEEDER_PORT
  }
  const isDefaultPort = port === FEEDER_PORT && version === null
  if (values.inputType === 'aCANFeeder' && isDefaultPort) texts['config.port'] = ''
  return values.kind === 'input' ? { ...texts, ...groupTexts(state, type) } : texts
}

/** Q179. */
function groupTexts({ base, values, offered }: State, type: string): Texts {
  const group = values['config.multicast']
  const free = offered['config.multicast'] ?? ''
  if (type === 'Local') return free !== '' && group === free ? { 'config.multicast': '' } : {}
  const wasLocal = values.inputType === 'Local' && base.inputType !== 'Local'
  return wasLocal && group === '' ? { 'config.multicast': free || base['config.multicast'] } : {}
}

/** A destination of the list, as far as the form takes it over (OUT-FORM-07, Q152). */
export interface ChosenDestination {
  id: string
  ip: string
  /** 0 for no encryption, else 128 or 256. */
  keyBits: 0 | 128 | 256
}

export function destinationTexts({ id, ip, keyBits }: ChosenDestination): Texts {
  const address = { destinationId: id, 'config.host': ip }
  // Q152: prefilled, and the operator's to change.
  return keyBits === 0
    ? address
    : { ...address, 'encryption.selection': 'yes', 'encryption.type': String(keyBits) }
}

/** What saving changes: each field with its old and new value, as an operator reads them. */
export function changesOf({ base, values }: State, titles: Titles): PlannedChange[] {
  const sides = { base: written(base, base), values: written(values, base), reasons: {} }
  return plannedChanges(LINK_FORM, sides, titles)
}

/** A row in which nothing was typed is no parameter. */
function written(values: LinkValues, base: LinkValues): LinkValues {
  const effective = effectiveValues(values, base)
  return {
    ...effective,
    advanced: effective.advanced.filter(({ key, value }) => key + value !== ''),
  }
}

const KEPT_BY_ID: readonly FieldName[] = ['serverId', 'groupId', 'contributionId', 'destinationId']

const VALUE_WORDS: Partial<Record<FieldName, Readonly<Record<string, string>>>> = {
  'config.mode': MODE_WORDS,
  'config.compression': COMPRESSION_WORDS,
  'encryption.selection': KEY_WORDS,
}

/** '3000 ms', 'Any', 'on', a title; never a passphrase. */
export function shownText(values: LinkValues, name: keyof LinkValues, { titleOf }: Titles): string {
  if (name === 'advanced') return parametersText(values.advanced) || UNKNOWN
  const field = FIELD_NAMES.find((known) => known === name)
  if (field === undefined) return ''
  const text = values[field]
  if (field === 'encryption.passphrase') {
    return text !== '' ? 'a new passphrase' : values.hasKey ? 'as stored' : 'none'
  }
  if (field === 'config.secondPath') return hasSecondPath(values) ? 'on' : 'off'
  if (text === '') return emptyText(values, field)
  if (KEPT_BY_ID.includes(field)) return titleOf(field, text)
  if (field === 'config.profile') return text === String(RIST_SIMPLE) ? 'Simple' : 'Main'
  const { unit } = LINK_FIELDS[field]
  // A TTL is read as a number: '1 hops' is no English.
  return unit === undefined || unit === 'hops'
    ? (VALUE_WORDS[field]?.[text] ?? text)
    : `${text} ${unit}`
}

function emptyText(values: LinkValues, name: FieldName): string {
  const isFarEnd = name === 'config.host' && values['config.mode'] === 'Push'
  return LINK_FIELDS[name].empty === 'any' && !isFarEnd ? ANY : UNKNOWN
}

function parametersText(list: readonly TypedParameter[]): string {
  return list.map(({ key, value }) => `${key.trim()}=${value.trim()}`).join(', ')
}

/** M6, Q172: '' while the cap is above what the stream has now. `carriedKbps`: null while not measured. */
export function capWarning(values: LinkValues, carriedKbps: number | null): string {
  if (values.inputType === 'RIST' || values.inputType === 'Local') return ''
  const typed = values['config.maxBandWidth']
  if (bytesPerSecondOf(typed) === null || carriedKbps === null) return ''
  const capKbps = Number(typed)
  if (capKbps === 0 || capKbps >= carriedKbps) return ''
  return capTooLow(bandwidthOf(capKbps), megabitText(carriedKbps))
}

/** The link as it is saved; null for a new link. */
export interface Saved {
  link: Pick<Link, 'type' | 'isEnabled'>
  /** Null while it is not read. */
  state: ProgramState | null
  /** Somebody has deleted it since. */
  isGone: boolean
}

/** Nothing runs that a save could end. */
const DOWN: readonly ProgramState[] = ['stopped', 'exited', 'fatal', 'absent']

/** `type`: as chosen in the form. */
export function whichConsequence(saved: Saved | null, type: string): Consequence {
  const isLocal = type === 'Local'
  if (saved === null) return isLocal ? 'first-local' : 'first'
  const { link, state, isGone } = saved
  if (isGone) return 'gone'
  if (link.type === 'Local') return isLocal ? 'local' : 'was-local'
  if (isLocal) return state !== null && DOWN.includes(state) ? 'local' : 'becomes-local'
  if (!link.isEnabled) return 'disabled'
  if (offersStop(state)) return 'running'
  if (state === null || state === 'unknown') return 'unread'
  return state === 'unreachable' ? 'away' : 'stopped'
}
