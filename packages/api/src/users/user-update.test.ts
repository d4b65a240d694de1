import { jwtLogin, login } from '@trunkline/contract/session/session.calls'
import { ROLES, type Role } from '@trunkline/contract/roles'
import { addGroup } from '@trunkline/contract/groups/group.calls'
import { updateUser } from '@trunkline/contract/users/user.calls'
import { expect, test } from 'vitest'
import type { Notice } from '../notices.ts'
import { databaseContent } from '../testing/database-content.ts'
import { inject } from '../testing/inject.ts'
import { TEST_PASSWORD, type PersonName } from '../testing/people.ts'
import { expected, statusByPerson } from '../testing/role-walk/roles-table.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'
import { isSignedIn, refused, save, signIn, type Edit } from './user-update.fixture.ts'
import { encoderRow } from '../testing/stored-site.ts'

test('matrix V W Q27 Q28 Q30 who may edit whom', async () => {
  await using test = await openTestApp()
  const edits = async (whom: PersonName) =>
    statusByPerson(test.app, test.people, updateUser, () => ({
      body: { _id: test.people[whom].id, firstName: 'Renamed' },
    }))
  const unseenBySouth = { southManager: 404, southEditor: 404, southMonitor: 404 }
  const ofNorth = { ...unseenBySouth, loneManager: 404 }
  expect(await edits('northEditor')).toEqual(expected(200, { ...ofNorth, northMonitor: 403 }))
  expect(await edits('northMonitor')).toEqual(expected(200, { ...ofNorth, northEditor: 403 }))
  expect(await edits('northManager')).toEqual(
    expected(200, { ...ofNorth, northEditor: 403, northMonitor: 403 }),
  )
  const north = { northManager: 404, northEditor: 404, northMonitor: 404 }
  expect(await edits('admin')).toEqual(expected(200, { ...ofNorth, ...north }))
  expect(await edits('superadmin')).toEqual(expected(200, { ...ofNorth, ...north, admin: 404 }))
  expect(await edits('loneManager')).toEqual(
    expected(200, { ...ofNorth, ...north, loneManager: 200 }),
  )
})

test('API-07 USER-29 USER-34 what is sent is kept, what is absent stays', async () => {
  await using test = await openTestApp()
  const { answer } = await save(test, 'northManager', 'northEditor', {
    lastName: 'Léa "O\'Neil"',
    email: ' Lea@Trunkline.Example ',
    version: 1,
  })
  expect(answer.data).toMatchObject({
    firstName: 'Test',
    fullName: 'Test Léa "O\'Neil"',
    email: 'lea@trunkline.example',
    mode: 'editor',
    groups: [{ _id: test.north, title: 'North' }],
    version: 2,
  })
  expect(await isSignedIn(test, 'northEditor')).toBe(true)
  expect(await signIn(test, 'lea@trunkline.example', TEST_PASSWORD)).toBe(200)
})

test('a reply may be sent back as it came', async () => {
  await using test = await openTestApp()
  const { answer } = await save(test, 'admin', 'northEditor', {})
  const { status } = await inject(test.app, updateUser, test.people.admin.token, {
    body: answer.data as unknown as Edit,
  })
  expect(status).toBe(200)
})

test('API-07 API-74 asking before interruptions is off at first, kept with the user, and only their own', async () => {
  await using test = await openTestApp()
  const { token, email } = test.people.northMonitor
  const stored = async () => (await inject(test.app, jwtLogin, token, {})).answer.user
  expect(await stored()).toMatchObject({ asksBeforeInterrupting: false })
  const own = { asksBeforeInterrupting: true }
  const saved = await save(test, 'northMonitor', 'northMonitor', own)
  expect(saved.answer.data).toMatchObject({ ...own, version: 2 })
  // Whoever edits somebody else sends back what they read, and decides nothing.
  const others = { firstName: 'New', asksBeforeInterrupting: false }
  const renamed = await save(test, 'northManager', 'northMonitor', others)
  expect(renamed.answer.data).toMatchObject({ firstName: 'New', ...own })
  const session = await inject(test.app, login, '', { body: { email, password: TEST_PASSWORD } })
  expect(session.answer.user).toMatchObject(own)
})

