import type { Kysely } from 'kysely'
import { createIndex } from '../create-index.ts'

interface Before {
  feeders: { id: string; spec: string }
  inputs: { id: string; config: string }
  outputs: { id: string; config: string }
}
interface Called {
  id: string
  calls_address: string
  calls_port: number
}

const TABLES = ['feeders', 'inputs', 'outputs'] as const

/** Feeders, inputs and outputs are found by the address and port that they call. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of TABLES) {
    await db.schema
      .alterTable(table)
      .addColumn('calls_address', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await db.schema
      .alterTable(table)
      .addColumn('calls_port', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  }
  const after = db as Kysely<Record<(typeof TABLES)[number], Called>>
  for (const { table, id, host, port } of await calledPlaces(db as Kysely<Before>)) {
    const place = { calls_address: host.toLowerCase(), calls_port: port }
    await after.updateTable(table).set(place).where('id', '=', id).execute()
  }
  for (const table of TABLES) await createIndex(db, table, ['calls_address', 'calls_port'])
}

async function calledPlaces(db: Kysely<Before>) {
  const feeders = await db.selectFrom('feeders').select(['id', 'spec']).execute()
  const links = []
  for (const table of ['inputs', 'outputs'] as const) {
    const rows = await db.selectFrom(table).select(['id', 'config']).execute()
    for (const { id, config } of rows) {
      const { mode, host, port } = JSON.parse(config) as LinkConfig
      if (mode === 'Push') links.push({ table, id, host: host ?? '', port: port ?? 0 })
    }
  }
  return [
    ...links,
    ...feeders.flatMap(({ id, spec }) => {
      const [target] = (JSON.parse(spec) as FeederSpec).output ?? []
      if (target === undefined) return []
      return {
        table: 'feeders' as const,
        id,
        host: target.addr.split(':')[0] ?? '',
        port: target.port,
      }
    }),
  ]
}

interface LinkConfig {
  mode?: string
  host?: string
  port?: number
}
interface FeederSpec {
  output?: { addr: string; port: number }[]
}
