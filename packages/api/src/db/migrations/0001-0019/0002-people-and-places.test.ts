import Sqlite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import * as foundation from './0001-foundation.ts'
import * as peopleAndPlaces from './0002-people-and-places.ts'

test('a database of the first release finds its people by full name', async () => {
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: new Sqlite(':memory:') }),
  })
  onTestFinished(async () => db.destroy())
  await foundation.up(db)
  await sql`insert into users (id, version, created_at, search, first_name, last_name, email, role, password_hash, token_version)
    values ('u', 3, '2026-11-20T10:00:00.000Z', 'zoe\nlee\nzoe@example.org', 'Zoë', 'Lee', 'zoe@example.org', 'editor', 'hash', 2)`.execute(
    db,
  )
  await peopleAndPlaces.up(db)
  const { rows } = await sql`select * from users`.execute(db)
  expect(rows).toMatchObject([
    { id: 'u', search: 'zoe lee\nzoe@example.org', version: 3, token_version: 2 },
  ])
})
