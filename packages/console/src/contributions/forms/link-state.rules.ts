/** The state of the input and output forms and each step it can take; pure, so that it can be tested. */
import type { TypedParameter } from '../../shared/srt-parameter.rules.ts'
import type { FieldName, Fields } from './link-field.rules.ts'
import { merge, type News, takeTheirs } from './link-merge.rules.ts'
import type { LinkValues } from './link-values.rules.ts'

export interface LinkState {
  /** As it is saved; for a new one, as the form began. */
  base: LinkValues
  /** 0 for a new one. */
  version: number
  values: LinkValues
  /** The multicast group that the API offered for a new input; ''. */
  offeredGroup: string
  /** The port to listen at that the API offered for a new output; ''. */
  offeredPort: string
  /** What somebody else saved meanwhile; null when there is nothing to say. */
  news: News | null
}

/** A destination of the list, as far as the form takes it over (OUT-FORM-07, Q152). */
export interface ChosenDestination {
  id: string
  ip: string
  /** 0 for no encryption, else 128 or 256. */
  keyBits: 0 | 128 | 256
}

export type LinkAction =
  | { step: 'edit'; name: FieldName; text: string }
  | { step: 'choose-destination'; destination: ChosenDestination | null }
  | { step: 'advanced'; list: readonly TypedParameter[] }
  /** A value that nobody typed, and that is no change of a new link. */
  | { step: 'offer'; name: 'config.multicast' | 'config.port'; text: string }
  | { step: 'discard' }
  /** Read again: somebody may have saved it. */
  | { step: 'read'; values: LinkValues; version: number }
  | { step: 'take-theirs' }
  | { step: 'keep-mine' }

export function beginState(values: LinkValues, version: number): LinkState {
  return { base: values, version, values, offeredGroup: '', offeredPort: '', news: null }
}

export function reduce(state: LinkState, step: LinkAction): LinkState {
  switch (step.step) {
    case 'edit':
      return edit(state, step.name, step.text)
    case 'choose-destination':
      return withFields(state, destinationTexts(step.destination))
    case 'advanced':
      return { ...state, values: { ...state.values, advanced: step.list } }
    case 'offer':
      return offer(state, step.name, step.text)
    case 'discard':
      return { ...state, values: state.base, news: null }
    case 'read':
      return merge(state, step.values, step.version)
    case 'take-theirs':
      return takeTheirs(state)
    case 'keep-mine':
      return { ...state, news: null }
  }
}

type Texts = Partial<Record<FieldName, string>>

function edit(state: LinkState, name: FieldName, text: string): LinkState {
  const { fields } = state.values
  if (fields[name] === text) return state
  const edited = withFields(state, { ...followers(state, name, text), [name]: text })
  if (name === 'config.mode') return withOfferedPort(edited, text)
  // IN-FORM-14: RIST has none of them.
  const isCleared = name === 'inputType' && text === 'RIST'
  return isCleared ? { ...edited, values: { ...edited.values, advanced: [] } } : edited
}

function withFields(state: LinkState, texts: Texts): LinkState {
  return {
    ...state,
    values: { ...state.values, fields: { ...state.values.fields, ...texts } },
  }
}

/** What is free here to listen at is no port of a far end: it goes in Push, and comes back in Listen. */
function withOfferedPort(state: LinkState, mode: string): LinkState {
  const { offeredPort, values } = state
  if (offeredPort === '') return state
  const [from, to] = mode === 'Push' ? [offeredPort, ''] : ['', offeredPort]
  return values.fields['config.port'] === from ? withOffer(state, 'config.port', to) : state
}

/** What an edit of that field brings along. */
function followers(state: LinkState, name: FieldName, text: string): Texts {
  if (name === 'inputType') return typeTexts(state, text)
  // An address to listen at is no far end, and the other way round.
  if (name === 'config.mode') return { 'config.host': '', destinationId: '' }
  // IN-FORM-18.
  if (name === 'encryption.selection' && text === 'no') {
    return { 'encryption.type': '128', 'encryption.passphrase': '' }
  }
  // Adapters are the server's own.
  return name === 'serverId' ? { 'config.adapterIp': '' } : {}
}

/** IN-FORM-05: where feeders send to when nobody says otherwise. */
export const FEEDER_PORT = '6000'

function typeTexts({ base, values, offeredGroup, version }: LinkState, type: string): Texts {
  const { fields } = values
  const texts: Texts = {}
  // IN-FORM-13, Q163: Any in Listen; in Push the field is cleared.
  if (type === 'SRT') Object.assign(texts, { 'config.host': '', destinationId: '' })
  if (type === 'aCANFeeder') {
    texts['config.mode'] = 'Listen'
    texts['config.host'] = ''
    if (fields['config.port'] === '') texts['config.port'] = FEEDER_PORT
  }
  const isDefaultPort = fields['config.port'] === FEEDER_PORT && version === 0
  if (fields['inputType'] === 'aCANFeeder' && isDefaultPort) texts['config.port'] = ''
  if (values.kind === 'input')
    Object.assign(texts, groupTexts(fields, base.fields, offeredGroup, type))
  return texts
}

/** A free group is of no use to a Local input: it names the one that its stream is on (Q179). */
function groupTexts(fields: Fields, base: Fields, offered: string, type: string): Texts {
  const group = fields['config.multicast']
  if (type === 'Local') return offered !== '' && group === offered ? { 'config.multicast': '' } : {}
  const wasLocal = fields['inputType'] === 'Local' && base['inputType'] !== 'Local'
  return wasLocal && group === '' ? { 'config.multicast': offered || base['config.multicast'] } : {}
}

function destinationTexts(destination: ChosenDestination | null): Texts {
  if (destination === null) return { destinationId: '' }
  const { id, ip, keyBits } = destination
  const address = { destinationId: id, 'config.host': ip }
  // Q152: prefilled, and the operator's to change.
  return keyBits === 0
    ? address
    : { ...address, 'encryption.selection': 'yes', 'encryption.type': String(keyBits) }
}

/** Only where nothing stands: what was typed or saved is never overwritten (Q165). */
function offer(
  state: LinkState,
  name: 'config.multicast' | 'config.port',
  text: string,
): LinkState {
  const offered =
    name === 'config.multicast'
      ? { ...state, offeredGroup: text }
      : { ...state, offeredPort: state.version === 0 ? text : '' }
  const { fields } = state.values
  const isLocal = name === 'config.multicast' && fields['inputType'] === 'Local'
  return isLocal || fields[name] !== '' ? offered : withOffer(offered, name, text)
}

/** Of a new link it is no change: it stands there from the beginning. */
function withOffer(
  state: LinkState,
  name: 'config.multicast' | 'config.port',
  text: string,
): LinkState {
  const filled = withFields(state, { [name]: text })
  if (state.version !== 0) return filled
  const { base } = filled
  return { ...filled, base: { ...base, fields: { ...base.fields, [name]: text } } }
}
