import { addEncoder } from '@trunkline/contract/encoders/encoder.calls'
import {
  addGroup,
  addGroupUser,
  listGroups,
  moveGroupUser,
  removeGroup,
  updateGroup,
} from '@trunkline/contract/groups/group.calls'
import { frenchReader } from '@trunkline/contract/language/french'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { expect, test } from 'vitest'
import * as auditService from '../audit/audit.service.ts'
import type { Notice } from '../notices.ts'
import { databaseContent } from '../testing/database-content.ts'
import { inject, type InjectInput } from '../testing/inject.ts'
import type { PersonName } from '../testing/people.ts'
import { addStoredMembers } from '../testing/stored-site.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'
import { gatewayDraft } from '../testing/server.fixture.ts'

type Edit = NonNullable<InjectInput<typeof updateGroup>['body']>

async function save(test: TestApp, id: string, body: Edit) {
  return inject(test.app, updateGroup, test.people.admin.token, { params: { id }, body })
}

async function remove(test: TestApp, id: string) {
  return inject(test.app, removeGroup, test.people.admin.token, { params: { id } })
}

async function move(test: TestApp, who: PersonName, groupId: string, whom: PersonName) {
  return inject(test.app, moveGroupUser, test.people[who].token, {
    params: { groupId },
    body: { userId: test.people[whom].id },
  })
}

async function addWest(test: TestApp): Promise<string> {
  const body = { title: 'West', description: 'd', manager: test.people.loneManager.id }
  const { answer } = await inject(test.app, addGroup, test.people.admin.token, { body })
  return answer.data.id
}

async function seenBy(test: TestApp, who: PersonName): Promise<string[]> {
  const { answer } = await inject(test.app, listGroups, test.people[who].token, {})
  return answer.data.map((group) => group.title)
}

/** Notices from here on. */
function hear(test: TestApp): Notice[] {
  const notices: Notice[] = []
  test.ctx.notices.listen((notice) => notices.push(notice))
  return notices
}

test('GRP-03 API-72 groups are searched and paged; without a page all are answered', async () => {
  await using test = await openTestApp()
  await addWest(test)
  const list = async (query: Record<string, string>) => {
    const { answer } = await inject(test.app, listGroups, test.people.admin.token, { query })
    return [answer.data.map((group) => group.title).join(' '), answer.total]
  }
  expect(await list({})).toEqual(['North South West', 3])
  expect(await list({ searchText: 'th' })).toEqual(['North South', 2])
  expect(await list({ rowsPerPage: '2', page: '1' })).toEqual(['West', 3])
})

test('API-11 Q109 sent fields are saved, absent fields stay', async () => {
  await using test = await openTestApp()
  const { status, answer } = await save(test, test.north, { description: 'The north <b>' })
  expect(status).toBe(200)
  expect(answer.data).toMatchObject({
    title: 'North',
    description: 'The north <b>',
    manager: { _id: test.people.northManager.id },
    version: 2,
  })
  const back = answer.data as unknown as Edit & { manager: { _id: string } }
  const again = await save(test, test.north, { ...back, manager: back.manager._id })
  expect([again.status, again.answer.data]).toEqual([200, { ...answer.data, version: 3 }])
})

test('GRP-11 GRP-14 a new manager has the group at once, the old one no more', async () => {
  await using test = await openTestApp()
  const { loneManager, northManager } = test.people
  expect([await seenBy(test, 'loneManager'), await seenBy(test, 'northManager')]).toEqual([
    [],
    ['North'],
  ])
  const notices = hear(test)
  const { answer } = await save(test, test.north, { manager: loneManager.id })
  expect(answer.data.userInfo[0]?._id).toBe(loneManager.id)
  expect(answer.data.users).not.toContain(northManager.id)
  expect([await seenBy(test, 'loneManager'), await seenBy(test, 'northManager')]).toEqual([
    ['North'],
    [],
  ])
  const groupIds = [test.north]
  expect(notices).toEqual([
    { kind: 'group', id: test.north, change: 'changed', groupIds },
    { kind: 'user', id: northManager.id, change: 'changed', groupIds },
    { kind: 'user', id: loneManager.id, change: 'changed', groupIds },
  ])
})

test('a manager who also belongs to the group stays in it', async () => {
  await using test = await openTestApp()
  await addStoredMembers(test.ctx.db, test.north, [test.people.northManager.id])
  const { loneManager, northManager } = test.people
  const { answer } = await save(test, test.north, { manager: loneManager.id })
  expect(answer.data.users).toContain(northManager.id)
  expect(await seenBy(test, 'northManager')).toEqual(['North'])
})

