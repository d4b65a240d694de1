import Sqlite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../migrate.ts'

test('what is stored already is sorted by title without case, and by address as numbers', async () => {
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: new Sqlite(':memory:') }),
  })
  onTestFinished(async () => db.destroy())
  await migrate(db, '0031-schedules')
  await sql`pragma foreign_keys = off`.execute(db)
  await sql`insert into channels (id, version, created_at, search, server_id, name, title)
    values ('c', 1, '', '', 's', 'n', 'Élan')`.execute(db)
  for (const [id, ip] of [
    ['d9', '192.0.2.9'],
    ['d10', '192.0.2.10'],
    ['name', 'Far.example.org'],
  ]) {
    await sql`insert into destinations (id, version, created_at, search, title, ip, group_id, encryption)
      values (${id}, 1, '', '', ${id}, ${ip}, 'g', '{}')`.execute(db)
  }
  await migrate(db)
  const titles = await sql`select title_key from channels`.execute(db)
  expect(titles.rows).toEqual([{ title_key: 'elan' }])
  const ordered = await sql`select id, address_key from destinations order by address_key`.execute(
    db,
  )
  expect(ordered.rows).toEqual([
    { id: 'd9', address_key: '192.000.002.009' },
    { id: 'd10', address_key: '192.000.002.010' },
    { id: 'name', address_key: 'far.example.org' },
  ])
})
