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

/** Its last record went while it was away: dialled until nothing of ours runs there. */
export type LeftHost = Pick<HostRecord, 'address' | 'apiKey'>

/** Who is asked where: another key is the same host still. */
export function answererAt({ answerer, address }: HostRecord): string {
  return `${answerer} ${addressText(address)}`
}
