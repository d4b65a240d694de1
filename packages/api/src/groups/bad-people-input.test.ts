/** Bad input to the calls of users and groups: the right status, the field, and nothing changed. */
import {
  addGroup,
  moveGroupUser,
  removeGroupUser,
  updateGroup,
} from '@trunkline/contract/groups/group.calls'
import type { Route } from '@trunkline/contract/route'
import { addUser, updateUser } from '@trunkline/contract/users/user.calls'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { databaseContent } from '../testing/database-content.ts'
import { urlOf } from '../testing/inject.ts'
import type { PersonName } from '../testing/people.ts'
import { type TestApp, openTestApp } from '../testing/test-app.ts'
import { DATABASES, openTwoProcesses } from '../testing/two-processes.ts'

const LONG = 'x'.repeat(3000)
const SCRIPT = '<script>alert(1)</script>'
const user = {
  firstName: 'A',
  lastName: 'B',
  email: 'a@b.cc',
  password: 'a long password',
  mode: 'editor',
}
const editor = { _id: 'usernortheditor' }
const password = { newPassword: 'a long password', newConfirmPassword: 'a long password' }
const group = { title: 'West', description: 'd', manager: 'userlonemanager' }

/** What is sent in place of a right value, and is right nowhere. */
const WRONG_TYPES = [5, true, null, {}, [], ['x']]

interface Case {
  who: PersonName
  call: Route
  params?: Record<string, string>
  body: Record<string, unknown>
  status: number
  /** '' when no field is at fault. */
  field: string
}

function cases(
  call: Route,
  right: Record<string, unknown>,
  wrong: Record<string, readonly unknown[]>,
  params: Record<string, string> = {},
): Case[] {
  return Object.entries(wrong).flatMap(([field, values]) =>
    values.map((value) => {
      const body = { ...right, [field]: value }
      return { who: 'superadmin' as const, call, params, body, status: 400, field }
    }),
  )
}

const NAMES = ['', '  ', LONG, 'a\nb', 'a\r\nb', 'a\tb', 'a\0b', ...WRONG_TYPES]
const EMAILS = [
  '',
  'ann',
  'a@b',
  'a b@c.dd',
  'a@b.cc\nBcc: x@y.zz',
  `${LONG}@b.cc`,
  SCRIPT,
  ...WRONG_TYPES,
]
const MODES = ['', 'root', 'Admin', 'superadmin ', SCRIPT, ...WRONG_TYPES]
const IDS = ['', 'x'.repeat(65), ...WRONG_TYPES]
const TITLES = ['', ' ', 'x'.repeat(121), 'a\nb', 'a\u2028b', ...WRONG_TYPES]
/** None, as a group without a manager is read, changes nothing. */
const MANAGERS = IDS.filter((id) => id !== null)
const DESCRIPTIONS = [' \n ', LONG, ...WRONG_TYPES]
const VERSIONS = [0, -1, 1.5, 'one', 2 ** 31, null, {}, []]

const OF_SHAPE: Case[] = [
  ...cases(addUser, user, {
    firstName: NAMES,
    lastName: NAMES,
    email: EMAILS,
    password: ['', LONG, ...WRONG_TYPES],
    mode: MODES,
    groupId: IDS,
    token_version: [5],
  }),
  ...cases(updateUser, editor, {
    _id: IDS,
    firstName: NAMES,
    lastName: NAMES,
    email: EMAILS,
    mode: MODES,
    groupId: IDS,
    version: VERSIONS,
    passwordHash: ['x'],
    newConfirmPassword: ['without a new one', ' '],
  }),
  ...cases(
    updateUser,
    { ...editor, ...password },
    {
      newPassword: [LONG, ...WRONG_TYPES],
      newConfirmPassword: ['another', '', ...WRONG_TYPES],
      currentPassword: [LONG, ...WRONG_TYPES],
    },
  ),
  ...cases(addGroup, group, {
    title: TITLES,
    description: ['', ...DESCRIPTIONS],
    manager: IDS,
    users: [[]],
  }),
  ...cases(
    updateGroup,
    {},
    {
      title: TITLES,
      description: DESCRIPTIONS,
      manager: MANAGERS,
      version: VERSIONS,
      managerId: ['x'],
    },
    { id: 'groupnorth' },
  ),
  ...cases(
    moveGroupUser,
    editorMoved(),
    { userId: IDS, groupId: ['groupsouth'] },
    { groupId: 'groupnorth' },
  ),
  ...cases(
    removeGroupUser,
    editorMoved(),
    { userId: IDS, groupId: ['groupsouth'] },
    { groupId: 'groupnorth' },
  ),
]

