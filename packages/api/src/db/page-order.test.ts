/** A page costs what it shows, not the size of the site. The plan of a query is the same at any size. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../testing/databases.ts'
import type { Connection } from './open.ts'

const PAGES = [
  ['encoders', '', 'created_at, id', 'encoders_by_created_at_id'],
  ['encoders', "where group_id = 'g'", 'created_at, id', 'encoders_by_group_id_created_at_id'],
  ['inputs', '', 'created_at, id', 'inputs_by_created_at_id'],
  ['inputs', "where group_id = 'g'", 'created_at, id', 'inputs_by_group_id_created_at_id'],
  ['outputs', '', 'created_at, id', 'outputs_by_created_at_id'],
  ['channels', '', 'created_at, name, id', 'channels_by_created_at_name_id'],
  ['encoders', '', 'title_key, id', 'encoders_by_title_key_id_group_id'],
  ['encoders', '', 'address_key, port, id', 'encoders_by_address_key_port_id_group_id'],
  ['encoders', '', 'port, id', 'encoders_by_port_id_group_id'],
  ['encoders', '', 'email, id', 'encoders_by_email_id_group_id'],
  ['inputs', '', 'title_key, id', 'inputs_by_title_key_id_group_id'],
  ['inputs', '', 'port, id', 'inputs_by_port_id_group_id'],
  ['outputs', '', 'title_key, id', 'outputs_by_title_key_id_input_id'],
  ['channels', '', 'title_key, id', 'channels_by_title_key_id'],
  ['destinations', '', 'title_key, id', 'destinations_by_title_key_id_group_id'],
  [
    'destinations',
    "where group_id = 'g'",
    'title_key, id',
    'destinations_by_group_id_title_key_id',
  ],
  ['destinations', '', 'address_key, id', 'destinations_by_address_key_id_group_id'],
  ['servers', '', 'address_key, port, id', 'servers_by_address_key_port_id'],
  ['servers', '', 'port, id', 'servers_by_port_id'],
  ['api_tokens', '', 'title_key, id', 'api_tokens_by_title_key_id'],
  ['api_tokens', '', 'scope, id', 'api_tokens_by_scope_id'],
  ['api_tokens', '', 'used_key, id', 'api_tokens_by_used_key_id'],
  ['users', '', 'role, search, id', 'users_by_role_search_id'],
] as const

/** As it is planned for a table of many rows. Nothing of `first` stays. */
async function planOf(db: Connection, query: string, first: readonly string[]): Promise<string> {
  const trx = await db.startTransaction().execute()
  try {
    for (const statement of first) await sql.raw(statement).execute(trx)
    const { rows } = await sql.raw<Record<string, unknown>>(query).execute(trx)
    return rows.map((row) => JSON.stringify(row)).join('\n')
  } finally {
    await trx.rollback().execute()
  }
}

// A table of no rows is read as fast without its index.
const NO_SHORTCUTS = ['seqscan', 'bitmapscan', 'sort'].map(
  (name) => `set local enable_${name} = off`,
)
// Reading all of this one, or an index of the port alone, is as fast, too, while they are empty.
const NO_OTHERS = [
  'alter table server_addresses drop constraint server_addresses_primary',
  'drop index inputs_by_calls_port, outputs_by_calls_port, feeders_by_calls_port, inputs_by_port_id_group_id',
]

const LOOKUPS = [
  ['server_addresses', "address = '192.0.2.10'", 'server_addresses_by_address_server_id'],
  ['inputs', "server_id = 's' and port = 6022", 'inputs_by_server_id_port'],
  ['feeders', "calls_address = 'a' and calls_port = 6022", 'feeders_by_calls_address_calls_port'],
  ['inputs', "calls_address = 'a' and calls_port = 6022", 'inputs_by_calls_address_calls_port'],
  ['outputs', "calls_address = 'a' and calls_port = 6022", 'outputs_by_calls_address_calls_port'],
] as const

describeOnBothDatabases('lists', (open, _openNew, kind) => {
  const isSqlite = kind === 'SQLite'
  const planOn = async (db: Connection, query: string, others: readonly string[] = []) =>
    isSqlite
      ? planOf(db, `explain query plan ${query}`, [])
      : planOf(db, `explain ${query}`, [...NO_SHORTCUTS, ...others])

  test.each(PAGES)(
    'a page of %s %s by %s is read off its index',
    async (table, where, by, index) => {
      const query = `select * from ${table} ${where} order by ${by} limit 12`
      const plan = await planOn(await open(), query)
      expect(plan).toContain(index)
      expect(plan).not.toMatch(/temp b-tree|"(->)? *(incremental )?sort/i)
    },
  )

  test.each(LOOKUPS)('Q102 %s where %s are read off their index', async (table, where, index) => {
    const query = `select * from ${table} where ${where}`
    expect(await planOn(await open(), query, NO_OTHERS)).toContain(index)
  })
})
