/** What the search really asks of the database. */
import { FOUND_KINDS } from '@trunkline/contract/search/found-key.rules'
import { expect, test } from 'vitest'
import type { Db } from '../db/open.ts'
import { plansOf } from '../db/query-plans.fixture.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { addListedRows } from '../testing/listed-rows.ts'
import { readAsked } from './asked.rules.ts'
import * as searchStore from './search.store.ts'

const COPIES = 40
const TYPED = ['camera', '6000', '192.0.2.1:8000', 'encoder']
const SCOPES: readonly searchStore.SearchScope[] = [
  { groups: 'all', templates: 'all', encoders: { by: 'all' }, users: { by: 'all' } },
  {
    groups: ['north', 'south'],
    templates: ['north', 'south', ''],
    encoders: { by: 'groups', groupIds: ['north', 'south'] },
    users: { by: 'groups', groupIds: ['north', 'south'], userId: 'boss' },
  },
  {
    groups: ['north'],
    templates: ['north', ''],
    encoders: { by: 'editor', userId: 'editor' },
    users: { by: 'groups', groupIds: ['north'], userId: 'editor' },
  },
]
const GROWING = 'encoders|feeders|inputs|outputs|channels|destinations|users|port_claims'

/** Everything that is asked for one text, as somebody of this scope. */
async function findEverything(db: Db, typed: string, scope: searchStore.SearchScope) {
  for (const kind of FOUND_KINDS) {
    await searchStore.find(db, kind, { ...readAsked(typed), ids: [] }, scope)
  }
}

describeOnBothDatabases('search over all objects', (open, _openNew, database) => {
  // PostgreSQL reads a table of few rows as fast without any index.
  test.each(database === 'SQLite' ? TYPED : [])(
    'G2 no query for %s reads a table that grows with the site from end to end',
    async (typed) => {
      const db = await open()
      await addListedRows(db, COPIES)
      for (const scope of SCOPES) {
        const plans = await plansOf(db, async (watched) => findEverything(watched, typed, scope))
        expect(plans.length).toBeGreaterThan(FOUND_KINDS.length)
        const scans = plans.filter((step) => new RegExp(`^SCAN (${GROWING})\\b`).test(step))
        expect(scans).toEqual([])
      }
    },
  )

  test('of very many that match some are looked at', async () => {
    const db = await open()
    await addListedRows(db, 300)
    const [scope] = SCOPES
    const wanted = { ...readAsked('row'), ids: [] }
    const found = scope && (await searchStore.find(db, 'encoder', wanted, scope))
    expect(found).toHaveLength(200)
  })

  test('a text that is too short for the index finds nothing', async () => {
    const db = await open()
    await addListedRows(db, 1)
    const [scope] = SCOPES
    const wanted = { ...readAsked('ro'), ids: [] }
    expect(scope && (await searchStore.find(db, 'encoder', wanted, scope))).toEqual([])
  })
})
