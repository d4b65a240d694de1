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
] as const

async function planOf(db: Connection, query: string, isSqlite: boolean): Promise<string> {
  return db.transaction().execute(async (tx) => {
    // A table of no rows is read as fast without its index.
    const settings = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort']
    for (const name of isSqlite ? [] : settings)
      await sql.raw(`set local ${name} = off`).execute(tx)
    const explain = isSqlite ? 'explain query plan' : 'explain'
    const { rows } = await sql.raw<Record<string, unknown>>(`${explain} ${query}`).execute(tx)
    return rows.map((row) => JSON.stringify(row)).join('\n')
  })
}

const LOOKUPS = [
  ['server_addresses', "address = '192.0.2.10'", 'server_addresses_by_address_server_id'],
  ['inputs', "server_id = 's' and port = 6022", 'inputs_by_server_id_port'],
] as const

describeOnBothDatabases('lists', (open, _openNew, kind) => {
  test.each(PAGES)(
    'a page of %s %s by %s is read off its index',
    async (table, where, by, index) => {
      const query = `select * from ${table} ${where} order by ${by} limit 12`
      const plan = await planOf(await open(), query, kind === 'SQLite')
      expect(plan).toContain(index)
      expect(plan).not.toMatch(/temp b-tree|"(->)? *(incremental )?sort/i)
    },
  )

  test.each(LOOKUPS)('Q102 %s where %s are read off their index', async (table, where, index) => {
    const query = `select * from ${table} where ${where}`
    expect(await planOf(await open(), query, kind === 'SQLite')).toContain(index)
  })
})
