import { ROLES, type Role } from '@trunkline/contract/roles'
import { jwtLogin, login } from '@trunkline/contract/session/session.calls'
import { addUser } from '@trunkline/contract/users/user.calls'
import { expect, test } from 'vitest'
import type { Notice } from '../notices.ts'
import { databaseContent } from '../testing/database-content.ts'
import { inject } from '../testing/inject.ts'
import { expected, NOT_EDITORS, statusByPerson } from '../testing/role-walk/roles-table.ts'
import { openTestApp } from '../testing/test-app.ts'
import { addByCommand, addFirstAdmin, endSessions } from './user.service.ts'

let count = 0

function draft(mode: Role, more: { groupId?: string } = {}) {
  count += 1
  return {
    firstName: 'New',
    lastName: `Person ${count}`,
    email: `new${count}@trunkline.example`,
    password: 'a long password',
    mode,
    ...more,
  }
}

/** Who may give which role (Q22, Q24; matrix row T). */
const GRANTS: Record<Role, readonly Role[]> = {
  superadmin: ROLES,
  admin: ['admin', 'manager'],
  manager: ['editor', 'monitor'],
  editor: [],
  monitor: [],
}

test('T1 ROLE-08 each role gives only the roles it may, cell by cell', async () => {
  await using test = await openTestApp()
  const { superadmin, admin, northManager, northEditor, northMonitor } = test.people
  for (const person of [superadmin, admin, northManager, northEditor, northMonitor]) {
    for (const mode of ROLES) {
      const { status } = await inject(test.app, addUser, person.token, {
        body: draft(mode),
      })
      const may = GRANTS[person.role].includes(mode)
      expect([person.role, mode, status]).toEqual([person.role, mode, may ? 201 : 403])
    }
  }
  const refusedLines = await test.ctx.db
    .selectFrom('audit')
    .select('result')
    .where('result', '=', 'refused')
    .execute()
  expect(refusedLines).toHaveLength(16)
})

test('API-06 matrix T: who may add an editor to North', async () => {
  await using test = await openTestApp()
  const statuses = await statusByPerson(test.app, test.people, addUser, () => ({
    body: draft('editor', { groupId: test.north }),
  }))
  expect(statuses).toEqual(
    expected(201, { ...NOT_EDITORS, admin: 403, southManager: 404, loneManager: 404 }),
  )
})

test('USER-34 API-74 the answer is the new user, who can sign in', async () => {
  await using test = await openTestApp()
  const body = { ...draft('manager'), email: ' New.Person@Trunkline.Example ' }
  const { status, answer } = await inject(test.app, addUser, test.people.admin.token, { body })
  expect(status).toBe(201)
  expect(answer).toEqual({
    status: true,
    id: answer.id,
    _id: answer.id,
    data: {
      _id: answer.id,
      id: answer.id,
      firstName: 'New',
      lastName: body.lastName,
      fullName: `New ${body.lastName}`,
      email: 'new.person@trunkline.example',
      mode: 'manager',
      modeInfo: { _id: 'manager', name: 'manager' },
      groups: [],
      hasGroupBeyond: false,
      asksBeforeInterrupting: false,
      language: null,
      times: null,
      isFromProvider: false,
      version: 1,
    },
  })
  expect(answer.id).toMatch(/^[a-z0-9]{16}$/)
  const { email, password } = body
  const session = await inject(test.app, login, '', { body: { email, password } })
  expect(session.answer.user.id).toBe(answer.id)
})

test('Q107 a manager’s new user joins the named group, or the manager’s first one', async () => {
  await using test = await openTestApp()
  const { northManager } = test.people
  const first = await inject(test.app, addUser, northManager.token, { body: draft('editor') })
  const named = await inject(test.app, addUser, northManager.token, {
    body: draft('monitor', { groupId: test.north }),
  })
  const groups = [{ _id: test.north, title: 'North' }]
  expect([first.answer.data.groups, named.answer.data.groups]).toEqual([groups, groups])
})

test('Q36 a manager without a group sees what to do', async () => {
  await using test = await openTestApp()
  const { status, failure } = await inject(test.app, addUser, test.people.loneManager.token, {
    body: draft('editor'),
  })
  expect([status, failure.error]).toEqual([
    400,
    'You have no group to add people to. Ask an admin to make you the manager of one.',
  ])
})

test('T2 a group of others and a group that is not there are answered alike', async () => {
  await using test = await openTestApp()
  const answers = await Promise.all(
    [test.south, 'groupnowhere'].map(async (groupId) =>
      inject(test.app, addUser, test.people.northManager.token, {
        body: draft('editor', { groupId }),
      }),
    ),
  )
  expect(answers.map((answer) => answer.status)).toEqual([404, 404])
  expect(answers[0]?.text).toBe(answers[1]?.text)
})

