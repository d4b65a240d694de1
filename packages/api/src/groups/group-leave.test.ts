/** Leaving a group: the assignments to its encoders end with the membership. */
import { cloneEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import {
  addGroup,
  addGroupUser,
  moveGroupUser,
  removeGroupUser,
} from '@trunkline/contract/groups/group.calls'
import { addUser, updateUser } from '@trunkline/contract/users/user.calls'
import { describe, expect, test } from 'vitest'
import type { Notice } from '../notices.ts'
import { databaseContent } from '../testing/database-content.ts'
import type { PersonName } from '../testing/people.ts'
import { addEncoderOf, editorsOf, makeSharedEditor } from '../testing/shared-person.fixture.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addStoredMembers } from '../testing/stored-site.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'

async function takeOut(site: TestSite, who: PersonName, groupId: string, userId: string) {
  return site.call(who, removeGroupUser, { params: { groupId }, body: { userId } })
}

/** Notices from here on. */
function hear(site: TestSite): Notice[] {
  const notices: Notice[] = []
  site.ctx.notices.listen((notice) => notices.push(notice))
  return notices
}

async function linesOf(site: TestSite, call: string) {
  const lines = await site.ctx.db
    .selectFrom('audit')
    .select(['actor_id', 'object_id', 'before', 'after', 'reason'])
    .where('call', '=', call)
    .orderBy('at')
    .execute()
  return lines.map(({ before, after, ...line }) => ({
    ...line,
    before: before === null ? null : (JSON.parse(before) as unknown),
    after: after === null ? null : (JSON.parse(after) as unknown),
  }))
}

async function addWest(site: TestSite): Promise<string> {
  const body = { title: 'West', description: 'd', manager: site.people.loneManager.id }
  return (await site.call('admin', addGroup, { body })).answer.data.id
}

describe.each(BOTH_DATABASES)('Leaving a group, on %s', (kind) => {
  test('a user who is removed from a group is unassigned from its encoders, and keeps those of other groups', async () => {
    const site = await openSiteOn(kind)
    const userId = await makeSharedEditor(site)
    const { southEditor, southManager } = site.people
    const own = await addEncoderOf(site, site.north, [userId])
    const left = await addEncoderOf(site, site.south, [userId, southEditor.id])
    const before = { own: await editorsOf(site, own), left: await editorsOf(site, left) }
    const notices = hear(site)
    const { status, answer } = await takeOut(site, 'southManager', site.south, userId)
    expect(status).toBe(200)
    expect(answer.data.users).not.toContain(userId)
    expect(await editorsOf(site, own)).toEqual(before.own)
    expect(await editorsOf(site, left)).toEqual({
      users: [southEditor.id],
      version: before.left.version + 1,
    })
    const groupIds = [site.south]
    expect(notices).toEqual([
      { kind: 'encoder', id: left, change: 'changed', groupIds },
      { kind: 'group', id: site.south, change: 'changed', groupIds },
      { kind: 'user', id: userId, change: 'changed', groupIds },
    ])
    expect((await linesOf(site, 'encoders.update')).at(-1)).toEqual({
      actor_id: southManager.id,
      object_id: left,
      before: { users: [userId, southEditor.id].toSorted() },
      after: { users: [southEditor.id] },
      reason: 'Test northEditor left the group',
    })
    expect(await linesOf(site, 'groups.removeUser')).toMatchObject([
      { object_id: site.south, after: { title: 'South', userId, leftGroupIds: [site.south] } },
    ])
    // Now they are North's alone.
    const renamed = await site.call('northManager', updateUser, {
      body: { _id: userId, firstName: 'Theirs' },
    })
    expect(renamed.status).toBe(200)
  })

  test('Q106 a user who is moved is unassigned from the encoders of the groups that they leave', async () => {
    const site = await openSiteOn(kind)
    const userId = await makeSharedEditor(site)
    const encoders = [site.north, site.south].map(async (groupId) =>
      addEncoderOf(site, groupId, [userId]),
    )
    const [kept = '', left = ''] = await Promise.all(encoders)
    const notices = hear(site)
    const params = { groupId: site.north }
    expect((await site.call('admin', moveGroupUser, { params, body: { userId } })).status).toBe(200)
    expect([(await editorsOf(site, kept)).users, (await editorsOf(site, left)).users]).toEqual([
      [userId],
      [],
    ])
    const expectedNotice = { kind: 'encoder', id: left, change: 'changed', groupIds: [site.south] }
    expect(notices.filter((notice) => notice.kind === 'encoder')).toEqual([expectedNotice])
  })

  test('Q50 an editor who gets another role leaves an audit line for each encoder', async () => {
    const site = await openSiteOn(kind)
    const userId = await makeSharedEditor(site)
    const id = await addEncoderOf(site, site.south, [userId])
    const { version } = await editorsOf(site, id)
    await site.call('superadmin', updateUser, { body: { _id: userId, mode: 'monitor' } })
    await site.call('admin', updateUser, { body: { _id: userId, mode: 'manager' } })
    expect(await editorsOf(site, id)).toEqual({ users: [], version: version + 1 })
    expect((await linesOf(site, 'encoders.update')).at(-1)).toMatchObject({
      object_id: id,
      after: { users: [] },
      reason: 'Test northEditor is no longer an editor',
    })
  })

  test('nobody is assigned to an encoder of a group while they leave it', async () => {
    const site = await openSiteOn(kind)
    const userId = await makeSharedEditor(site)
    const id = await addEncoderOf(site, site.south, [])
    const join = async () =>
      site.call('admin', addGroupUser, { params: { groupId: site.south }, body: { userId } })
    for (let round = 0; round < 6; round++) {
      const acts = [
        async () => takeOut(site, 'admin', site.south, userId),
        async () =>
          site.call('southManager', updateEncoder, { body: { _id: id, users: [userId] } }),
      ]
      const inOrder = round % 2 === 0 ? acts : acts.toReversed()
      const answers = await Promise.all(inOrder.map(async (act) => act()))
      const statuses = answers.map(({ status }) => status).toSorted((item, two) => item - two)
      expect([
        [200, 200],
        [200, 400],
      ]).toContainEqual(statuses)
      expect((await editorsOf(site, id)).users).toEqual([])
      expect((await join()).status).toBe(200)
    }
  })
})

test('a refused removal says why, and changes nothing', async () => {
  await using site = await openTestSite()
  const west = await addWest(site)
  const { loneManager, northManager, northMonitor, superadmin } = site.people
  await addStoredMembers(site.ctx.db, site.north, [loneManager.id])
  const before = await databaseContent(site.ctx)
  const fault = async (who: PersonName, groupId: string, userId: string) => {
    const { status, failure } = await takeOut(site, who, groupId, userId)
    return [status, failure.error]
  }
  expect(await fault('northManager', site.north, loneManager.id)).toEqual([
    403,
    'You may remove editors and monitors from a group. Choose one of them.',
  ])
  expect(await fault('superadmin', site.north, superadmin.id)).toEqual([
    403,
    'Superadmins and admins belong to no group. Choose a manager, an editor or a monitor.',
  ])
  expect(await fault('admin', site.north, northManager.id)).toEqual([
    409,
    'Test northManager is the manager of group North. Choose another manager there first.',
  ])
  expect(await fault('admin', west, northMonitor.id)).toEqual([
    409,
    'Test northMonitor is not in group West. Read the list again.',
  ])
  expect((await fault('northManager', site.south, northMonitor.id))[0]).toBe(404)
  expect(await databaseContent(site.ctx)).toEqual(before)
  expect((await takeOut(site, 'admin', site.north, loneManager.id)).status).toBe(200)
})

test('a manager acts with the groups that the database has at the time of the write', async () => {
  await using site = await openTestSite()
  const { db } = site.ctx
  const { northManager, loneManager, northEditor, northMonitor, southMonitor } = site.people
  const west = await addWest(site)
  const manage = async (managerId: string) =>
    db.updateTable('groups').set({ manager_id: managerId }).where('id', '=', west).execute()
  await addStoredMembers(db, west, [northEditor.id, southMonitor.id])
  const encoderId = await addEncoderOf(site, site.north, [])
  const person = {
    firstName: 'A',
    lastName: 'B',
    password: 'a long password',
    mode: 'editor' as const,
  }
  const params = { groupId: west }
  const acts = {
    edit: async () =>
      site.call('northManager', updateUser, { body: { _id: northEditor.id, firstName: 'Mine' } }),
    add: async () =>
      site.call('northManager', addUser, {
        body: { ...person, email: 'a@trunkline.example', groupId: west },
      }),
    join: async () =>
      site.call('northManager', addGroupUser, { params, body: { userId: northMonitor.id } }),
    leave: async () =>
      site.call('northManager', removeGroupUser, { params, body: { userId: northEditor.id } }),
    assign: async () =>
      site.call('northManager', updateEncoder, {
        body: { _id: encoderId, users: [southMonitor.id] },
      }),
  }
  await db.updateTable('users').set({ role: 'editor' }).where('id', '=', southMonitor.id).execute()
  const wanted = { edit: 403, add: 404, join: 404, leave: 404, assign: 400 }
  for (const [name, act] of Object.entries(acts)) {
    await manage(northManager.id)
    // Who acts is remembered for a second, as in a process that has not yet heard of a change.
    site.ctx.notices.tell({ kind: 'group', id: west, change: 'changed', groupIds: [] })
    await site.call('northManager', removeGroupUser, { params, body: { userId: 'nobody' } })
    await manage(loneManager.id)
    const { status } = await act()
    expect([name, status]).toEqual([name, wanted[name as keyof typeof wanted]])
  }
})

test('Q32 Q49 an admin assigns editors across groups; a clone keeps them', async () => {
  await using site = await openTestSite()
  const { id: userId } = site.people.northEditor
  const id = await addEncoderOf(site, site.south, [userId])
  expect((await editorsOf(site, id)).users).toEqual([userId])
  const { answer } = await site.call('admin', cloneEncoder, {
    params: { id },
    body: { title: 'Copy', 'card-idx': 1 },
  })
  expect((await editorsOf(site, answer.data.id)).users).toEqual([userId])
  const foreign = await addEncoderOf(site, site.south, [])
  const { status, failure } = await site.call('southManager', updateEncoder, {
    body: { _id: foreign, users: [userId] },
  })
  expect([status, failure.field]).toEqual([400, 'users'])
})
