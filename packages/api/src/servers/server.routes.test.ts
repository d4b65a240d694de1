import {
  addServer,
  findServer,
  listServers,
  readServerStatus,
  updateServer,
} from '@trunkline/contract/servers/server.calls'
import { expect, test } from 'vitest'
import type { Hosts } from '../hosts/hosts.ts'
import type { ProbeResult, ProbeTarget } from '../hosts/probe.ts'
import type { Notice } from '../notices.ts'
import { databaseContent } from '../testing/database-content.ts'
import { inject, PLANTED_SECRETS } from '../testing/inject.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'

const [API_KEY] = PLANTED_SECRETS
let port = 2000

function draft(groupIds: string[], more: object = {}) {
  port += 1
  return {
    title: 'Gateway',
    host: 'gw.example.org',
    port,
    serverType: 'acants' as const,
    apiKey: API_KEY,
    groupIds,
    adapterIps: [{ adapterName: 'eth0', adapterIp: '192.0.2.1' }],
    ...more,
  }
}

async function added(test: TestApp, groupIds: string[], more: object = {}): Promise<string> {
  const { answer } = await inject(test.app, addServer, test.people.admin.token, {
    body: draft(groupIds, more),
  })
  return answer.data.id
}

/** Answers every probe alike, and remembers whom it asked. */
function hostsThatAnswer(answer: ProbeResult): { hosts: Hosts; asked: ProbeTarget[] } {
  const asked: ProbeTarget[] = []
  const probe = async (target: ProbeTarget) => {
    asked.push(target)
    return Promise.resolve(answer)
  }
  return { hosts: { probe } as unknown as Hosts, asked }
}

test('SRV-08 Q118 a media server may use any port; without a port, or with letters, nothing is added', async () => {
  await using test = await openTestApp()
  for (const [sent, kept] of [
    [443, 443],
    ['80', 80],
    [1, 1],
    [65_535, 65_535],
  ]) {
    const body = draft([test.north], { port: sent, serverType: 'channel' })
    const { status, answer } = await inject(test.app, addServer, test.people.admin.token, { body })
    expect([status, answer.data.port]).toEqual([201, kept])
  }
  const before = await databaseContent(test.ctx)
  for (const wrong of [undefined, '', 'http', '80a', 0, -1, 65_536, 80.5, null]) {
    const body = draft([test.north], { port: wrong })
    const { status, failure } = await inject(test.app, addServer, test.people.admin.token, { body })
    expect([wrong, status, failure.field]).toEqual([wrong, 400, 'port'])
  }
  expect(await databaseContent(test.ctx)).toEqual(before)
})

test('API-78 SRV-18 the answer is the server, without its key', async () => {
  await using test = await openTestApp()
  const body = draft([test.south, test.north, test.north], { host: ' https://gw.example.org ' })
  const { status, answer } = await inject(test.app, addServer, test.people.admin.token, { body })
  expect(status).toBe(201)
  const { id, adapterIps } = answer.data
  expect(answer.data).toEqual({
    _id: id,
    id,
    title: 'Gateway',
    host: 'https://gw.example.org',
    port: body.port,
    serverType: 'acants',
    apiKeySet: true,
    description: '',
    location: '',
    groupIds: [test.north, test.south],
    groupInfo: [
      { _id: test.north, title: 'North' },
      { _id: test.south, title: 'South' },
    ],
    adapterIps: [{ _id: adapterIps[0]?._id, adapterName: 'eth0', adapterIp: '192.0.2.1' }],
    version: 1,
  })
})

test('T11 a server that is enrolled next needs neither a key nor adapters, and gets a key of its own', async () => {
  await using test = await openTestApp()
  const { apiKey: _, adapterIps: __, ...plain } = draft([test.north])
  const eth0 = { adapterName: 'eth0', adapterIp: '192.0.2.1' }
  const add = async (more: object) =>
    inject(test.app, addServer, test.people.admin.token, { body: { ...plain, ...more } })
  const before = await databaseContent(test.ctx)
  for (const [field, more] of [
    ['adapterIps', {}],
    ['apiKey', { enrols: false, adapterIps: [eth0] }],
    ['adapterIps', { apiKey: API_KEY }],
    ['serverType', { enrols: true, serverType: 'channel' }],
    ['apiKey', { enrols: true, apiKey: API_KEY }],
  ] as const) {
    const { status, failure } = await add(more)
    expect([more, status, failure.field]).toEqual([more, 400, field])
  }
  expect((await add({ adapterIps: [eth0] })).failure.error).toBe('apiKey is missing. Add it.')
  expect(await databaseContent(test.ctx)).toEqual(before)
  const { status, answer } = await add({ enrols: true })
  expect(status).toBe(201)
  const { id } = answer.data
  expect(answer.data).toMatchObject({ serverType: 'acants', adapterIps: [], apiKeySet: true })
  const { api_key_sealed: sealed } = await test.ctx.db
    .selectFrom('servers')
    .select('api_key_sealed')
    .executeTakeFirstOrThrow()
  expect(test.ctx.keys.open(sealed)).toMatch(/^.{20,}$/)
  const save = async (body: object) =>
    inject(test.app, updateServer, test.people.admin.token, { params: { id }, body })
  expect((await save({ ...answer.data, title: 'Renamed' })).status).toBe(200)
  expect((await save({ adapterIps: [eth0] })).status).toBe(200)
  expect(await save({ adapterIps: [] })).toMatchObject({
    status: 400,
    failure: { field: 'adapterIps', error: 'Please input adapter ips' },
  })
})

