/** A record of the database that names a host: an encoder, or a server. */
import { addressText, type HostAddress } from './host-address.ts'

export interface HostRecord {
  /** Encoder id or server id. */
  id: string
  kind: 'encoder' | 'server'
  /** 'agent': we hold a link. 'media server': we ask its HTTP API. */
  answerer: 'agent' | 'media server'
  address: HostAddress
  /** http(s)://host:port as the operator typed the host. */
  baseUrl: string
  apiKey: string
  groupIds: readonly string[]
  /** Editors of an encoder. */
  editorIds: readonly string[]
  /** Lists stand in this order. */
  createdAtMs: number
}

export type HostKey = Pick<HostRecord, 'kind' | 'id'>

/** Seen by other people than before: by whom until now; null for a record that is new. */
export interface RescopedHost extends HostKey {
  before: Pick<HostRecord, 'kind' | 'groupIds' | 'editorIds'> | null
}

/** Gateways, then encoders, then media servers, each in the order of lists; the same in every API process. */
export function byPlace(a: HostRecord, b: HostRecord): number {
  return (
    rankOf(a) - rankOf(b) ||
    a.createdAtMs - b.createdAtMs ||
    (a.id < b.id ? -1 : Number(a.id > b.id))
  )
}

function rankOf({ answerer, kind }: HostRecord): number {
  if (answerer === 'media server') return 2
  return kind === 'server' ? 0 : 1
}

/** Its last record went while it was away: dialled until nothing of ours runs there. */
export type LeftHost = Pick<HostRecord, 'address' | 'apiKey'>

/** Who is asked where: another key is the same host still. */
export function answererAt({ answerer, address }: HostRecord): string {
  return `${answerer} ${addressText(address)}`
}
