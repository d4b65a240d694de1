import type { Kysely } from 'kysely'
import { searchText } from '../search.ts'
import { createIndex } from './create-index.ts'
import { indexTexts } from './text-index.ts'

interface Before {
  feeders: { id: string; spec: string }
}
interface After {
  feeders: { id: string; search: string }
}

/** The columns that a port is looked for in, whatever host it is on. */
const PORTS = [
  ['encoders', 'port'],
  ['servers', 'port'],
  ['inputs', 'port'],
  ['inputs', 'calls_port'],
  ['outputs', 'calls_port'],
  ['feeders', 'calls_port'],
] as const

/** Feeders are found by title and address, as other objects are, and every object by its port. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('feeders')
    .addColumn('search', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  const feeders = await (db as Kysely<Before>)
    .selectFrom('feeders')
    .select(['id', 'spec'])
    .execute()
  for (const { id, spec } of feeders) {
    const { input, output } = JSON.parse(spec) as FeederSpec
    const texts = [id, input?.title ?? '', input?.addr ?? '', output?.[0]?.addr ?? '']
    await (db as Kysely<After>)
      .updateTable('feeders')
      .set({ search: searchText(texts) })
      .where('id', '=', id)
      .execute()
  }
  await indexTexts(db, 'feeders')
  for (const [table, column] of PORTS) await createIndex(db, table, [column])
  await createIndex(db, 'port_claims', ['port', 'owner_kind', 'owner_id'])
}

interface FeederSpec {
  input?: { title?: string; addr?: string }
  output?: { addr?: string }[]
}