test('T9 the key is encrypted in the database, and complete when decrypted', async () => {
  await using test = await openTestApp()
  await added(test, [test.north])
  const row = await test.ctx.db
    .selectFrom('servers')
    .select('api_key_sealed')
    .executeTakeFirstOrThrow()
  expect(row.api_key_sealed).not.toContain(API_KEY)
  expect(test.ctx.keys.open(row.api_key_sealed)).toBe(API_KEY)
  expect(JSON.stringify(await databaseContent(test.ctx))).not.toContain(API_KEY)
  const lines = await test.ctx.db.selectFrom('audit').selectAll().execute()
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ call: 'servers.add', result: 'done' })
  expect(JSON.stringify(lines)).not.toContain(API_KEY)
})

test('Q38 matrix AF: everyone lists servers, below admin those of their groups', async () => {
  await using test = await openTestApp()
  const north = await added(test, [test.north], { title: 'A' })
  const south = await added(test, [test.south], { title: 'B', serverType: 'channel' })
  const shared = await added(test, [test.north, test.south], { title: 'C' })
  const seenBy = async (token: string) => {
    const { answer } = await inject(test.app, listServers, token, {})
    return [answer.data.map((item) => item.id), answer.total]
  }
  const { admin, northEditor, southManager, loneManager } = test.people
  expect(await seenBy(admin.token)).toEqual([[north, south, shared], 3])
  expect(await seenBy(northEditor.token)).toEqual([[north, shared], 2])
  expect(await seenBy(southManager.token)).toEqual([[south, shared], 2])
  expect(await seenBy(loneManager.token)).toEqual([[], 0])
  const channels = await inject(test.app, listServers, southManager.token, {
    query: { type: 'channel' },
  })
  expect(channels.answer.data.map((item) => item.id)).toEqual([south])
})

test('API-72 pages are zero based, a size of 0 is all, more than 500 is refused', async () => {
  await using test = await openTestApp()
  const ids = [
    await added(test, [test.north], { title: 'A' }),
    await added(test, [test.north], { title: 'B' }),
  ]
  const page = async (query: { page?: number; rowsPerPage?: number }) => {
    const { answer } = await inject(test.app, listServers, test.people.admin.token, { query })
    return answer.data.map((item) => item.id)
  }
  expect(await page({ page: 1, rowsPerPage: 1 })).toEqual([ids[1]])
  expect(await page({ rowsPerPage: 0 })).toEqual(ids)
  const { status, failure } = await inject(test.app, listServers, test.people.admin.token, {
    query: { rowsPerPage: 501 },
  })
  expect([status, failure.error]).toEqual([400, 'rowsPerPage must be 0 (all) to 500 rows.'])
})

test('SRV-01 API-15 search and group cut the list, for others within their own groups', async () => {
  await using test = await openTestApp()
  const north = await added(test, [test.north], { location: 'Rack 7' })
  const south = await added(test, [test.south], { description: 'in rack 7' })
  const seenBy = async (who: 'admin' | 'northEditor', query: object) => {
    const { answer } = await inject(test.app, listServers, test.people[who].token, { query })
    return [answer.data.map((item) => item.id).toSorted(), answer.total]
  }
  expect(await seenBy('admin', { searchText: 'RACK' })).toEqual([[north, south].toSorted(), 2])
  expect(await seenBy('admin', { searchText: 'RACK', groupId: test.south })).toEqual([[south], 1])
  expect(await seenBy('northEditor', { searchText: 'rack' })).toEqual([[north], 1])
  expect(await seenBy('northEditor', { groupId: test.south })).toEqual([[], 0])
})

