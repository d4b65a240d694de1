import type { Kysely } from 'kysely'
import { addressKey, foldCase } from '../search.ts'
import { createIndex } from './create-index.ts'
import { fillKey } from './fill-key.ts'

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

const TITLE_KEY = { key: 'title_key', of: 'title', make: foldCase }
const KEYS = [
  ['encoders', TITLE_KEY],
  ['inputs', TITLE_KEY],
  ['outputs', TITLE_KEY],
  ['channels', TITLE_KEY],
  ['encoders', { key: 'address_key', of: 'ip', make: addressKey }],
  ['servers', { key: 'address_key', of: 'host', make: addressKey }],
  ['destinations', { key: 'address_key', of: 'ip', make: addressKey }],
] as const

/** Lists can be sorted by their columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, { key }] of KEYS) {
    await db.schema
      .alterTable(table)
      .addColumn(key, 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  }
  for (const [table, key] of KEYS) await fillKey(db, table, key)
  for (const [table, columns] of INDEXES) await createIndex(db, table, [...columns])
  for (const index of NO_LONGER_NEEDED) await db.schema.dropIndex(index).execute()
}
