import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../testing/databases.ts'
import { addStoredSite } from '../../testing/stored-site.ts'
import * as listViewStore from './list-view.store.ts'

const NORTH = { name: 'North', values: { search: 'north' } }
const VIEW = { list: 'encoders', hidden: ['email'], saved: [NORTH] } as const

describeOnBothDatabases('list views', (open) => {
  test('of two that were made from the same version the second is refused', async () => {
    const db = await open()
    await addStoredSite(db)
    const [{ id } = { id: '' }] = await db.selectFrom('users').select('id').limit(1).execute()
    const save = async (version: number, hidden: string[] = []) =>
      listViewStore.save(db, id, { ...VIEW, saved: [NORTH], hidden, version })
    expect([await save(0), await save(0, ['port'])]).toEqual([true, false])
    expect([await save(1, ['ip']), await save(1)]).toEqual([true, false])
    expect(await listViewStore.list(db, id)).toEqual([
      { list: 'encoders', hidden: ['ip'], saved: [NORTH], version: 2 },
    ])
    expect(await listViewStore.find(db, id, 'users')).toBeNull()
  })
})
