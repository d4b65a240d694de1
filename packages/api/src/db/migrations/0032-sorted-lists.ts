import type { Kysely } from 'kysely'
import { addressKey, foldCase } from '../search.ts'
import { createIndex } from './create-index.ts'

interface Before {
  encoders: { id: string; title: string; ip: string }
  inputs: { id: string; title: string }
  outputs: { id: string; title: string }
  channels: { id: string; title: string }
  servers: { id: string; host: string }
  destinations: { id: string; ip: string }
}
interface After {
  encoders: { id: string; title_key: string; address_key: string }
  inputs: { id: string; title_key: string }
  outputs: { id: string; title_key: string }
  channels: { id: string; title_key: string }
  servers: { id: string; address_key: string }
  destinations: { id: string; address_key: string }
}

/**
 * One for each column that a list is sorted by and that has none yet: names and e-mail addresses of
 * people are unique. The group stands at the end: somebody who sees some
 * groups only is answered from the index, too.
 */
const INDEXES = [
  ['encoders', ['title_key', 'id', 'group_id']],
  ['encoders', ['address_key', 'port', 'id', 'group_id']],
  ['encoders', ['port', 'id', 'group_id']],
  ['encoders', ['email', 'id', 'group_id']],
  ['inputs', ['title_key', 'id', 'group_id']],
  ['inputs', ['port', 'id', 'group_id']],
  ['outputs', ['title_key', 'id', 'input_id']],
  ['channels', ['title_key', 'id']],
  ['destinations', ['address_key', 'id', 'group_id']],
  ['servers', ['address_key', 'port', 'id']],
  ['servers', ['port', 'id']],
  ['users', ['role', 'search', 'id']],
] as const
/** Each is the beginning of one above. */
const NO_LONGER_NEEDED = ['encoders_by_port', 'inputs_by_port', 'servers_by_port', 'users_by_role']

/** Lists can be sorted by their columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['encoders', 'inputs', 'outputs', 'channels'])
    await addKey(db, table, 'title_key')
  for (const table of ['encoders', 'servers', 'destinations'])
    await addKey(db, table, 'address_key')
  await fillTitles(db)
  await fillAddresses(db)
  for (const [table, columns] of INDEXES) await createIndex(db, table, [...columns])
  for (const index of NO_LONGER_NEEDED) await db.schema.dropIndex(index).execute()
}

async function addKey(db: Kysely<unknown>, table: string, key: string): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn(key, 'text', (c) => c.notNull().defaultTo(''))
    .execute()
}

async function fillTitles(db: Kysely<unknown>): Promise<void> {
  for (const table of ['encoders', 'inputs', 'outputs', 'channels'] as const) {
    const rows = await (db as Kysely<Before>).selectFrom(table).select(['id', 'title']).execute()
    for (const { id, title } of rows) {
      await (db as Kysely<After>)
        .updateTable(table)
        .set({ title_key: foldCase(title) })
        .where('id', '=', id)
        .execute()
    }
  }
}

async function fillAddresses(db: Kysely<unknown>): Promise<void> {
  const before = db as Kysely<Before>
  const hosts = {
    encoders: await before.selectFrom('encoders').select(['id', 'ip as host']).execute(),
    servers: await before.selectFrom('servers').select(['id', 'host']).execute(),
    destinations: await before.selectFrom('destinations').select(['id', 'ip as host']).execute(),
  }
  for (const table of ['encoders', 'servers', 'destinations'] as const) {
    for (const { id, host } of hosts[table]) {
      await (db as Kysely<After>)
        .updateTable(table)
        .set({ address_key: addressKey(host) })
        .where('id', '=', id)
        .execute()
    }
  }
}
