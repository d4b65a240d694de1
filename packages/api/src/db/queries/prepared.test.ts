/** Queries that are compiled once answer as if each was put together anew. */
import type { CompiledQuery, KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../testing/databases.ts'
import { addStoredSite } from '../../testing/stored-site.ts'
import type { Db } from '../open.ts'
import { prepared } from './prepared.ts'

function titlesOf() {
  const builds: CompiledQuery[] = []
  const read = prepared((db: Db, { ids, title }: { ids: readonly string[]; title: string }) => {
    const query = db
      .selectFrom('groups')
      .select('title')
      .where('id', 'in', ids)
      .where('title', '<>', title)
      .orderBy('title')
    builds.push(query.compile())
    return query
  })
  const titles = async (db: Db, ids: readonly string[], title = '') =>
    (await read(db, { ids, title })).rows.map((row) => row.title)
  return { builds, titles }
}

describeOnBothDatabases('Prepared queries', (open) => {
  test('a query is built once for each length of its list, and answers by the values of each call', async () => {
    const db = await open()
    await addStoredSite(db)
    const { builds, titles } = titlesOf()
    expect(await titles(db, ['north', 'south'])).toEqual(['north', 'south'])
    expect(await titles(db, ['south', 'nowhere'])).toEqual(['south'])
    expect(await titles(db, ['north', 'south'], 'north')).toEqual(['south'])
    expect(builds).toHaveLength(1)
    expect(await titles(db, ['north'])).toEqual(['north'])
    expect(builds).toHaveLength(2)
  })

  test('a transaction sees what it has written itself', async () => {
    const db = await open()
    await addStoredSite(db)
    const { titles } = titlesOf()
    await db.transaction().execute(async (trx) => {
      await trx.updateTable('groups').set({ title: 'West' }).where('id', '=', 'north').execute()
      expect(await titles(trx, ['north'])).toEqual(['West'])
    })
  })

  test('a plugin sees the query each time', async () => {
    const db = await open()
    let seen = 0
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => {
        seen += 1
        return node
      },
      transformResult: async ({ result }) => Promise.resolve(result),
    }
    const read = prepared((each: Db, { id }: { id: string }) =>
      each.selectFrom('groups').select('title').where('id', '=', id),
    )
    await read(db, { id: 'north' })
    await read(db.withPlugin(counter), { id: 'north' })
    await read(db.withPlugin(counter), { id: 'south' })
    expect(seen).toBe(2)
  })
})
