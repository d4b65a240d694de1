import Sqlite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import * as alarms from './0017-alarms.ts'
import * as alarmVersions from './0019-alarm-versions.ts'

test('alarms that were raised with version 0 get one that a call can name', async () => {
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: new Sqlite(':memory:') }),
  })
  onTestFinished(async () => db.destroy())
  await alarms.up(db)
  for (const [id, version] of [
    ['a', 0],
    ['b', 2],
  ]) {
    await sql`insert into alarms (id, version, object_kind, object_id, title, rule, severity, sentence, raised_at, behind, note)
      values (${id}, ${version}, 'input', ${id}, '', 'no-peer', 'major', '', '', 0, '')`.execute(db)
  }
  await alarmVersions.up(db)
  const { rows } = await sql`select version from alarms order by id`.execute(db)
  expect(rows).toEqual([{ version: 1 }, { version: 2 }])
})