test('design 9 language and times are kept with the person, are only their own, and null lets the browser choose', async () => {
  await using test = await openTestApp()
  const { token } = test.people.northMonitor
  const stored = async () => (await inject(test.app, jwtLogin, token, {})).answer.user
  expect(await stored()).toMatchObject({ language: null, times: null })
  const own = { language: 'fr', times: 'local' } as const
  await save(test, 'northMonitor', 'northMonitor', own)
  const others = { firstName: 'New', language: 'en', times: 'utc' } as const
  await save(test, 'northManager', 'northMonitor', others)
  expect(await stored()).toMatchObject({ firstName: 'New', ...own })
  await save(test, 'northMonitor', 'northMonitor', { language: null })
  expect(await stored()).toMatchObject({ language: null, times: 'local' })
  // Of a version that has more of them.
  await test.ctx.db.updateTable('users').set({ language: 'de', times: 'swatch' }).execute()
  expect(await stored()).toMatchObject({ language: null, times: null })
  const odd = await save(test, 'northMonitor', 'northMonitor', { language: 'de' as 'fr' })
  expect(odd.status).toBe(400)
})

test('T20 the record says what a person has chosen', async () => {
  await using test = await openTestApp()
  await save(test, 'northMonitor', 'northMonitor', { times: 'local' })
  const line = await test.ctx.db
    .selectFrom('audit')
    .select(['before', 'after'])
    .where('call', '=', 'users.update')
    .executeTakeFirstOrThrow()
  const timesOf = (text: string | null) => (JSON.parse(text ?? '{}') as { times?: unknown }).times
  expect([timesOf(line.before), timesOf(line.after)]).toEqual([null, 'local'])
})

test('USER-15 USER-35 T5 a new password signs in, the old one and old sessions do not', async () => {
  await using test = await openTestApp()
  const notices: Notice[] = []
  const passwords = { newPassword: 'quite another', newConfirmPassword: 'quite another' }
  expect(await isSignedIn(test, 'northEditor')).toBe(true)
  test.ctx.notices.listen((notice) => notices.push(notice))
  expect((await save(test, 'northManager', 'northEditor', passwords)).status).toBe(200)
  const { email, id } = test.people.northEditor
  expect(await isSignedIn(test, 'northEditor')).toBe(false)
  expect(await signIn(test, email, 'quite another')).toBe(200)
  expect(await signIn(test, email, TEST_PASSWORD)).toBe(401)
  expect(notices).toContainEqual({ kind: 'gone', userId: id })
})

test('USER-16 an empty new password is ignored, and the rest is saved', async () => {
  await using test = await openTestApp()
  const empty = { firstName: 'Renamed', newPassword: '', newConfirmPassword: '' }
  const { status, answer } = await save(test, 'northManager', 'northEditor', empty)
  expect([status, answer.data.firstName]).toEqual([200, 'Renamed'])
  expect(await isSignedIn(test, 'northEditor'), 'no session is ended').toBe(true)
  expect(await signIn(test, test.people.northEditor.email, TEST_PASSWORD)).toBe(200)
  expect((await save(test, 'northManager', 'northEditor', { newPassword: '' })).status).toBe(200)
  for (const half of [
    { newPassword: 'one half only' },
    { newPassword: '', newConfirmPassword: 'half' },
  ]) {
    const refused = await save(test, 'northManager', 'northEditor', half)
    expect([refused.status, refused.failure.field]).toEqual([400, 'newConfirmPassword'])
  }
})

test('Y nobody changes their own role; the current role is not a change', async () => {
  await using test = await openTestApp()
  for (const who of [
    'superadmin',
    'admin',
    'northManager',
    'northEditor',
    'northMonitor',
  ] as const) {
    const own = test.people[who].role
    for (const mode of ROLES) {
      const { status } = await save(test, who, who, { mode })
      expect([who, mode, status]).toEqual([who, mode, mode === own ? 200 : 403])
    }
  }
})

/** As if they had always had this role, in group North. */
async function recast(test: TestApp, who: PersonName, role: Role): Promise<void> {
  const { id } = test.people[who]
  await test.ctx.db.updateTable('users').set({ role }).where('id', '=', id).execute()
  await test.ctx.db
    .insertInto('group_users')
    .values({ group_id: test.north, user_id: id })
    .onConflict((known) => known.doNothing())
    .execute()
}

