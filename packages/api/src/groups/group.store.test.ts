import { expect, test } from 'vitest'
import type { Connection } from '../db/open.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { addStoredSite } from '../testing/stored-site.ts'
import * as membershipStore from '../users/membership.store.ts'
import * as userStore from '../users/user.store.ts'
import * as groupStore from './group.store.ts'

async function addUser(db: Connection, id: string, at: string): Promise<void> {
  await userStore.insert(db, {
    id,
    firstName: id,
    lastName: 'Lee',
    email: `${id}@example.org`,
    role: 'manager',
    passwordHash: '',
    tokenVersion: 1,
    version: 1,
    createdAt: `2026-11-20T${at}:00.000Z`,
  })
}

function group(id: string, more: Partial<groupStore.GroupRecord> = {}) {
  return {
    id,
    title: id,
    description: 'd',
    managerId: 'boss',
    version: 1,
    createdAt: '2026-11-20T10:00:00.000Z',
    ...more,
  }
}

const ALL = { scope: 'all', search: '', id: '', people: 'all', page: 0, rows: 0 } as const

describeOnBothDatabases('Groups', (open) => {
  test('Q108 the manager is first, members follow in order of creation, nobody twice', async () => {
    const db = await open()
    await addUser(db, 'young', '11:00')
    await addUser(db, 'boss', '12:00')
    await addUser(db, 'old', '10:00')
    await groupStore.insert(db, group('g'))
    for (const id of ['young', 'boss', 'old']) await membershipStore.insert(db, 'g', id)
    const found = await groupStore.find(db, 'g')
    // Each of the three who came was a change of the group.
    expect(found).toMatchObject(group('g', { version: 4 }))
    expect(found?.people.map((person) => person.id)).toEqual(['boss', 'old', 'young'])
    expect(await groupStore.find(db, 'h')).toBeNull()
    const { groups } = await groupStore.list(db, { ...ALL, people: 'manager' })
    expect(groups[0]?.people.map((person) => person.id)).toEqual(['boss'])
  })

  test('Q39 a list is cut to the given groups, in order of creation', async () => {
    const db = await open()
    await addUser(db, 'boss', '10:00')
    await groupStore.insert(db, group('late', { createdAt: '2026-11-20T12:00:00.000Z' }))
    await groupStore.insert(db, group('early'))
    const ids = async (scope: 'all' | string[]) =>
      (await groupStore.list(db, { ...ALL, scope })).groups.map((item) => item.id)
    expect(await ids('all')).toEqual(['early', 'late'])
    expect(await ids(['late', 'unknown'])).toEqual(['late'])
    expect(await ids([])).toEqual([])
  })

  test.each(['North', 'NORTH', 'nörth'.replace('ö', 'o'), 'Nórth'])(
    'a title belongs to one group, in any case: %s',
    async (title) => {
      const db = await open()
      await addUser(db, 'boss', '10:00')
      await groupStore.insert(db, group('g1', { title: 'north' }))
      await expect(groupStore.insert(db, group('g2', { title }))).rejects.toMatchObject({
        code: 'conflict',
        field: 'title',
      })
    },
  )

  test('a search finds title and description, folded; a page is cut after it was counted', async () => {
    const db = await open()
    await addUser(db, 'boss', '10:00')
    await groupStore.insert(db, group('g1', { title: 'Élan', description: 'races 100%' }))
    await groupStore.insert(db, group('g2', { title: 'West', description: 'elan too' }))
    await groupStore.insert(db, group('g3', { title: 'South', description: 'none' }))
    const list = async (more: Partial<groupStore.GroupFilter>) => {
      const { groups, total } = await groupStore.list(db, { ...ALL, ...more })
      return [groups.map((item) => item.id).join(' '), total]
    }
    expect(await list({ search: ' ELAN ' })).toEqual(['g1 g2', 2])
    expect(await list({ search: '%' })).toEqual(['g1', 1])
    expect(await list({ search: 'elan', scope: ['g2', 'g3'] })).toEqual(['g2', 1])
    expect(await list({ id: 'g2' })).toEqual(['g2', 1])
    expect(await list({ id: 'g2', scope: ['g1'] })).toEqual(['', 0])
    expect(await list({ rows: 2, page: 1 })).toEqual(['g3', 3])
    expect(await list({ rows: 2, page: 2 })).toEqual(['', 3])
  })

  test('a save of an old version, and a title of another, change nothing', async () => {
    const db = await open()
    await addUser(db, 'boss', '10:00')
    await addUser(db, 'heir', '11:00')
    await groupStore.insert(db, group('g1'))
    await groupStore.insert(db, group('g2'))
    const content = { title: 'new', description: 'other', managerId: 'heir' }
    expect(await groupStore.update(db, { id: 'g1', version: 2 }, content)).toBe(false)
    const taken = { ...content, title: 'G2' }
    await expect(groupStore.update(db, group('g1'), taken)).rejects.toMatchObject({
      code: 'conflict',
      field: 'title',
    })
    expect(await groupStore.find(db, 'g1')).toMatchObject(group('g1'))
    expect(await groupStore.update(db, group('g1'), content)).toBe(true)
    expect(await groupStore.find(db, 'g1')).toMatchObject({ ...content, version: 2 })
    const { total } = await groupStore.list(db, { ...ALL, search: 'other' })
    expect(total).toBe(1)
  })

  test('Q110 everything except its manager is counted, and prevents deleting it', async () => {
    const db = await open()
    await addStoredSite(db)
    await membershipStore.insert(db, 'north', 'boss')
    const none = { member: 0, encoder: 0, server: 0, channel: 0, input: 0, destination: 0 }
    expect(await groupStore.countContent(db, 'north')).toEqual({ ...none, server: 2 })
    await membershipStore.insert(db, 'north', 'editor')
    expect(await groupStore.countContent(db, 'north')).toEqual({ ...none, member: 1, server: 2 })
    const boss = { managerId: 'boss' }
    await expect(groupStore.remove(db, { id: 'north', ...boss })).rejects.toMatchObject({
      code: 'conflict',
    })
    await groupStore.insert(db, group('empty'))
    await membershipStore.insert(db, 'empty', 'boss')
    await groupStore.remove(db, { id: 'empty', ...boss })
    expect(await groupStore.find(db, 'empty')).toBeNull()
  })
})
