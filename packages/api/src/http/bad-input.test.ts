import type { Route } from '@trunkline/contract/route'
import { addGroup, addGroupUser } from '@trunkline/contract/groups/group.calls'
import { addServer, findServer, listServers } from '@trunkline/contract/servers/server.calls'
import { jwtLogin, login } from '@trunkline/contract/session/session.calls'
import { addUser } from '@trunkline/contract/users/user.calls'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createPostgresDatabase } from '../testing/databases.ts'
import { databaseContent } from '../testing/database-content.ts'
import { inject, urlOf } from '../testing/inject.ts'
import { openTestApp } from '../testing/test-app.ts'

const user = {
  firstName: 'Ann',
  lastName: 'Lee',
  email: 'ann@trunkline.example',
  password: 'a long password',
  mode: 'manager',
}
const server = {
  title: 'Gateway',
  host: 'gw.example.org',
  port: 8000,
  serverType: 'acants',
  apiKey: 'a-key-of-ours',
  groupIds: ['groupnorth'],
  adapterIps: [{ adapterName: 'eth0', adapterIp: '192.0.2.1' }],
}
const group = { title: 'West', description: 'd', manager: 'userlonemanager' }
const LONG = 'x'.repeat(10_000)

interface Row {
  call: Route
  params?: Record<string, string>
  body: unknown
  status: number
  field: string
  sentence: string
}

/** Each row: what is sent, and the field and sentence that it is answered with. */
const ROWS: Record<string, Row> = {
  'a number for text': row(
    addUser,
    { ...user, firstName: 5 },
    'firstName',
    'firstName must be text, not a number.',
  ),
  'an object for text': row(
    addUser,
    { ...user, lastName: {} },
    'lastName',
    'lastName must be text, not an object with fields.',
  ),
  'a missing field': row(
    addUser,
    { ...user, email: undefined },
    'email',
    'email is missing. Add it.',
  ),
  'an unknown field': row(
    addUser,
    { ...user, isAdmin: true },
    'isAdmin',
    "There is no field 'isAdmin' here. Remove it.",
  ),
  'a role that is none': row(
    addUser,
    { ...user, mode: 'root' },
    'mode',
    'mode must be superadmin, admin, manager, editor or monitor.',
  ),
  'an e-mail that is none': row(
    addUser,
    { ...user, email: 'ann' },
    'email',
    'Please enter a valid email',
  ),
  'an empty password': row(
    addUser,
    { ...user, password: '' },
    'password',
    'password must be at least 12 characters long.',
  ),
  'a common password': row(
    addUser,
    { ...user, password: 'Qwerty123456' },
    'password',
    'password is a common password. Choose another.',
  ),
  'a password that is the e-mail': row(
    addUser,
    { ...user, password: user.email },
    'password',
    'password must not consist mainly of the name or e-mail address.',
  ),
  'an endless password': row(
    addUser,
    { ...user, password: LONG },
    'password',
    'password must be at most 1024 characters long. Shorten it.',
  ),
  'an endless name': row(
    addUser,
    { ...user, firstName: LONG },
    'firstName',
    'firstName must be at most 80 characters long. Shorten it.',
  ),
  'a name of two lines': row(
    addUser,
    { ...user, lastName: 'a\r\nb' },
    'lastName',
    'lastName must be one line. Remove line breaks and tabs.',
  ),
  'an endless title': row(
    addGroup,
    { ...group, title: LONG },
    'title',
    'title must be at most 120 characters long. Shorten it.',
  ),
  'an empty title': row(
    addGroup,
    { ...group, title: ' ' },
    'title',
    'title must not be empty. Type at least one character.',
  ),
  'an unknown manager': {
    ...row(
      addGroup,
      { ...group, manager: 'nobody' },
      'manager',
      'manager must be a user whose role is manager. Choose one from the list.',
    ),
    status: 422,
  },
  'port 0': row(
    addServer,
    { ...server, port: 0 },
    'port',
    'port must be a port between 1 and 65535.',
  ),
  'port 70000': row(
    addServer,
    { ...server, port: 70_000 },
    'port',
    'port must be a port between 1 and 65535.',
  ),
  'port of letters': row(
    addServer,
    { ...server, port: 'http' },
    'port',
    'port must be a port between 1 and 65535.',
  ),
  'a host with a command': row(
    addServer,
    { ...server, host: 'a;reboot' },
    'host',
    'host must be a host name, an IPv4 address, or http(s):// and one of these.',
  ),
  'a host with an account': row(
    addServer,
    { ...server, host: 'http://me@gw' },
    'host',
    'host must be a host name, an IPv4 address, or http(s):// and one of these.',
  ),
  'an adapter of letters': row(
    addServer,
    { ...server, adapterIps: [{ adapterName: 'a', adapterIp: 'x' }] },
    'adapterIps.0.adapterIp',
    'adapterIps.0.adapterIp must be an IPv4 address such as 192.0.2.10.',
  ),
  'no adapter': row(
    addServer,
    { ...server, adapterIps: [] },
    'adapterIps',
    'Please input adapter ips',
  ),
  'no group': row(addServer, { ...server, groupIds: [] }, 'groupIds', 'Select group'),
  'a key with a line break': row(
    addServer,
    { ...server, apiKey: 'abcdefgh\nX-Evil: 1' },
    'apiKey',
    'apiKey must be 8 to 256 characters from A-Z a-z 0-9 + / = . _ ~ and -.',
  ),
  'a NUL': row(
    addGroup,
    { ...group, description: 'a\0b' },
    'description',
    'description must not hold the character NUL. Remove it.',
  ),
  'a list for a body': row(
    addServer,
    [server],
    '',
    'The body must be an object with fields, not a list.',
  ),
  'text for a body': row(addGroup, 'x', '', 'The body must be an object with fields, not text.'),
  'an endless id': {
    ...row(
      addGroupUser,
      { userId: LONG },
      'userId',
      'userId must be at most 64 characters long. Shorten it.',
    ),
    params: { groupId: 'groupnorth' },
  },
}

