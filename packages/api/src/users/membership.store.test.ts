import { expect, test } from 'vitest'
import type { Connection } from '../db/open.ts'
import * as groupStore from '../groups/group.store.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import * as membershipStore from './membership.store.ts'
import * as postStore from './post.store.ts'
import { userRecord } from './user-record.fixture.ts'
import * as userStore from './user.store.ts'

async function addGroup(db: Connection, id: string, managerId: string, at: string): Promise<void> {
  await groupStore.insert(db, {
    id,
    title: id,
    description: '',
    managerId,
    version: 1,
    createdAt: `2026-11-20T${at}:00.000Z`,
  })
}

describeOnBothDatabases('Memberships and posts', (open) => {
  test('Q35 groups are those managed and those belonged to, once each, in order of creation', async () => {
    const db = await open()
    await userStore.insert(db, userRecord('u1'))
    await userStore.insert(db, userRecord('u2'))
    await addGroup(db, 'late', 'u1', '12:00')
    await addGroup(db, 'first', 'u2', '10:00')
    await addGroup(db, 'second', 'u1', '11:00')
    await addGroup(db, 'foreign', 'u2', '09:00')
    await membershipStore.insert(db, 'first', 'u1')
    await membershipStore.insert(db, 'late', 'u1')
    const found = await userStore.find(db, 'u1')
    expect(found?.groups).toEqual([
      { _id: 'first', title: 'first' },
      { _id: 'second', title: 'second' },
      { _id: 'late', title: 'late' },
    ])
  })

  test('a member joins an existing group once', async () => {
    const db = await open()
    await userStore.insert(db, userRecord('u1'))
    await addGroup(db, 'g', 'u1', '10:00')
    await membershipStore.insert(db, 'g', 'u1')
    await expect(membershipStore.insert(db, 'g', 'u1')).rejects.toMatchObject({ code: 'conflict' })
    await expect(membershipStore.insert(db, 'h', 'u1')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a change of who belongs to a group is a change of the group', async () => {
    const db = await open()
    await userStore.insert(db, userRecord('u1'))
    await addGroup(db, 'g', 'u1', '10:00')
    await addGroup(db, 'other', 'u1', '11:00')
    const versions = async () =>
      (await db.selectFrom('groups').select('version').orderBy('id').execute()).map(
        (row) => row.version,
      )
    await membershipStore.insert(db, 'g', 'u1')
    expect(await versions()).toEqual([2, 1])
    await membershipStore.remove(db, ['g'], 'u1')
    expect(await versions()).toEqual([3, 1])
    expect(await membershipStore.joinedGroupIds(db, 'u1')).toEqual([])
  })

  test('Q50 the last superadmin is known, and who manages what', async () => {
    const db = await open()
    await userStore.insert(db, userRecord('u1', { role: 'superadmin' }))
    await userStore.insert(db, userRecord('u2'))
    await addGroup(db, 'late', 'u2', '12:00')
    await addGroup(db, 'early', 'u2', '10:00')
    const isLast = async (id: string, role: 'superadmin' | 'manager') =>
      postStore.isLastSuperadmin(db, { id, role })
    expect([await isLast('u1', 'superadmin'), await isLast('u2', 'manager')]).toEqual([true, false])
    await userStore.insert(db, userRecord('u3', { role: 'superadmin' }))
    expect(await isLast('u1', 'superadmin')).toBe(false)
    expect(await postStore.managedGroups(db, 'u2')).toEqual([
      { _id: 'early', title: 'early' },
      { _id: 'late', title: 'late' },
    ])
    expect(await postStore.managedGroups(db, 'u1')).toEqual([])
  })
})