test('an admin-level user belongs to no group, and an unknown group is not found', async () => {
  await using test = await openTestApp()
  const { token } = test.people.superadmin
  const before = await databaseContent(test.ctx)
  const admin = await inject(test.app, addUser, token, {
    body: draft('admin', { groupId: test.north }),
  })
  expect([admin.status, admin.failure.field]).toEqual([400, 'groupId'])
  const lost = await inject(test.app, addUser, token, {
    body: draft('editor', { groupId: 'groupnowhere' }),
  })
  expect(lost.status).toBe(404)
  expect(await databaseContent(test.ctx)).toEqual(before)
})

test('USER-33 of two users with the same e-mail at the same time one is created, one is refused', async () => {
  await using test = await openTestApp()
  const lowerCase = { ...draft('manager'), email: 'twin@trunkline.example' }
  const upperCase = { ...draft('manager'), email: 'TWIN@trunkline.example' }
  const answers = await Promise.all(
    [lowerCase, upperCase].map(async (body) =>
      inject(test.app, addUser, test.people.admin.token, { body }),
    ),
  )
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([201, 409])
  const refused = answers.find((answer) => answer.status === 409)
  expect(refused?.failure).toMatchObject({
    code: 'conflict',
    field: 'email',
    error: 'This e-mail address is in use by another user. Use another address.',
  })
})

test('T20 adding leaves one line of audit without the password, and two notices', async () => {
  await using test = await openTestApp()
  const notices: Notice[] = []
  test.ctx.notices.listen((notice) => notices.push(notice))
  const { northManager } = test.people
  const { answer } = await inject(test.app, addUser, northManager.token, { body: draft('editor') })
  const lines = await test.ctx.db.selectFrom('audit').selectAll().execute()
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    actor_id: northManager.id,
    call: 'users.add',
    object_kind: 'user',
    object_id: answer.id,
    result: 'done',
  })
  expect(JSON.stringify(lines)).not.toMatch(/a long password|argon2/)
  expect(notices).toEqual([
    { kind: 'user', id: answer.id, change: 'added', groupIds: [test.north] },
    { kind: 'group', id: test.north, change: 'changed', groupIds: [test.north] },
  ])
})

test('Q47 the first superadmin comes from the settings, once, and only into an empty database', async () => {
  const settings = { firstAdmin: { email: 'root@trunkline.example', password: 'a first long one' } }
  await using peopled = await openTestApp(settings)
  await addFirstAdmin(peopled.ctx)
  const body = { email: 'root@trunkline.example', password: 'a first long one' }
  expect((await inject(peopled.app, login, '', { body })).status).toBe(401)
  for (const table of ['group_users', 'groups', 'users'] as const) {
    await peopled.ctx.db.deleteFrom(table).execute()
  }
  await addFirstAdmin(peopled.ctx)
  await addFirstAdmin(peopled.ctx)
  const session = await inject(peopled.app, login, '', { body })
  expect(session.answer.user.mode.name).toBe('superadmin')
})

test('without settings for it an empty database is said to let nobody in', async () => {
  await using test = await openTestApp()
  for (const table of ['group_users', 'groups', 'users'] as const) {
    await test.ctx.db.deleteFrom(table).execute()
  }
  await addFirstAdmin(test.ctx)
  expect(test.logged.map((line) => line['msg'])).toContainEqual(
    expect.stringMatching(/^Nobody can sign in yet.*Set TRUNKLINE_ADMIN_EMAIL/),
  )
})

test('Q47 the machine’s owner adds a user of any role, who can sign in', async () => {
  await using test = await openTestApp()
  const person = draft('superadmin')
  const id = await addByCommand(test.ctx, person)
  const { email, password } = person
  const session = await inject(test.app, login, '', { body: { email, password } })
  expect(session.answer.user).toMatchObject({ id, mode: { name: 'superadmin' } })
  await expect(addByCommand(test.ctx, person)).rejects.toMatchObject({
    code: 'conflict',
    field: 'email',
  })
  const lines = await test.ctx.db
    .selectFrom('audit')
    .select(['actor_id', 'object_id', 'object_title'])
    .where('call', '=', 'users.add')
    .execute()
  expect(lines).toEqual([{ actor_id: null, object_id: id, object_title: `New ${person.lastName}` }])
})

test('T5 ended sessions are refused at once, and live streams are notified', async () => {
  await using test = await openTestApp()
  const { northEditor, northMonitor } = test.people
  const notices: Notice[] = []
  test.ctx.notices.listen((notice) => notices.push(notice))
  const check = async (token: string) => (await inject(test.app, jwtLogin, token, {})).status
  expect(await check(northEditor.token)).toBe(200)
  await endSessions(test.ctx, null, northEditor.id, '192.0.2.1')
  expect([await check(northEditor.token), await check(northMonitor.token)]).toEqual([401, 200])
  expect(notices).toEqual([{ kind: 'gone', userId: northEditor.id }])
  await expect(endSessions(test.ctx, null, 'nobody', '')).rejects.toMatchObject({
    code: 'not_found',
  })
  const lines = await test.ctx.db
    .selectFrom('audit')
    .select(['call', 'object_id', 'ip'])
    .where('call', '=', 'session.signOutEverywhere')
    .execute()
  expect(lines).toEqual([
    { call: 'session.signOutEverywhere', object_id: northEditor.id, ip: '192.0.2.1' },
  ])
})
