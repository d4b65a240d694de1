/** The form of a server: its values, what is wrong with them, and what of it is sent. */
import {
  type Adapter,
  EnrolledServer,
  type Server,
  ServerDraft,
  ServerEdit,
  type ServerType,
} from '@trunkline/contract/servers/server.schema'
import type { Sentences } from '../forms/form.hook.ts'
import { fieldFaults } from '../forms/field-faults.rules.ts'
import { PAIR_NOT_ADDED, pairTwice, REQUIRED } from './server.messages.ts'

/** An adapter of the list; `_id` of one that the API knows already. */
export type AdapterPair = Pick<Adapter, 'adapterName' | 'adapterIp'> & Partial<Pick<Adapter, '_id'>>

export interface ServerValues {
  title: string
  host: string
  port: string
  /** '' until one is chosen. */
  serverType: ServerType | ''
  /** '' keeps the stored one. */
  apiKey: string
  description: string
  location: string
  groupIds: readonly string[]
  /** Of a new server: its host is enrolled next, so that it has no key and no adapters yet. */
  enrols: boolean
  adapterIps: readonly AdapterPair[]
  /** The pair that is being typed; not part of the server until it is added. */
  adapterName: string
  adapterIp: string
}

export const SERVER_LABELS = {
  title: 'Title',
  host: 'Host',
  port: 'Port',
  serverType: 'Server type',
  apiKey: 'API key',
  description: 'Description',
  location: 'Location',
  groupIds: 'Groups',
  enrols: 'Enrol the host',
  adapterIps: 'Adapters',
  adapterName: 'Adapter name',
  adapterIp: 'Adapter IP',
} as const satisfies Record<keyof ServerValues, string>

const NEW_SERVER: ServerValues = {
  title: '',
  host: '',
  port: '',
  serverType: '',
  apiKey: '',
  description: '',
  location: '',
  groupIds: [],
  enrols: false,
  adapterIps: [],
  adapterName: '',
  adapterIp: '',
}

export function valuesOf(server: Server | null): ServerValues {
  if (server === null) return NEW_SERVER
  const { title, host, port, serverType, description, location, groupIds, adapterIps } = server
  return {
    ...NEW_SERVER,
    title,
    host,
    port: String(port),
    serverType,
    description,
    location,
    groupIds,
    adapterIps,
  }
}

/** SRV-05 to SRV-12. */
export function checkServer(values: ServerValues, stored: Server | null): Sentences<ServerValues> {
  const isNew = stored === null
  const faults: Sentences<ServerValues> = {
    ...fieldFaults(schemaFor(values, stored), bodyOf(values), SERVER_LABELS),
    ...(values.enrols ? {} : pairFaults(values)),
  }
  const { title, host, serverType, apiKey, port } = values
  if (title.trim() === '') faults.title = REQUIRED.title
  if (host.trim() === '') faults.host = REQUIRED.host
  if (serverType === '' && !values.enrols) faults.serverType = REQUIRED.serverType
  if (!/^\d+$/.test(port.trim())) faults.port = REQUIRED.port
  if (isNew && !values.enrols && apiKey.trim() === '') faults.apiKey = REQUIRED.apiKey
  return faults
}

/** SRV-18: an empty key keeps the stored one. A server that was enrolled may have no adapters yet. */
function schemaFor({ enrols, apiKey }: ServerValues, stored: Server | null) {
  if (stored === null) return enrols ? EnrolledServer : ServerDraft
  const { shape } = ServerEdit
  return ServerDraft.extend({
    ...(apiKey.trim() === '' ? { apiKey: shape.apiKey } : {}),
    ...(stored.adapterIps.length === 0 ? { adapterIps: shape.adapterIps } : {}),
  })
}

/** With the adapters that a host reports where none was named; the loopback is on every host, and is left to be chosen. */
export function withReported(server: Server, reported: readonly AdapterPair[]): ServerValues {
  const values = valuesOf(server)
  if (values.adapterIps.length > 0) return values
  return {
    ...values,
    adapterIps: offeredPairs(values, reported).filter((pair) => !isLoopback(pair)),
  }
}

/** Of what the host reports, what the list does not have, and what a server may have; the loopback last. */
export function offeredPairs(
  { adapterIps }: ServerValues,
  reported: readonly AdapterPair[],
): AdapterPair[] {
  const isNew = (pair: AdapterPair) => !adapterIps.some((item) => isSamePair(item, pair))
  const isTaken = (pair: AdapterPair) => ServerDraft.shape.adapterIps.safeParse([pair]).success
  return reported
    .filter((pair) => isNew(pair) && isTaken(pair))
    .toSorted((a, b) => Number(isLoopback(a)) - Number(isLoopback(b)))
}

function isSamePair(a: AdapterPair, b: AdapterPair): boolean {
  return a.adapterName === b.adapterName && a.adapterIp === b.adapterIp
}

function isLoopback({ adapterIp }: AdapterPair): boolean {
  return adapterIp.startsWith('127.')
}

/** SRV-14: the fields of create and of edit alike. */
export function bodyOf(values: ServerValues) {
  const { adapterName: _name, adapterIp: _ip, port, groupIds, adapterIps, ...more } = values
  const { enrols, ...plain } = more
  return {
    ...plain,
    port: Number(port.trim() === '' ? NaN : port),
    groupIds: [...groupIds],
    adapterIps: adapterIps.map((pair) => ({ ...pair })),
    ...(enrols ? { enrols, serverType: 'acants', apiKey: '', adapterIps: [] } : {}),
  }
}

/** What was typed and not added would be lost without a word, or be asked for though it is there to read. */
function pairFaults({ adapterName, adapterIp }: ServerValues): Sentences<ServerValues> {
  const isTyped = adapterName.trim() !== '' || adapterIp.trim() !== ''
  return isTyped ? { adapterIps: PAIR_NOT_ADDED } : {}
}

export type PairTry =
  /** SRV-12: one of the two is empty; nothing happens. */
  { kind: 'half' } | { kind: 'wrong'; sentence: string } | { kind: 'added'; change: AddedPair }

type AddedPair = Pick<ServerValues, 'adapterIps' | 'adapterName' | 'adapterIp'>

/** SRV-12: the typed pair goes into the list, and the fields are empty for the next. */
export function tryPair(values: ServerValues): PairTry {
  const pair = { adapterName: values.adapterName.trim(), adapterIp: values.adapterIp.trim() }
  if (pair.adapterName === '' || pair.adapterIp === '') return { kind: 'half' }
  const { error } = ServerDraft.shape.adapterIps.safeParse([pair])
  const issue = error?.issues[0]
  if (issue !== undefined) {
    const label = issue.path[1] === 'adapterIp' ? 'adapterIp' : 'adapterName'
    return { kind: 'wrong', sentence: `${SERVER_LABELS[label]} ${issue.message}` }
  }
  const isThere = values.adapterIps.some((item) => isSamePair(item, pair))
  if (isThere) return { kind: 'wrong', sentence: pairTwice(pair.adapterName, pair.adapterIp) }
  return {
    kind: 'added',
    change: { adapterIps: [...values.adapterIps, pair], adapterName: '', adapterIp: '' },
  }
}
