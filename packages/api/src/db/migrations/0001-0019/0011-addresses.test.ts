import Sqlite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import * as foundation from './0001-foundation.ts'
import * as addresses from './0011-addresses.ts'

test('Q102 servers that are stored are found by their addresses, inputs by their port', async () => {
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: new Sqlite(':memory:') }),
  })
  onTestFinished(async () => db.destroy())
  await foundation.up(db)
  const adapters = JSON.stringify([
    { _id: '1', adapterName: 'eth0', adapterIp: '192.0.2.10' },
    { _id: '2', adapterName: 'eth1', adapterIp: '10.0.0.1' },
  ])
  await sql`insert into users (id, version, created_at, search, first_name, last_name, email, role, password_hash, token_version)
    values ('u', 1, '', '', '', '', '', 'manager', '', 1)`.execute(db)
  await sql`insert into groups (id, version, created_at, search, title, title_key, description, manager_id)
    values ('g', 1, '', '', '', '', '', 'u')`.execute(db)
  await sql`insert into servers (id, version, created_at, search, title, host, host_key, port, server_type, api_key_sealed, description, location, adapters)
    values ('s', 1, '', '', '', 'HTTPS://West.example.org', 'west.example.org', 8000, 'acants', '', '', '', ${adapters})`.execute(
    db,
  )
  await sql`insert into inputs (id, version, created_at, search, name, title, is_enabled, wanted_running, config, encryption, advanced, input_type, server_id, group_id)
    values ('i', 1, '', '', '', '', 1, 0, '{"port":6022}', '{}', '[]', 'SRT', 's', 'g')`.execute(db)
  await addresses.up(db)
  expect((await sql`select * from server_addresses order by address`.execute(db)).rows).toEqual([
    { server_id: 's', address: '10.0.0.1' },
    { server_id: 's', address: '192.0.2.10' },
    { server_id: 's', address: 'west.example.org' },
  ])
  expect((await sql`select id, port from inputs`.execute(db)).rows).toEqual([
    { id: 'i', port: 6022 },
  ])
})
