/** Titles that are stored already are ordered by their numbers after an upgrade. */
import { sql, type Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../testing/databases.ts'
import { addStoredSite } from '../../testing/stored-site.ts'
import { titleKey } from '../search.ts'
import type { Database } from '../schema.ts'
import { up } from './0038-natural-titles.ts'

/** More than are changed at once. */
const GROUPS = 450

describeOnBothDatabases('titles of before', (_open, openNew) => {
  test('get the key of their numbers, also where it was the key of another title', async () => {
    const db = await openNew()
    await addStoredSite(db)
    await undo(db)
    const north = await db
      .selectFrom('groups')
      .selectAll()
      .where('id', '=', 'north')
      .executeTakeFirstOrThrow()
    const more = Array.from({ length: GROUPS }, (_, at) => {
      // 'Camera 019' had the key that 'Camera 9' gets.
      const title = at % 2 === 0 ? `Camera ${at / 2}` : `Camera ${titleKey(String((at - 1) / 2))}`
      return { ...north, id: `g${at}`, title, title_key: title.toLowerCase() }
    })
    await db.insertInto('groups').values(more).execute()
    await up(db as unknown as Kysely<unknown>)
    const rows = await db.selectFrom('groups').select(['title', 'title_key']).execute()
    expect(rows.map((row) => row.title_key)).toEqual(rows.map((row) => titleKey(row.title)))
    const ordered = await db
      .selectFrom('groups')
      .select('title')
      .where('title', 'in', ['Camera 9', 'Camera 10', 'Camera 100'])
      .orderBy('title_key')
      .execute()
    expect(ordered.map(({ title }) => title)).toEqual(['Camera 9', 'Camera 10', 'Camera 100'])
  })

  test('destinations are ordered by their titles, no longer by their search text', async () => {
    const db = await openNew()
    await addStoredSite(db)
    await undo(db)
    for (const at of [10, 9, 1]) {
      await sql`insert into destinations (id, version, created_at, search, title, ip, group_id, encryption)
        values (${`d${at}`}, 1, '', '', ${`Paris ${at}`}, '192.0.2.1', 'north', '{}')`.execute(db)
    }
    await up(db as unknown as Kysely<unknown>)
    const rows = await db
      .selectFrom('destinations')
      .select('title')
      .where('title', 'like', 'Paris %')
      .orderBy('title_key')
      .execute()
    expect(rows.map(({ title }) => title)).toEqual(['Paris 1', 'Paris 9', 'Paris 10'])
  })
})

/** As it was before: keys without regard to numbers, none of destinations. */
async function undo(db: Kysely<Database>): Promise<void> {
  await db.schema.dropIndex('destinations_by_title_key_id_group_id').execute()
  await db.schema.dropIndex('destinations_by_group_id_title_key_id').execute()
  await db.schema.alterTable('destinations').dropColumn('title_key').execute()
  await db.schema
    .createIndex('destinations_by_search_id')
    .on('destinations')
    .columns(['search', 'id'])
    .execute()
  await db.schema
    .createIndex('destinations_by_group_id_search_id')
    .on('destinations')
    .columns(['group_id', 'search', 'id'])
    .execute()
}
