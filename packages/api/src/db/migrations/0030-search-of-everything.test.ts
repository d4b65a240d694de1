import Sqlite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import * as foundation from './0001-0019/0001-foundation.ts'
import * as addresses from './0001-0019/0011-addresses.ts'
import * as calledAddresses from './0001-0019/0018-called-addresses.ts'
import * as searchOfEverything from './0030-search-of-everything.ts'

test('feeders that are stored are found by title and address', async () => {
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: new Sqlite(':memory:') }),
  })
  onTestFinished(async () => db.destroy())
  await foundation.up(db)
  await sql`pragma foreign_keys = off`.execute(db)
  const spec = JSON.stringify({
    input: { title: 'Élan to Gateway', addr: '127.0.0.1:5000' },
    output: [{ addr: 'gw.example.org:6000', port: 6000 }],
  })
  await sql`insert into feeders (id, encoder_id, server_id, position, spec, wanted_running, created_at)
    values ('f', 'e', 's', 0, ${spec}, 0, '')`.execute(db)
  await addresses.up(db)
  await calledAddresses.up(db)
  await searchOfEverything.up(db)
  const { rows } = await sql`select search from feeders`.execute(db)
  expect(rows).toEqual([{ search: 'f\nelan to gateway\n127.0.0.1:5000\ngw.example.org:6000' }])
  const found = await sql`select feeders_texts.id from feeders_search
    join feeders_texts on feeders_texts.no = feeders_search.rowid
    where feeders_search match '"elan to"'`.execute(db)
  expect(found.rows).toEqual([{ id: 'f' }])
})