test('API-11 an invalid save changes nothing', async () => {
  await using test = await openTestApp()
  const { northEditor, admin } = test.people
  const before = await databaseContent(test.ctx)
  const fault = async (id: string, body: Edit) => {
    const { status, failure } = await save(test, id, body)
    return [status, failure.field]
  }
  expect(await fault(test.north, { title: 'SOUTH' })).toEqual([409, 'title'])
  expect(await fault(test.north, { manager: northEditor.id })).toEqual([422, 'manager'])
  expect(await fault(test.north, { manager: admin.id })).toEqual([422, 'manager'])
  expect(await fault(test.north, { manager: 'nobody' })).toEqual([422, 'manager'])
  expect(await fault('nowhere', { title: 'x' })).toEqual([404, undefined])
  expect(await fault(test.north, { description: ' ' })).toEqual([400, 'description'])
  expect(await databaseContent(test.ctx)).toEqual(before)
  // Its own title in other letters is no other group's.
  expect((await save(test, test.north, { title: 'NORTH' })).status).toBe(200)
})

test('F13 an old version is refused with the group as it is now and what differs', async () => {
  await using test = await openTestApp()
  const { northManager, loneManager } = test.people
  await save(test, test.north, { description: 'first', manager: loneManager.id })
  const before = await databaseContent(test.ctx)
  const { status, failure } = await save(test, test.north, {
    title: 'North',
    description: 'second',
    manager: northManager.id,
    version: 1,
  })
  expect([status, failure.changed]).toEqual([409, ['description', 'manager']])
  expect(failure.current).toMatchObject({ description: 'first', version: 2 })
  expect(await databaseContent(test.ctx)).toEqual(before)
})

test('F13 the refusal of an old version says who saved it, unless another change came since', async () => {
  await using test = await openTestApp()
  await save(test, test.north, { description: 'first' })
  const refused = async () => (await save(test, test.north, { title: 'x', version: 1 })).failure
  const refusal = async () => (await refused()).error
  const rest = 'has saved this group since you opened it. Check their changes, then save again.'
  expect(await refusal()).toBe(`Test admin ${rest}`)
  expect((await refused()).savedBy).toBe('Test admin')
  expect(frenchReader()(await refusal())).toBe(
    "Test admin a enregistré cet objet (groupe) depuis que vous l'avez ouvert. Vérifiez ses modifications, puis enregistrez à nouveau.",
  )
  await auditService.record(test.ctx, {
    actor: null,
    call: 'onAir.begin',
    object: { kind: 'group', id: test.north, title: 'North' },
    after: {},
  })
  expect(await refusal()).toBe(`Somebody else ${rest}`)
  expect(await refused()).not.toHaveProperty('savedBy')
})

test('GRP-12 API-12 an empty group is deleted, and its manager sees it no more', async () => {
  await using test = await openTestApp()
  const id = await addWest(test)
  const notices = hear(test)
  const { status, answer } = await remove(test, id)
  expect([status, answer]).toEqual([200, { status: true, id }])
  expect(await seenBy(test, 'loneManager')).toEqual([])
  expect(notices).toEqual([
    { kind: 'group', id, change: 'removed', groupIds: [id] },
    { kind: 'user', id: test.people.loneManager.id, change: 'changed', groupIds: [id] },
  ])
  expect((await remove(test, id)).status).toBe(404)
})

test('Q110 a group in use is kept, and says what is in it', async () => {
  await using test = await openTestApp()
  const { token } = test.people.admin
  const key = { apiKey: 'a-key-of-ours' }
  await inject(test.app, addEncoder, token, {
    body: { title: 'Camera', ip: '127.0.0.1', port: 9100, groupId: test.north, ...key },
  })
  await inject(test.app, addServer, token, { body: gatewayDraft([test.north]) })
  const before = await databaseContent(test.ctx)
  const { status, failure } = await remove(test, test.north)
  expect([status, failure.error]).toEqual([
    409,
    'North still has 2 members, 1 encoder and 1 server. Move or delete them first.',
  ])
  expect(await databaseContent(test.ctx)).toEqual(before)
})

