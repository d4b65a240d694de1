/** Lists of people: who is in them, in which order, how many, and with which of their groups. */
import type { Role } from '@trunkline/contract/roles'
import { expect, test } from 'vitest'
import type { Connection } from '../db/open.ts'
import * as groupStore from '../groups/group.store.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import * as membershipStore from './membership.store.ts'
import * as userStore from './user.store.ts'

const AT = '2026-11-20T10:00:00.000Z'
const ALL = { scope: { by: 'all' }, groupId: '', role: '', search: '', page: 0, rows: 0 } as const

async function addUser(db: Connection, id: string, fullName: string, role: Role): Promise<void> {
  const [firstName = '', lastName = ''] = fullName.split(' ')
  await userStore.insert(db, {
    id,
    firstName,
    lastName,
    email: `${id}@example.org`,
    role,
    passwordHash: '',
    tokenVersion: 1,
    version: 1,
    createdAt: AT,
  })
}

async function addGroup(db: Connection, id: string, managerId: string): Promise<void> {
  const group = { id, title: id, description: '', managerId, version: 1, createdAt: AT }
  await groupStore.insert(db, group)
}

/** north: boss1, ed, mo; south: boss2, ed; nobody knows lone. */
async function addSite(db: Connection): Promise<void> {
  await addUser(db, 'root', 'Zoe Root', 'superadmin')
  await addUser(db, 'adm', 'Ada Min', 'admin')
  await addUser(db, 'boss1', 'Bob North', 'manager')
  await addUser(db, 'boss2', 'bea south', 'manager')
  await addUser(db, 'ed', 'Émile Dit', 'editor')
  await addUser(db, 'mo', 'Mo Nitor', 'monitor')
  await addUser(db, 'lone', 'Lo 100%', 'editor')
  await addGroup(db, 'north', 'boss1')
  await addGroup(db, 'south', 'boss2')
  await membershipStore.insert(db, 'north', 'ed')
  await membershipStore.insert(db, 'north', 'mo')
  await membershipStore.insert(db, 'south', 'ed')
}

describeOnBothDatabases('Lists of people', (open) => {
  async function lists() {
    const db = await open()
    await addSite(db)
    return async (more: Partial<userStore.UserFilter>) => {
      const { users, total } = await userStore.list(db, { ...ALL, ...more })
      return `${users.map((user) => user.id).join(' ')}: ${total}`
    }
  }

  test('matrix S scope is in the query, in order of full name without case and accents', async () => {
    const list = await lists()
    const scope = (groupIds: string[], userId: string) =>
      list({ scope: { by: 'groups', groupIds, userId } })
    expect(await list({})).toBe('adm boss2 boss1 ed lone mo root: 7')
    expect(await list({ scope: { by: 'notAbove' } })).toBe('adm boss2 boss1 ed lone mo: 6')
    expect(await scope(['north'], 'mo')).toBe('boss1 ed mo: 3')
    expect(await scope(['south'], 'lone')).toBe('boss2 ed lone: 3')
    expect(await scope(['north', 'south'], 'ed')).toBe('boss2 boss1 ed mo: 4')
    expect(await scope([], 'lone')).toBe('lone: 1')
  })

  test('USER-04 filters narrow the scope and never widen it', async () => {
    const list = await lists()
    const scope = { by: 'groups', groupIds: ['north'], userId: 'mo' } as const
    expect(await list({ groupId: 'north' })).toBe('boss1 ed mo: 3')
    expect(await list({ groupId: 'nowhere' })).toBe(': 0')
    expect(await list({ scope, groupId: 'north' })).toBe('boss1 ed mo: 3')
    // The editor is in both, but a group of others is not even looked into.
    expect(await list({ scope, groupId: 'south' })).toBe(': 0')
    expect(await list({ role: 'manager' })).toBe('boss2 boss1: 2')
    expect(await list({ scope, role: 'manager' })).toBe('boss1: 1')
    expect(await list({ scope: { by: 'notAbove' }, role: 'superadmin' })).toBe(': 0')
    expect(await list({ scope, role: 'editor', groupId: 'north', search: 'emile' })).toBe('ed: 1')
  })

  test('a search finds full name and e-mail, folded, as plain text, never across the two', async () => {
    const list = await lists()
    expect(await list({ search: ' ÉMILE d ' })).toBe('ed: 1')
    expect(await list({ search: 'BOSS1@' })).toBe('boss1: 1')
    expect(await list({ search: 'north' })).toBe('boss1: 1')
    expect(await list({ search: '100%' })).toBe('lone: 1')
    expect(await list({ search: '%' })).toBe('lone: 1')
    expect(await list({ search: '_' })).toBe(': 0')
    expect(await list({ search: 'north boss1' })).toBe(': 0')
    expect(await list({ search: "' or 1=1 --" })).toBe(': 0')
    expect(await list({ search: ' ' })).toBe('adm boss2 boss1 ed lone mo root: 7')
  })

  test('a page is cut after it was counted', async () => {
    const list = await lists()
    expect(await list({ rows: 3 })).toBe('adm boss2 boss1: 7')
    expect(await list({ rows: 3, page: 2 })).toBe('root: 7')
    expect(await list({ rows: 3, page: 9 })).toBe(': 7')
    expect(await list({ rows: 2, page: 1, scope: { by: 'notAbove' } })).toBe('boss1 ed: 6')
  })

  test('T3 a listed user shows the groups of the scope only', async () => {
    const db = await open()
    await addSite(db)
    const groups = async (scope: userStore.UserFilter['scope']) => {
      const { users } = await userStore.list(db, { ...ALL, scope, search: 'emile' })
      return users.flatMap((user) => user.groups.map((group) => group.title))
    }
    expect(await groups({ by: 'notAbove' })).toEqual(['north', 'south'])
    expect(await groups({ by: 'groups', groupIds: ['south'], userId: 'mo' })).toEqual(['south'])
    expect(await groups({ by: 'groups', groupIds: [], userId: 'ed' })).toEqual([])
  })

  test('more people than a statement names are listed with their groups all the same', async () => {
    const db = await open()
    await addSite(db)
    const extra = membershipStore.SPELLED_OUT_LIMIT + 1
    await db.transaction().execute(async (trx) => {
      for (let at = 0; at < extra; at++) {
        await addUser(trx, `extra${at}`, `Extra ${at}`, 'monitor')
        await membershipStore.insert(trx, 'south', `extra${at}`)
      }
    })
    const { users, total } = await userStore.list(db, ALL)
    expect(total).toBe(extra + 7)
    const titles = (id: string) =>
      users.find((user) => user.id === id)?.groups.map((group) => group.title)
    expect(titles('boss1')).toEqual(['north'])
    expect(titles('ed')).toEqual(['north', 'south'])
    expect(titles(`extra${extra - 1}`)).toEqual(['south'])
    expect(titles('lone')).toEqual([])
  })
})
