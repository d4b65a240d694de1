/** Encoders, feeders, inputs, outputs and servers straight in a database: only what paths are joined from. */
import type { Connection } from '../db/open.ts'
import type { PathKey } from './path-source.ts'
import { addStoredSite, STORED_AT, encoderRow } from '../testing/stored-site.ts'

const stamps = (id: string) => ({ id, version: 1, created_at: STORED_AT, search: id })
const FLAGS = { is_enabled: 1, wanted_running: 0 } as const
const named = (id: string) => ({ ...stamps(id), ...FLAGS, name: id, title: `Title of ${id}` })
const LINK = { config: '{}', encryption: '{}', passphrase_sealed: null, advanced: '[]' }

/** [address, port]; none of what listens. */
type Called = readonly [string, number]
const NOBODY: Called = ['', 0]

export class PathRows {
  readonly #db: Connection

  private constructor(db: Connection) {
    this.#db = db
  }

  static async add(db: Connection): Promise<PathRows> {
    await addStoredSite(db)
    return new PathRows(db)
  }

  async server(id: string, addresses: readonly string[], type: 'acants' | 'channel' = 'acants') {
    const [host = ''] = addresses
    await this.#db
      .insertInto('servers')
      .values({
        ...stamps(id),
        title: id,
        title_key: id,
        host,
        host_key: host,
        // One host may have several servers.
        port: 8000 + this.#ports++,
        server_type: type,
        api_key_sealed: '',
        description: '',
        location: '',
        adapters: '[]',
      })
      .execute()
    await this.#db
      .insertInto('server_addresses')
      .values(addresses.map((address) => ({ server_id: id, address })))
      .execute()
  }
  #ports = 0

  async encoder(id: string, ip = '192.0.2.200') {
    await this.#db
      .insertInto('encoders')
      .values(encoderRow(id, 'north', { ...named(id), ip }))
      .execute()
  }

  async feeder(id: string, encoderId: string, serverId: string, [address, port]: Called) {
    await this.#db
      .insertInto('feeders')
      .values({
        id,
        encoder_id: encoderId,
        server_id: serverId,
        position: 0,
        spec: '{}',
        passphrase_sealed: null,
        wanted_running: 0,
        created_at: STORED_AT,
        calls_address: address,
        calls_port: port,
      })
      .execute()
  }

  async inputs(
    ids: readonly string[],
    serverId: string,
    port: number,
    more: { type?: 'SRT' | 'RIST' | 'aCANFeeder' | 'Local'; calls?: Called } = {},
  ) {
    const [address, callsPort] = more.calls ?? NOBODY
    const rows = ids.map((id, at) => ({
      ...named(id),
      ...LINK,
      server_id: serverId,
      group_id: 'north',
      port: port + at,
      input_type: more.type ?? ('SRT' as const),
      calls_address: address,
      calls_port: callsPort,
    }))
    await this.#db.insertInto('inputs').values(rows).execute()
  }

  /** One of each input; `listens`: the host and port that the first claims, the others the next ports. */
  async outputs(
    ids: readonly string[],
    inputIds: readonly string[],
    more: { type?: 'SRT' | 'RIST'; calls?: Called; listens?: Called },
  ) {
    const [address, callsPort] = more.calls ?? NOBODY
    const rows = ids.map((id, at) => ({
      ...named(id),
      ...LINK,
      output_type: more.type ?? ('SRT' as const),
      input_id: inputIds[at] ?? inputIds[0] ?? '',
      destination_id: null,
      calls_address: address,
      calls_port: callsPort,
    }))
    await this.#db.insertInto('outputs').values(rows).execute()
    const { listens } = more
    if (listens === undefined) return
    const claims = ids.map((id, at) => ({
      host_key: listens[0],
      port: listens[1] + at,
      owner_kind: 'output',
      owner_id: id,
      leg: 'outer',
    }))
    await this.#db.insertInto('port_claims').values(claims).execute()
  }
}

export function objectKeys(kind: PathKey['kind'], ids: readonly string[]): PathKey[] {
  return ids.map((id) => ({ kind, id }))
}