function row(call: Route, body: unknown, field: string, sentence: string): Row {
  return { call, body, status: 400, field, sentence }
}

test('bad input is answered by a sentence that names field and fix, and changes nothing', async () => {
  await using test = await openTestApp()
  const before = await databaseContent(test.ctx)
  for (const [name, { call, params, body, status, field, sentence }] of Object.entries(ROWS)) {
    const response = await test.app.inject({
      method: call.method,
      url: urlOf(call, params),
      headers: {
        authorization: `Bearer ${test.people.superadmin.token}`,
        'content-type': 'application/json',
      },
      payload: JSON.stringify(body),
    })
    const answer = response.json<Record<string, unknown>>()
    expect([name, response.statusCode, answer['field'] ?? '', answer['error']]).toEqual([
      name,
      status,
      field,
      sentence,
    ])
    expect(answer).toMatchObject({ status: false, msg: sentence })
  }
  expect(await databaseContent(test.ctx)).toEqual(before)
})

test('quotes, shell characters and every alphabet are ordinary text, kept as typed', async () => {
  await using test = await openTestApp()
  const title = `it's "q" ; rm -rf $(x) %s <b> \\ ' or 1=1 -- 日本 🎥`
  const added = await inject(test.app, addGroup, test.people.admin.token, {
    body: { title, manager: test.people.loneManager.id, description: 'two\nlines' },
  })
  expect([added.status, added.answer.data.title]).toEqual([201, title])
})

test('T16 a body beyond the call’s limit is refused before it is read', async () => {
  await using test = await openTestApp()
  const { status, failure } = await inject(test.app, addGroup, test.people.admin.token, {
    body: { title: 'West', manager: 'm', description: 'x'.repeat(70_000) },
  })
  expect([status, failure.code]).toEqual([413, 'too_large'])
})

test.each([
  ['%00', 400],
  ['..%2f..%2fetc%2fpasswd', 404],
  ['x'.repeat(65), 400],
  ['x'.repeat(600), 404],
  ["' or 1=1 --", 404],
  ['%zz', 400],
])('an invalid id: %s', async (id, status) => {
  await using test = await openTestApp()
  const response = await test.app.inject({
    method: 'GET',
    url: `/api/servers/${id.includes('%') ? id : encodeURIComponent(id)}`,
    headers: { authorization: `Bearer ${test.people.admin.token}` },
  })
  expect(response.statusCode).toBe(status)
  expect(response.json()).toMatchObject({ status: false, error: expect.any(String) as string })
})

/** Bodies near to right ones: right fields with any values, and any JSON at all. */
function anyBody(example: Record<string, unknown>) {
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.double(),
    fc.constantFrom('127.0.0.1', 'a@b.cc', 'groupnorth', 'usernorthmanager', '6000', 6000),
  )
  const near = Object.entries(example).map(
    ([name, value]) => [name, fc.oneof(fc.constant(value), values)] as const,
  )
  return fc.oneof(
    fc.record(Object.fromEntries(near), { requiredKeys: [] }),
    fc.jsonValue({ maxDepth: 4 }),
  )
}

/** The two databases differ in what they choke on. */
async function openOn(kind: 'SQLite' | 'PostgreSQL') {
  if (kind === 'SQLite') return openTestApp()
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  return openTestApp({ databaseUrl: database.url })
}

test.each(['SQLite', 'PostgreSQL'] as const)('no body makes the API fail, on %s', async (kind) => {
  await using test = await openOn(kind)
  const bodies: [Route, Record<string, unknown>][] = [
    [login, { email: 'a@b.cc', password: 'x' }],
    [jwtLogin, {}],
    [addUser, user],
    [addGroup, group],
    [addGroupUser, { userId: 'usernorthmonitor' }],
    [addServer, server],
  ]
  for (const [call, example] of bodies) {
    const property = fc.asyncProperty(
      anyBody(example),
      fc.string({ unit: 'binary', maxLength: 80 }),
      async (body, id) => {
        const response = await test.app.inject({
          method: call.method,
          url: urlOf(call, { groupId: id }),
          headers: {
            authorization: `Bearer ${test.people.superadmin.token}`,
            'content-type': 'application/json',
          },
          payload: JSON.stringify(body) ?? '',
        })
        expect(response.statusCode).toBeLessThan(500)
        const { status } = response.json<{ status: unknown }>()
        expect(status).toBe(response.statusCode < 300)
      },
    )
    await fc.assert(property, { numRuns: 60 })
  }
})

test.each(['SQLite', 'PostgreSQL'] as const)(
  'no query and no id makes the API fail, on %s',
  async (kind) => {
    await using test = await openOn(kind)
    const property = fc.asyncProperty(
      fc.dictionary(
        fc.constantFrom('type', 'page', 'rowsPerPage', 'x'),
        fc.string({ unit: 'binary' }),
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }),
      async (query, id) => {
        const headers = { authorization: `Bearer ${test.people.northEditor.token}` }
        const answers = await Promise.all([
          test.app.inject({ method: 'GET', url: listServers.path, query, headers }),
          test.app.inject({ method: 'GET', url: urlOf(findServer, { id }), headers }),
        ])
        for (const answer of answers) expect(answer.statusCode).toBeLessThan(500)
      },
    )
    await fc.assert(property, { numRuns: 100 })
  },
)