test('Q106 USER-11 API-14 a user who is moved leaves every other group', async () => {
  await using test = await openTestApp()
  const west = await addWest(test)
  await addStoredMembers(test.ctx.db, test.south, [test.people.northMonitor.id])
  const notices = hear(test)
  const { status, answer } = await move(test, 'admin', west, 'northMonitor')
  const { id } = test.people.northMonitor
  expect([status, answer.data.users]).toEqual([200, [test.people.loneManager.id, id]])
  expect(await seenBy(test, 'northMonitor')).toEqual(['West'])
  expect(notices.filter((notice) => notice.kind === 'group')).toHaveLength(3)
  expect(notices).toContainEqual({
    kind: 'user',
    id,
    change: 'changed',
    groupIds: [west, test.north, test.south],
  })
  const lines = await test.ctx.db
    .selectFrom('audit')
    .select(['object_title', 'after'])
    .where('call', '=', 'groups.moveUser')
    .execute()
  expect(lines).toMatchObject([{ object_title: 'West' }])
  expect(JSON.parse(lines[0]?.after ?? '')).toMatchObject({
    userId: id,
    leftGroupIds: [test.north, test.south],
  })
})

test('T3 a manager removes nobody from a group that they do not manage', async () => {
  await using test = await openTestApp()
  const west = await addWest(test)
  await save(test, west, { manager: test.people.northManager.id })
  await addStoredMembers(test.ctx.db, test.south, [test.people.northMonitor.id])
  expect((await move(test, 'northManager', west, 'northMonitor')).status).toBe(200)
  expect(await seenBy(test, 'northMonitor')).toEqual(['South', 'West'])
})

test('T2 T3 a manager moves no users of other groups, and nobody into other groups', async () => {
  await using test = await openTestApp()
  const before = await databaseContent(test.ctx)
  const foreign = await move(test, 'northManager', test.north, 'southMonitor')
  const elsewhere = await move(test, 'northManager', test.south, 'northMonitor')
  expect([foreign.status, elsewhere.status]).toEqual([404, 404])
  expect(await databaseContent(test.ctx)).toEqual(before)
})

test('the manager of another group is not moved out of it; another manager may be', async () => {
  await using test = await openTestApp()
  const before = await databaseContent(test.ctx)
  const { status, failure } = await move(test, 'admin', test.south, 'northManager')
  expect([status, failure.error]).toEqual([
    409,
    'Test northManager is the manager of group North. Choose another manager there first.',
  ])
  expect((await move(test, 'admin', test.north, 'superadmin')).status).toBe(404)
  expect((await move(test, 'superadmin', test.north, 'admin')).status).toBe(403)
  expect(await databaseContent(test.ctx)).toEqual(before)
  // The own group's manager is in it already, and once is enough.
  expect((await move(test, 'admin', test.north, 'northManager')).status).toBe(200)
  expect(await databaseContent(test.ctx)).toEqual(before)
  await move(test, 'admin', test.north, 'loneManager')
  await move(test, 'admin', test.south, 'loneManager')
  expect(await seenBy(test, 'loneManager')).toEqual(['South'])
})

test('the manager of a group is in it already', async () => {
  await using test = await openTestApp()
  const { status, failure } = await inject(test.app, addGroupUser, test.people.admin.token, {
    params: { groupId: test.north },
    body: { userId: test.people.northManager.id },
  })
  expect([status, failure.field]).toEqual([409, 'userId'])
})

test('T20 each change of a group leaves one line with before and after', async () => {
  await using test = await openTestApp()
  const id = await addWest(test)
  await save(test, id, { title: 'Wild West' })
  await remove(test, id)
  const lines = await test.ctx.db
    .selectFrom('audit')
    .select(['call', 'object_title', 'object_id', 'before', 'after'])
    .orderBy('at')
    .execute()
  const content = { title: 'West', description: 'd', manager: test.people.loneManager.id }
  const renamed = { ...content, title: 'Wild West' }
  const parsed = lines.map(({ before, after, ...line }) => ({
    ...line,
    before: before === null ? null : (JSON.parse(before) as unknown),
    after: after === null ? null : (JSON.parse(after) as unknown),
  }))
  const of = { object_id: id }
  expect(parsed).toEqual([
    { call: 'groups.add', object_title: 'West', ...of, before: null, after: content },
    { call: 'groups.update', object_title: 'Wild West', ...of, before: content, after: renamed },
    { call: 'groups.remove', object_title: 'Wild West', ...of, before: renamed, after: null },
  ])
})