/** Well formed, and yet not this person's to send. */
const OF_RIGHT: Case[] = [
  by('northManager', addUser, { ...user, mode: 'superadmin' }, 403),
  by('northManager', addUser, { ...user, groupId: 'groupsouth' }, 404),
  by('admin', addUser, { ...user, mode: 'manager', groupId: 'nowhere' }, 404),
  by('admin', updateUser, { _id: 'usersuperadmin', firstName: 'x' }, 404),
  by('northManager', updateUser, { _id: 'usersoutheditor', firstName: 'x' }, 404),
  by('northManager', updateUser, { ...editor, mode: 'manager' }, 403),
  by('northEditor', updateUser, { ...editor, mode: 'manager' }, 403),
  by('northEditor', updateUser, { _id: 'usernorthmonitor', ...password }, 403),
  by('admin', updateUser, { ...editor, version: 7 }, 409),
  by('admin', updateUser, { ...editor, email: 'admin@trunkline.example' }, 409, 'email'),
  by('admin', updateUser, { _id: 'usernorthmanager', mode: 'admin' }, 409),
  by('admin', updateUser, { _id: 'userlonemanager', groupId: 'nowhere' }, 404),
  by('admin', addGroup, { ...group, title: 'nORTH' }, 409, 'title'),
  by('admin', addGroup, { ...group, manager: 'usernortheditor' }, 422, 'manager'),
  by('admin', moveGroupUser, { userId: 'nobody' }, 404, '', { groupId: 'groupnorth' }),
  by('admin', moveGroupUser, editorMoved(), 404, '', { groupId: 'nowhere' }),
  by('northManager', moveGroupUser, editorMoved(), 404, '', { groupId: 'groupsouth' }),
  by('admin', updateGroup, { version: 7, title: 'x' }, 409, '', { id: 'groupnorth' }),
  by('admin', updateGroup, { manager: 'nobody' }, 422, 'manager', { id: 'groupnorth' }),
  by('northManager', updateGroup, { title: 'x' }, 403, '', { id: 'groupnorth' }),
]

function by(
  who: PersonName,
  call: Route,
  body: Record<string, unknown>,
  status: number,
  field: string = '',
  params: Record<string, string> = {},
): Case {
  return { who, call, params, body, status, field }
}

function editorMoved() {
  return { userId: 'usernortheditor' }
}

async function send(test: TestApp, { who, call, params, body }: Omit<Case, 'status' | 'field'>) {
  const response = await test.app.inject({
    method: call.method,
    url: urlOf(call, params),
    headers: {
      authorization: `Bearer ${test.people[who].token}`,
      'content-type': 'application/json',
    },
    payload: JSON.stringify(body),
  })
  return { status: response.statusCode, answer: response.json<Record<string, unknown>>() }
}

test.each([
  ['of a wrong shape', OF_SHAPE],
  ['of a right shape', OF_RIGHT],
])('input %s that cannot be taken changes nothing and names its field', async (_, table) => {
  await using test = await openTestApp()
  const before = await databaseContent(test.ctx)
  for (const item of table) {
    const sent = `${item.who} ${item.call.name} ${JSON.stringify(item.body).slice(0, 200)}`
    const { status, answer } = await send(test, item)
    expect([sent, status, answer['field'] ?? '']).toEqual([sent, item.status, item.field])
    expect([sent, answer['status'], answer['msg']]).toEqual([sent, false, answer['error']])
  }
  expect(await databaseContent(test.ctx)).toEqual(before)
})

test('USER-15 of two different passwords the given sentence is said', async () => {
  await using test = await openTestApp()
  const body = { ...editor, newPassword: 'one long enough', newConfirmPassword: 'another one' }
  const { status, answer } = await send(test, { who: 'admin', call: updateUser, body })
  expect([status, answer['error']]).toEqual([400, 'New password and confirm password not match!'])
})

test('script text and quotes are ordinary text in every field of text', async () => {
  await using test = await openTestApp()
  const odd = `${SCRIPT} "' or 1=1 -- %s \\ 日本`
  const names = { firstName: odd, lastName: odd }
  const saved = await send(test, { who: 'admin', call: updateUser, body: { ...editor, ...names } })
  expect([saved.status, saved.answer['data']]).toMatchObject([200, names])
  const texts = { title: odd, description: `${odd}\nsecond line` }
  const params = { id: 'groupnorth' }
  const titled = await send(test, { who: 'admin', call: updateGroup, params, body: texts })
  expect([titled.status, titled.answer['data']]).toMatchObject([200, texts])
})

/** Right fields with any values, right or wrong. */
function anyOf(example: Record<string, unknown>) {
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.constantFrom('groupnorth', 'usernorthmonitor', 'superadmin', 'a@b.cc', 1, 2),
  )
  const near = Object.entries(example).map(
    ([name, value]) => [name, fc.oneof(fc.constant(value), values)] as const,
  )
  return fc.record(Object.fromEntries(near), { requiredKeys: [] })
}

test.each(DATABASES)('no body makes these calls fail, on %s', async (kind) => {
  await using test = await openTwoProcesses(kind)
  const edit = { ...user, ...editor, ...password, groupId: 'groupnorth', version: 1 }
  const { password: _, ...userEdit } = edit
  const calls = [
    [updateUser, userEdit],
    [updateGroup, { ...group, version: 1 }],
    [moveGroupUser, editorMoved()],
    [removeGroupUser, editorMoved()],
  ] as const
  for (const [call, example] of calls) {
    const params = { id: 'groupnorth', groupId: 'groupnorth' }
    const property = fc.asyncProperty(anyOf(example), async (body) => {
      const { status, answer } = await send(test, { who: 'superadmin', call, params, body })
      expect(status).toBeLessThan(500)
      expect(answer['status']).toBe(status < 300)
    })
    await fc.assert(property, { numRuns: 50 })
  }
})