test('T1 ROLE-08 X every role by every role on every role, cell by cell', async () => {
  await using test = await openTestApp()
  const grantable: Record<Role, readonly Role[]> = {
    superadmin: ROLES,
    admin: ['admin', 'manager'],
    manager: ['editor', 'monitor'],
    editor: [],
    monitor: [],
  }
  for (const present of ROLES) {
    for (const who of ['superadmin', 'admin', 'northManager', 'northEditor'] as const) {
      const by = test.people[who].role
      const isBelow = by !== 'manager' || present === 'editor' || present === 'monitor'
      for (const mode of ROLES) {
        await recast(test, 'northMonitor', present)
        const { status } = await save(test, who, 'northMonitor', { mode })
        const isGiven = mode === present || grantable[by].includes(mode)
        const may = by !== 'editor' && isBelow && isGiven
        const isUnseen = by === 'admin' && present === 'superadmin'
        const want = isUnseen ? 404 : may ? 200 : 403
        expect([by, present, mode, status]).toEqual([by, present, mode, want])
      }
    }
  }
})

test('X a role that one may not give is refused in words, as in add', async () => {
  await using test = await openTestApp()
  expect(
    await refused(test, async () => save(test, 'northManager', 'northEditor', { mode: 'admin' })),
  ).toEqual([403, 'You may not give the role admin. You may give: editor, monitor.'])
  expect(
    await refused(test, async () => save(test, 'admin', 'admin', { mode: 'manager' })),
  ).toEqual([403, 'You may not change your own role. Ask another admin or manager.'])
  const lines = await test.ctx.db
    .selectFrom('audit')
    .select(['call', 'result', 'actor_id'])
    .orderBy('at')
    .execute()
  expect(lines).toEqual([
    { call: 'users.update', result: 'refused', actor_id: test.people.northManager.id },
    { call: 'users.update', result: 'refused', actor_id: test.people.admin.id },
  ])
})

test('a new role ends the sessions, and an admin-level one the memberships', async () => {
  await using test = await openTestApp()
  expect(await isSignedIn(test, 'northMonitor')).toBe(true)
  const { answer } = await save(test, 'superadmin', 'northMonitor', { mode: 'admin' })
  expect(answer.data).toMatchObject({ mode: 'admin', groups: [], version: 2 })
  expect(await isSignedIn(test, 'northMonitor')).toBe(false)
  const members = await test.ctx.db.selectFrom('group_users').select('user_id').execute()
  expect(members.map((row) => row.user_id)).not.toContain(test.people.northMonitor.id)
  const kept = await save(test, 'superadmin', 'southMonitor', { mode: 'editor' })
  expect(kept.answer.data.groups).toEqual([{ _id: test.south, title: 'South' }])
})

test('Q50 the manager of a group keeps the role until somebody else manages it', async () => {
  await using test = await openTestApp()
  const demote = async () => save(test, 'superadmin', 'northManager', { mode: 'editor' })
  expect(await refused(test, demote)).toEqual([
    409,
    'Test northManager is the manager of group North. Choose another manager there first.',
  ])
  const body = { title: 'West', description: 'd', manager: test.people.northManager.id }
  await inject(test.app, addGroup, test.people.admin.token, { body })
  expect((await refused(test, demote))[1]).toBe(
    'Test northManager is the manager of the groups North, West. Choose another manager there first.',
  )
})

test('matrix Z USER-25 admin-level give a manager one group instead of the present ones', async () => {
  await using test = await openTestApp()
  const titles = (answer: { data: { groups: { title: string }[] } }) =>
    answer.data.groups.map((group) => group.title)
  const first = await save(test, 'admin', 'loneManager', { groupId: test.north })
  expect(titles(first.answer)).toEqual(['North'])
  const second = await save(test, 'superadmin', 'loneManager', { groupId: test.south })
  expect(titles(second.answer)).toEqual(['South'])
  // A post is not left by it, nor doubled.
  const third = await save(test, 'admin', 'southManager', { groupId: test.north })
  expect(titles(third.answer)).toEqual(['North', 'South'])
  const fourth = await save(test, 'admin', 'southManager', { groupId: test.south })
  expect(titles(fourth.answer)).toEqual(['South'])
  const promoted = await save(test, 'admin', 'southEditor', {
    mode: 'manager',
    groupId: test.north,
  })
  expect([promoted.answer.data.mode, titles(promoted.answer)]).toEqual(['manager', ['North']])
})

