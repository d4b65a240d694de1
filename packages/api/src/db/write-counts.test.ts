import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { addStoredSite } from '../testing/stored-site.ts'
import { changedBy, writeCountsOf } from './write-counts.ts'

test.each<[string, string[]]>([
  ['select * from "users"', []],
  ['  SELECT 1', []],
  ['begin immediate', []],
  ['insert into "users" ("id") values ($1)', ['records']],
  ['update "encoders" set "title" = ?', ['records']],
  ['delete from "audit" where "at" < ?', ['audit']],
  ['insert into link_samples (program_id) values (?)', []],
  ['update "sessions" set "used_at" = ?', []],
  ['with gone as (select 1) delete from users', ['records', 'audit']],
  ['insert into "somewhere" values (1)', ['records', 'audit']],
  ['vacuum', ['records', 'audit']],
])('what "%s" may change', (sql, sources) => {
  expect(changedBy(sql)).toEqual(sources)
})

describeOnBothDatabases('counts of writes', (open) => {
  test('a write counts at its end, that of a transaction when it is committed', async () => {
    const db = await open()
    await addStoredSite(db)
    const counts = writeCountsOf(db)
    const rename = { title: 'Far North' }
    const start = counts.of('records')
    const audited = counts.of('audit')
    await db.updateTable('groups').set(rename).where('id', '=', 'north').execute()
    expect(counts.of('records')).toBe(start + 1)
    await db.transaction().execute(async (trx) => {
      await trx.updateTable('groups').set(rename).where('id', '=', 'north').execute()
      expect(counts.of('records')).toBe(start + 1)
    })
    expect(counts.of('records')).toBe(start + 2)
    const failing = db.transaction().execute(async (trx) => {
      await trx.updateTable('groups').set(rename).where('id', '=', 'north').execute()
      throw new Error('changed their mind')
    })
    await expect(failing).rejects.toThrow('changed their mind')
    expect(counts.of('records')).toBe(start + 2)
    await db.selectFrom('groups').selectAll().execute()
    expect([counts.of('records'), counts.of('audit')]).toEqual([start + 2, audited])
  })
})