test('Q102 a server is found by an address of its own, however that is written', async () => {
  await using test = await openTestApp()
  const north = await added(test, [test.north], { host: 'https://North.example.org' })
  const south = await added(test, [test.south])
  const seenBy = async (who: 'admin' | 'northEditor', address: string) => {
    const query = { address, type: 'acants' } as const
    const { answer } = await inject(test.app, listServers, test.people[who].token, { query })
    return answer.data.map((item) => item.id).toSorted()
  }
  expect(await seenBy('admin', 'NORTH.example.org')).toEqual([north])
  expect(await seenBy('admin', '192.0.2.1')).toEqual([north, south].toSorted())
  expect(await seenBy('northEditor', '192.0.2.1')).toEqual([north])
  expect(await seenBy('admin', '192.0.2')).toEqual([])
})

test('API-16 T2 T3 a shared server shows only the caller’s own groups, and a foreign one is not there', async () => {
  await using test = await openTestApp()
  const shared = await added(test, [test.north, test.south])
  const south = await added(test, [test.south])
  const { northManager } = test.people
  const seen = await inject(test.app, findServer, northManager.token, { params: { id: shared } })
  expect(seen.answer.data).toMatchObject({
    groupIds: [test.north],
    groupInfo: [{ _id: test.north, title: 'North' }],
  })
  expect(seen.answer.adapterIps).toEqual(seen.answer.data.adapterIps)
  const [foreign, unknown] = await Promise.all(
    [south, 'nowhere'].map(async (id) =>
      inject(test.app, findServer, northManager.token, { params: { id } }),
    ),
  )
  expect([foreign?.status, foreign?.text]).toEqual([404, unknown?.text])
})

test('API-17 an address that is taken, and a group that is not there, change nothing', async () => {
  await using test = await openTestApp()
  await added(test, [test.north], { port: 9000 })
  const before = await databaseContent(test.ctx)
  const { token } = test.people.admin
  const taken = await inject(test.app, addServer, token, {
    body: draft([test.north], { port: 9000, host: 'GW.example.org' }),
  })
  expect([taken.status, taken.failure.code, taken.failure.field]).toEqual([409, 'conflict', 'port'])
  const lost = await inject(test.app, addServer, token, { body: draft([test.north, 'nowhere']) })
  expect([lost.status, lost.failure.field]).toEqual([400, 'groupIds'])
  expect(await databaseContent(test.ctx)).toEqual(before)
})

test('T7 decisions 22 hosts on this machine are refused unless the setting allows them', async () => {
  await using test = await openTestApp({ allowLocalHosts: false })
  const { status, failure } = await inject(test.app, addServer, test.people.admin.token, {
    body: draft([test.north], { host: '127.0.0.1' }),
  })
  expect([status, failure.field]).toEqual([400, 'host'])
})

test('a new server is pushed to its groups', async () => {
  await using test = await openTestApp()
  const notices: Notice[] = []
  test.ctx.notices.listen((notice) => notices.push(notice))
  const id = await added(test, [test.north, test.north])
  expect(notices).toEqual([{ kind: 'server', id, change: 'added', groupIds: [test.north] }])
})

test('API-20 SRV-02 status asks the host with its key, and answers how long it took', async () => {
  const { hosts, asked } = hostsThatAnswer({ ok: true, latencyMs: 3, text: 'agent 0.1.0' })
  await using test = await openTestApp({}, { hosts })
  const id = await added(test, [test.north], { port: 9000 })
  const { answer } = await inject(test.app, readServerStatus, test.people.admin.token, {
    params: { id },
  })
  expect(answer).toEqual({ status: true, results: 'agent 0.1.0', latencyMs: 3 })
  expect(asked[0]).toEqual({
    serverType: 'acants',
    host: 'gw.example.org',
    port: 9000,
    apiKey: API_KEY,
  })
})

test.each([
  ['refused', 502, 'host_unreachable'],
  ['wrong-key', 502, 'host_unreachable'],
  ['not-an-agent', 502, 'host_unreachable'],
  ['timeout', 504, 'host_timeout'],
] as const)('API-20 a host that is away: %s', async (kind, status, code) => {
  const reason = 'gw.example.org port 9000 refuses the key.'
  const { hosts } = hostsThatAnswer({ ok: false, reason, kind })
  await using test = await openTestApp({}, { hosts })
  const id = await added(test, [test.north])
  const ask = async (token: string) => inject(test.app, readServerStatus, token, { params: { id } })
  const toAdmin = await ask(test.people.admin.token)
  expect([toAdmin.status, toAdmin.failure.code, toAdmin.failure.error]).toEqual([
    status,
    code,
    reason,
  ])
  const toMonitor = await ask(test.people.northMonitor.token)
  expect([toMonitor.status, toMonitor.failure.error]).toEqual([
    status,
    'Gateway does not answer. Ask an admin to look after it.',
  ])
})