test('Z a manager, an editor and oneself cannot choose a group, and an admin only for a manager', async () => {
  await using test = await openTestApp()
  const choose = async (who: PersonName, whom: PersonName, groupId: string) =>
    refused(test, async () => save(test, who, whom, { groupId }))
  const below = [403, 'You may not choose this user’s group. Ask an admin.']
  expect(await choose('northManager', 'northEditor', test.north)).toEqual(below)
  expect(await choose('northManager', 'northManager', test.south)).toEqual(below)
  expect(await choose('northEditor', 'northEditor', test.south)).toEqual(below)
  expect(await choose('admin', 'admin', test.north)).toEqual(below)
  expect(await choose('admin', 'northEditor', test.south)).toEqual([
    400,
    'groupId must be left out: it is for managers. Use Add To Group for editors and monitors.',
  ])
  expect((await choose('admin', 'loneManager', 'nowhere'))[0]).toBe(404)
})

test('USER-33 Q113 an e-mail of another is refused, whatever its case', async () => {
  await using test = await openTestApp()
  const { northEditor } = test.people
  const email = northEditor.email.toUpperCase()
  expect(await refused(test, async () => save(test, 'admin', 'southEditor', { email }))).toEqual([
    409,
    'This e-mail address is in use by another user. Use another address.',
  ])
  expect((await save(test, 'admin', 'northEditor', { email })).status).toBe(200)
})

test('F13 an old version is refused with the user as it is now and what differs', async () => {
  await using test = await openTestApp()
  await save(test, 'admin', 'northEditor', { firstName: 'First' })
  const before = await databaseContent(test.ctx)
  const { status, failure } = await save(test, 'northManager', 'northEditor', {
    firstName: 'Second',
    lastName: 'northEditor',
    version: 1,
  })
  expect([status, failure.code, failure.changed]).toEqual([409, 'conflict', ['firstName']])
  expect(failure.current).toMatchObject({ firstName: 'First', version: 2 })
  expect(await databaseContent(test.ctx)).toEqual(before)
})

test('an editor who becomes something else operates no encoder any more', async () => {
  await using test = await openTestApp()
  const { northEditor } = test.people
  await assignEncoder(test, northEditor.id)
  const notices: Notice[] = []
  test.ctx.notices.listen((notice) => notices.push(notice))
  const assigned = async () =>
    (await test.ctx.db.selectFrom('encoder_users').selectAll().execute()).length
  await save(test, 'northManager', 'northEditor', { firstName: 'Still', mode: 'editor' })
  expect([await assigned(), notices.filter((notice) => notice.kind === 'encoder')]).toEqual([1, []])
  await save(test, 'northManager', 'northEditor', { mode: 'monitor' })
  expect(await assigned()).toBe(0)
  expect(notices).toContainEqual({
    kind: 'encoder',
    id: 'e1',
    change: 'changed',
    groupIds: [test.north],
  })
})

async function assignEncoder(test: TestApp, userId: string): Promise<void> {
  await test.ctx.db.insertInto('encoders').values(encoderRow('e1', test.north)).execute()
  await test.ctx.db
    .insertInto('encoder_users')
    .values({ encoder_id: 'e1', user_id: userId })
    .execute()
}

test('T20 a save leaves one line with before and after, and tells whose sight changes', async () => {
  await using test = await openTestApp()
  const { admin, loneManager } = test.people
  await save(test, 'admin', 'loneManager', { groupId: test.north })
  const notices: Notice[] = []
  test.ctx.notices.listen((notice) => notices.push(notice))
  await save(test, 'admin', 'loneManager', {
    groupId: test.south,
    newPassword: 'a secret of theirs',
    newConfirmPassword: 'a secret of theirs',
  })
  const groupIds = [test.north, test.south]
  expect(notices).toEqual([
    { kind: 'user', id: loneManager.id, change: 'changed', groupIds },
    ...groupIds.map((id) => ({ kind: 'group', id, change: 'changed', groupIds: [id] })),
    { kind: 'gone', userId: loneManager.id },
  ])
  const lines = await test.ctx.db.selectFrom('audit').selectAll().orderBy('at').execute()
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatchObject({
    actor_id: admin.id,
    call: 'users.update',
    object_kind: 'user',
    object_id: loneManager.id,
    object_title: 'Test loneManager',
    result: 'done',
    reason: 'with a new password',
  })
  const [before, after] = [lines[1]?.before, lines[1]?.after].map(
    (text) => JSON.parse(text ?? '') as { groupIds: string[] },
  )
  expect([before?.groupIds, after?.groupIds]).toEqual([[test.north], [test.south]])
  expect(JSON.stringify(lines)).not.toMatch(/a secret of theirs|argon2/)
})
