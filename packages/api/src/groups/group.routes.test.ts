import { addGroup, addGroupUser, listGroups } from '@trunkline/contract/groups/group.calls'
import { expect, test } from 'vitest'
import type { Notice } from '../notices.ts'
import { databaseContent } from '../testing/database-content.ts'
import { inject } from '../testing/inject.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'

async function titlesSeenBy(test: TestApp, token: string): Promise<string[]> {
  const { answer } = await inject(test.app, listGroups, token, {})
  return answer.data.map((group) => group.title)
}

test('Q39 matrix AD: everyone lists groups, below admin their own only', async () => {
  await using test = await openTestApp()
  const { admin, northManager, northEditor, southMonitor, loneManager } = test.people
  expect(await titlesSeenBy(test, admin.token)).toEqual(['North', 'South'])
  expect(await titlesSeenBy(test, northManager.token)).toEqual(['North'])
  expect(await titlesSeenBy(test, northEditor.token)).toEqual(['North'])
  expect(await titlesSeenBy(test, southMonitor.token)).toEqual(['South'])
  expect(await titlesSeenBy(test, loneManager.token)).toEqual([])
})

test('API-09 API-76 Q108 a group answers its people, the manager first', async () => {
  await using test = await openTestApp()
  const { northManager, northEditor, northMonitor } = test.people
  const { answer } = await inject(test.app, listGroups, northEditor.token, {})
  const manager = { _id: northManager.id, fullName: 'Test northManager', mode: { name: 'manager' } }
  expect(answer.data).toEqual([
    {
      _id: test.north,
      id: test.north,
      title: 'North',
      description: '',
      users: [northManager.id, northEditor.id, northMonitor.id],
      userInfo: [
        manager,
        { _id: northEditor.id, fullName: 'Test northEditor', mode: { name: 'editor' } },
        { _id: northMonitor.id, fullName: 'Test northMonitor', mode: { name: 'monitor' } },
      ],
      manager,
      version: 1,
    },
  ])
})

test('GRP-14 the named manager has the group at once', async () => {
  await using test = await openTestApp()
  const { admin, loneManager } = test.people
  expect(await titlesSeenBy(test, loneManager.token)).toEqual([])
  await inject(test.app, addGroup, admin.token, {
    body: { title: 'West', description: 'd', manager: loneManager.id },
  })
  expect(await titlesSeenBy(test, loneManager.token)).toEqual(['West'])
})

test('API-10 a title that is taken, and a manager without that role, change nothing', async () => {
  await using test = await openTestApp()
  const { admin, northEditor, loneManager } = test.people
  const before = await databaseContent(test.ctx)
  const add = async (title: string, manager: string) => {
    const { status, failure } = await inject(test.app, addGroup, admin.token, {
      body: { title, description: 'd', manager },
    })
    return [status, failure.code, failure.field]
  }
  expect(await add('north', loneManager.id)).toEqual([409, 'conflict', 'title'])
  expect(await add('West', northEditor.id)).toEqual([422, 'refused', 'manager'])
  expect(await add('West', 'usernobody')).toEqual([422, 'refused', 'manager'])
  expect(await databaseContent(test.ctx)).toEqual(before)
})

test('USER-10 API-13 a user joins a further group, and sees it at once', async () => {
  await using test = await openTestApp()
  const { admin, northMonitor } = test.people
  const notices: Notice[] = []
  test.ctx.notices.listen((notice) => notices.push(notice))
  expect(await titlesSeenBy(test, northMonitor.token)).toEqual(['North'])
  const input = { params: { groupId: test.south }, body: { userId: northMonitor.id } }
  const { status, answer } = await inject(test.app, addGroupUser, admin.token, input)
  expect(status).toBe(200)
  expect((await inject(test.app, addGroupUser, admin.token, input)).status, 'once more').toBe(409)
  expect(answer.data).toMatchObject({
    version: 2,
    users: expect.arrayContaining([northMonitor.id]) as string[],
  })
  expect(await titlesSeenBy(test, northMonitor.token)).toEqual(['North', 'South'])
  expect(notices).toEqual([
    { kind: 'group', id: test.south, change: 'changed', groupIds: [test.south] },
    { kind: 'user', id: northMonitor.id, change: 'changed', groupIds: [test.south] },
  ])
})

test('T2 T3 other groups and their users are answered to a manager as not found', async () => {
  await using test = await openTestApp()
  const { northManager, southMonitor, northMonitor, loneManager } = test.people
  const before = await databaseContent(test.ctx)
  const add = async (groupId: string, userId: string) =>
    inject(test.app, addGroupUser, northManager.token, { params: { groupId }, body: { userId } })
  const group = await Promise.all([
    add(test.south, northMonitor.id),
    add('nowhere', northMonitor.id),
  ])
  const user = await Promise.all([
    add(test.north, southMonitor.id),
    add(test.north, loneManager.id),
    add(test.north, 'nobody'),
  ])
  expect([...group, ...user].map((item) => item.status)).toEqual([404, 404, 404, 404, 404])
  expect(new Set(group.map((item) => item.text)).size).toBe(1)
  expect(new Set(user.map((item) => item.text)).size).toBe(1)
  expect(await databaseContent(test.ctx)).toEqual(before)
})

test('AB an admin cannot be added to a group; a manager can add only editors and monitors', async () => {
  await using test = await openTestApp()
  const { superadmin, admin, northManager, southManager } = test.people
  const add = async (token: string, userId: string) =>
    (
      await inject(test.app, addGroupUser, token, {
        params: { groupId: test.north },
        body: { userId },
      })
    ).status
  expect(await add(superadmin.token, admin.id)).toBe(403)
  expect(await add(superadmin.token, southManager.id)).toBe(200)
  // Now of one group, so that the manager of North sees the manager of South, yet may not add again.
  expect(await add(northManager.token, southManager.id)).toBe(403)
})
