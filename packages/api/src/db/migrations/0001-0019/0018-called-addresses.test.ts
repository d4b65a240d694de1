import Sqlite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import * as foundation from './0001-foundation.ts'
import * as calledAddresses from './0018-called-addresses.ts'

test('feeders, inputs and outputs that are stored are found by the address that they call', async () => {
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: new Sqlite(':memory:') }),
  })
  onTestFinished(async () => db.destroy())
  await foundation.up(db)
  await sql`pragma foreign_keys = off`.execute(db)
  const spec = JSON.stringify({ output: [{ addr: 'Gw.example.org:6000', port: 6000 }] })
  await sql`insert into feeders (id, encoder_id, server_id, position, spec, wanted_running, created_at)
    values ('f', 'e', 's', 0, ${spec}, 0, '')`.execute(db)
  await sql`insert into inputs (id, version, created_at, search, name, title, is_enabled, wanted_running, config, encryption, advanced, input_type, server_id, group_id)
    values ('i', 1, '', '', '', '', 1, 0, '{"mode":"Listen","host":"","port":6022}', '{}', '[]', 'SRT', 's', 'g')`.execute(
    db,
  )
  await sql`insert into outputs (id, version, created_at, search, name, title, is_enabled, wanted_running, config, encryption, advanced, output_type, input_id)
    values ('o', 1, '', '', '', '', 1, 0, '{"mode":"Push","host":"192.0.2.10","port":7000}', '{}', '[]', 'SRT', 'i')`.execute(
    db,
  )
  await calledAddresses.up(db)
  const called = async (table: string) =>
    (await sql`select calls_address, calls_port from ${sql.table(table)}`.execute(db)).rows
  expect(await called('feeders')).toEqual([{ calls_address: 'gw.example.org', calls_port: 6000 }])
  expect(await called('inputs')).toEqual([{ calls_address: '', calls_port: 0 }])
  expect(await called('outputs')).toEqual([{ calls_address: '192.0.2.10', calls_port: 7000 }])
})
