import type { Role } from '@trunkline/contract/roles'
import { findUser, listRoles, listUsers } from '@trunkline/contract/users/user.calls'
import { expect, test } from 'vitest'
import { inject } from '../testing/inject.ts'
import type { PersonName } from '../testing/people.ts'
import { addStoredMembers } from '../testing/stored-site.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'

const NORTH: PersonName[] = ['northEditor', 'northManager', 'northMonitor']
const SOUTH: PersonName[] = ['southEditor', 'southManager', 'southMonitor']
const EVERYBODY: PersonName[] = ['admin', 'loneManager', ...NORTH, ...SOUTH, 'superadmin']

/** Row S of ROLE-11, and oneself. */
const SEES: Record<PersonName, PersonName[]> = {
  superadmin: EVERYBODY,
  admin: EVERYBODY.filter((name) => name !== 'superadmin'),
  northManager: NORTH,
  northEditor: NORTH,
  northMonitor: NORTH,
  southManager: SOUTH,
  southEditor: SOUTH,
  southMonitor: SOUTH,
  loneManager: ['loneManager'],
}

async function listed(test: TestApp, who: PersonName, query: Record<string, string> = {}) {
  const { status, answer } = await inject(test.app, listUsers, test.people[who].token, { query })
  expect(status).toBe(200)
  return answer
}

test('Q29 matrix S everybody lists whom they may see, in order of full name', async () => {
  await using test = await openTestApp()
  for (const who of EVERYBODY) {
    const { data, total } = await listed(test, who)
    const names = SEES[who].map((name) => `Test ${name}`)
    expect([who, data.map((user) => user.fullName), total]).toEqual([who, names, names.length])
  }
})

test('API-03 API-74 USER-02 a user as the list has it, under both names', async () => {
  await using test = await openTestApp()
  const { data, users } = await listed(test, 'admin', { searchText: 'test northmanager' })
  expect(users).toEqual(data)
  const { id, email } = test.people.northManager
  expect(data).toEqual([
    {
      _id: id,
      id,
      firstName: 'Test',
      lastName: 'northManager',
      fullName: 'Test northManager',
      email,
      mode: 'manager',
      modeInfo: { _id: 'manager', name: 'manager' },
      groups: [{ _id: test.north, title: 'North' }],
      hasGroupBeyond: false,
      asksBeforeInterrupting: false,
      language: null,
      times: null,
      isFromProvider: false,
      version: 1,
    },
  ])
})

test('USER-04 search, group, role and page narrow the list; a group of others is as an unknown one', async () => {
  await using test = await openTestApp()
  const of = async (who: PersonName, query: Record<string, string>) => {
    const { data, total } = await listed(test, who, query)
    return [data.map((user) => user.lastName).join(' '), total]
  }
  expect(await of('admin', { groupId: test.south })).toEqual([SOUTH.join(' '), 3])
  expect(await of('admin', { mode: 'manager', searchText: 'NORTH' })).toEqual(['northManager', 1])
  expect(await of('admin', { rowsPerPage: '2', page: '1' })).toEqual([
    'northEditor northManager',
    8,
  ])
  expect(await of('admin', { mode: 'superadmin' })).toEqual(['', 0])
  expect(await of('northEditor', { groupId: test.north })).toEqual([NORTH.join(' '), 3])
  const foreign = await listed(test, 'northEditor', { groupId: test.south })
  const unknown = await listed(test, 'northEditor', { groupId: 'nowhere' })
  expect(foreign).toEqual({ status: true, data: [], users: [], total: 0 })
  expect(unknown).toEqual(foreign)
  expect(await of('northEditor', { searchText: 'south' })).toEqual(['', 0])
})

test('API-04 matrix S the calls for one user and for the list agree, person by person', async () => {
  await using test = await openTestApp()
  for (const who of EVERYBODY) {
    const statuses: [PersonName, number][] = []
    for (const whom of EVERYBODY) {
      const { status, answer } = await inject(test.app, findUser, test.people[who].token, {
        params: { id: test.people[whom].id },
      })
      statuses.push([whom, status])
      expect(answer.user).toEqual(answer.data)
    }
    const sees = EVERYBODY.map((whom) => [whom, SEES[who].includes(whom) ? 200 : 404])
    expect([who, statuses]).toEqual([who, sees])
  }
})

test('T2 a user out of sight is answered as one that is not there', async () => {
  await using test = await openTestApp()
  const find = async (who: PersonName, id: string) =>
    (await inject(test.app, findUser, test.people[who].token, { params: { id } })).text
  const { superadmin, southEditor, loneManager } = test.people
  expect(await find('admin', superadmin.id)).toBe(await find('admin', 'nobody'))
  expect(await find('northManager', southEditor.id)).toBe(await find('northManager', 'nobody'))
  expect(await find('northManager', loneManager.id)).toBe(await find('northManager', 'nobody'))
})

test('T3 below admin a user of several groups shows the shared ones only', async () => {
  await using test = await openTestApp()
  const { northEditor } = test.people
  await addStoredMembers(test.ctx.db, test.south, [northEditor.id])
  const groups = async (who: PersonName) => {
    const { data } = await listed(test, who, { searchText: 'northEditor' })
    const found = await inject(test.app, findUser, test.people[who].token, {
      params: { id: northEditor.id },
    })
    expect(found.answer.data).toEqual(data[0])
    return data[0]?.groups.map((group) => group.title)
  }
  expect(await groups('admin')).toEqual(['North', 'South'])
  expect(await groups('southMonitor')).toEqual(['South'])
  expect(await groups('northManager')).toEqual(['North'])
  expect(await groups('northEditor')).toEqual(['North', 'South'])
})

test('API-05 API-75 ROLE-01 USER-23 Q186 Q188 everybody is offered the roles that they may give', async () => {
  await using test = await openTestApp()
  const offered: Record<Role, Role[]> = {
    superadmin: ['superadmin', 'admin', 'manager', 'editor', 'monitor'],
    admin: ['admin', 'manager'],
    manager: ['editor', 'monitor'],
    editor: [],
    monitor: [],
  }
  for (const person of Object.values(test.people)) {
    const { status, answer } = await inject(test.app, listRoles, person.token, {})
    const roles = offered[person.role].map((name) => ({ _id: name, name }))
    expect([status, answer]).toEqual([200, { status: true, data: roles, roles }])
  }
})

test.each([
  [{ page: '-1' }, 'page'],
  [{ page: 'one' }, 'page'],
  [{ rowsPerPage: '501' }, 'rowsPerPage'],
  [{ mode: 'root' }, 'mode'],
  [{ groupId: 'x'.repeat(65) }, 'groupId'],
  [{ searchText: 'x'.repeat(201) }, 'searchText'],
  [{ order: 'email' }, 'order'],
])('a query that is none is answered by its field: %o', async (query, field) => {
  await using test = await openTestApp()
  const response = await test.app.inject({
    method: 'GET',
    url: listUsers.path,
    query: query as Record<string, string>,
    headers: { authorization: `Bearer ${test.people.admin.token}` },
  })
  expect([response.statusCode, response.json<{ field: string }>().field]).toEqual([400, field])
})
