import { listAudit } from '@trunkline/contract/audit/audit.calls'
import { controlEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { addGroup, updateGroup } from '@trunkline/contract/groups/group.calls'
import { addUser } from '@trunkline/contract/users/user.calls'
import { expect, test } from 'vitest'
import { inject, type InjectInput } from '../testing/inject.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'
import { addTestEncoder, openTestSite } from '../testing/test-site.ts'

async function read(test: TestApp, query: InjectInput<typeof listAudit>['query'] = {}) {
  return inject(test.app, listAudit, test.people.admin.token, { query })
}

async function addWest(test: TestApp): Promise<string> {
  const body = { title: 'West', description: 'd', manager: test.people.loneManager.id }
  const { answer } = await inject(test.app, addGroup, test.people.superadmin.token, { body })
  return answer.data.id
}

test('T20 an audit line as it is read: actor, call, address, before and after', async () => {
  await using test = await openTestApp()
  const id = await addWest(test)
  await inject(test.app, updateGroup, test.people.superadmin.token, {
    params: { id },
    body: { title: 'Far West' },
  })
  const { answer } = await read(test, { objectId: id })
  expect(answer.total).toBe(2)
  // Both within a millisecond would have no order.
  const [updated] = answer.data.filter(({ call }) => call === 'groups.update')
  const [added] = answer.data.filter(({ call }) => call === 'groups.add')
  expect(updated).toMatchObject({
    actor: { _id: test.people.superadmin.id, fullName: 'Test superadmin', role: 'superadmin' },
    ip: '127.0.0.1',
    object: { kind: 'group', _id: id, title: 'Far West' },
    result: 'done',
    reason: '',
    before: { title: 'West' },
    after: { title: 'Far West' },
  })
  expect(updated?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect([added?.before, added?.object?.title]).toEqual([null, 'West'])
})

test('a time is the same with or without milliseconds', async () => {
  await using test = await openTestApp()
  await addWest(test)
  const [line] = (await read(test)).answer.data
  const second = `${line?.at.slice(0, 19)}Z`
  expect((await read(test, { from: second })).answer.total).toBe(1)
  expect((await read(test, { to: second })).answer.total).toBe(0)
  const wrong = await read(test, { from: 'yesterday' })
  expect([wrong.status, wrong.failure.error]).toEqual([
    400,
    'from must be a time such as 2026-11-20T08:00:00Z.',
  ])
})

test('T20 refused and late calls are recorded by name', async () => {
  await using site = await openTestSite()
  const { id, version } = await addTestEncoder(site, 0)
  const edit = async (who: 'southManager' | 'northManager', title: string) =>
    site.call(who, updateEncoder, { body: { _id: id, version, title } })
  expect((await edit('southManager', 'Mine')).status).toBe(404)
  expect((await edit('northManager', 'First')).status).toBe(200)
  expect((await edit('northManager', 'Second')).status).toBe(409)
  const query = { objectId: id, result: 'refused' } as const
  const { data } = (await site.call('admin', listAudit, { query })).answer
  expect(data).toMatchObject([
    { call: 'encoders.update', actor: { _id: site.people.northManager.id } },
    { call: 'encoders.update', actor: { _id: site.people.southManager.id } },
  ])
  expect(data.map(({ object }) => object?.title)).toEqual(['First', 'Camera 0'])
})

test('T20 a command that its host did not take is a single failed line', async () => {
  await using site = await openTestSite()
  const { id } = await addTestEncoder(site, 0)
  await site.encoderHost[Symbol.asyncDispose]()
  const body = { data: { name: 'encoder0', command: 'start' } } as const
  // A caller who may not see the cause: the thrown error differs from the record.
  const { status } = await site.call('northEditor', controlEncoder, { params: { id }, body })
  expect(status).toBeGreaterThanOrEqual(500)
  const query = { searchText: 'encoders.control' }
  const { data } = (await site.call('admin', listAudit, { query })).answer
  expect(data).toMatchObject([{ result: 'failed', object: { _id: id, title: 'Camera 0' } }])
  expect(data[0]?.reason).toMatch(/^start: /)
})

test('search finds people, objects and reasons; a page has its total', async () => {
  await using test = await openTestApp()
  await addWest(test)
  const body = {
    firstName: 'Élan',
    lastName: 'Vital',
    email: 'elan@trunkline.example',
    password: 'planted-password',
    mode: 'superadmin',
  } as const
  await inject(test.app, addUser, test.people.admin.token, { body })
  const found = async (searchText: string) => (await read(test, { searchText })).answer.total
  expect(await found('west')).toBe(1)
  expect(await found('test SUPER')).toBe(1)
  expect(await found('may not give')).toBe(1)
  expect(await found('elan@')).toBe(0)
  const page = (await read(test, { rowsPerPage: 1, page: 1 })).answer
  expect([page.total, page.data.map(({ call }) => call)]).toEqual([2, ['groups.add']])
})
