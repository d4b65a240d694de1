import {
  cancelLinkTest,
  type LinkTestDraft,
  readLinkTest,
  readLinkTestHost,
  startLinkTest,
} from '@trunkline/contract/link-tests/link-test.calls'
import { afterEach, expect, test } from 'vitest'
import { FakeHost, type FakeHostOptions } from '../testing/fake-host.ts'
import { addTestInput } from '../testing/input.fixture.ts'
import type { PersonName } from '../testing/people.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'
import { addGateway } from '../testing/server.fixture.ts'

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

/** Another gateway of the group, at a second address of the same machine. */
async function openPair(options: Partial<FakeHostOptions> = {}) {
  const site = stack.use(await openTestSite())
  const host = stack.use(await FakeHost.open({ seatKind: 'acants', ...options }))
  const adapterIps = [{ adapterName: 'eth0', adapterIp: '192.0.2.20' }]
  const toServerId = await addGateway(site, { port: host.port, adapterIps })
  await site.linkHost.linked()
  await host.linked()
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: host.port })
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
  return { site, host, toServerId }
}

async function start(
  site: TestSite,
  body: Partial<LinkTestDraft> & { toServerId: string },
  who: PersonName = 'northManager',
) {
  const from = { fromKind: 'server' as const, fromId: site.acantsId }
  return site.call(who, startLinkTest, { body: { ...from, address: '192.0.2.20', ...body } })
}

test('a test is opened at the one server and called from the other, and read from both', async () => {
  const { site, host, toServerId } = await openPair()
  const { status, answer } = await start(site, { toServerId })
  expect(status).toBe(201)
  const { id: testId, ...settings } = answer.data
  const ends = { fromKind: 'server' as const, fromId: site.acantsId, toServerId }
  expect(settings).toEqual({
    ...ends,
    address: '192.0.2.20',
    port: 6000,
    rateKbps: 8000,
    durationS: 30,
  })
  const load = { testId, rateKbps: 8000, durationMs: 30_000, port: 6000 }
  expect(host.paramsOf('openLinkTest')).toEqual([{ ...load, callerIps: ['127.0.0.1'] }])
  expect(site.linkHost.paramsOf('callLinkTest')).toEqual([{ ...load, host: '192.0.2.20' }])
  const asked = { params: { testId }, query: ends }
  const { answer: read } = await site.call('northManager', readLinkTest, asked)
  expect(read.data).toMatchObject({ state: 'done', out: { lossPercent: 0 }, back: {} })
  expect(site.linkHost.paramsOf('readLinkTest')).toEqual([{ testId, end: 'caller' }])
  expect(host.paramsOf('readLinkTest')).toEqual([{ testId, end: 'responder' }])
  const cancelled = await site.call('northManager', cancelLinkTest, asked)
  expect(cancelled.answer).toEqual({ status: true, id: testId })
  expect(host.paramsOf('endLinkTest')).toEqual([{ testId, end: 'responder' }])
})

test('only addresses of the called server are called, and no server calls itself', async () => {
  const { site, host, toServerId } = await openPair()
  const elsewhere = await start(site, { toServerId, address: '198.51.100.1' })
  expect([elsewhere.status, elsewhere.failure?.field, elsewhere.failure?.error]).toEqual([
    400,
    'address',
    'address must be an address of Gateway 2: 127.0.0.1, 192.0.2.20.',
  ])
  const itself = await start(site, { toServerId: site.acantsId, address: '127.0.0.1' })
  expect([itself.status, itself.failure?.field]).toEqual([400, 'toServerId'])
  expect(host.paramsOf('openLinkTest')).toEqual([])
})

test('a server that cannot test says why, and what to do', async () => {
  const { site, toServerId } = await openPair({ capabilities: { testsLinks: false } })
  const ask = async (id: string) =>
    (await site.call('northManager', readLinkTestHost, { params: { kind: 'server', id } })).answer
      .data
  expect(await ask(site.acantsId)).toEqual({
    title: 'Server acants',
    addresses: ['127.0.0.1'],
    unable: '',
  })
  expect((await ask(toServerId)).unable).toBe(
    'The host agent of Gateway 2 is of an older version that cannot test links. Update it.',
  )
  expect((await ask(site.channelServerId)).unable).toMatch(/^Server channel is a media server/)
  const refused = await start(site, { toServerId })
  expect([refused.status, refused.failure?.field]).toEqual([422, 'toServerId'])
  await site.linkHost[Symbol.asyncDispose]()
  await expect
    .poll(async () => (await ask(site.acantsId)).unable, { timeout: 60_000 })
    .toMatch(/^Server acants is offline\./)
})

test('a port of ours is refused by its owner, another by the host, and the next free is taken', async () => {
  const { site, host, toServerId } = await openPair()
  await addTestInput(site, 6000)
  const taken = await start(site, { toServerId, port: 6000 })
  expect([taken.status, taken.failure?.field]).toEqual([409, 'port'])
  expect(taken.failure?.error).toMatch(/^Port 6000 of host 127\.0\.0\.1 is taken by input/)
  host.takenPorts.add(6002)
  const free = await start(site, { toServerId })
  expect(free.answer.data.port).toBe(6004)
  host.refusals.set('openLinkTest', 'UDP port 7000 is used by another program of this host.')
  const refused = await start(site, { toServerId, port: 7000 })
  expect([refused.status, refused.failure?.field, refused.failure?.error]).toEqual([
    422,
    'port',
    'Gateway 2: UDP port 7000 is used by another program of this host.',
  ])
})

test('a caller that refuses leaves nothing open at the other server', async () => {
  const { site, host, toServerId } = await openPair()
  site.linkHost.refusals.set('callLinkTest', 'This host is running another link test.')
  const { status, failure } = await start(site, { toServerId })
  expect([status, failure?.error]).toEqual([
    422,
    'Server acants: This host is running another link test.',
  ])
  expect(host.paramsOf('endLinkTest')).toHaveLength(1)
})

test('a test that the hosts do not know any more is 404', async () => {
  const { site, host, toServerId } = await openPair()
  host.linkTest = null
  const { status, failure } = await site.call('northManager', readLinkTest, {
    params: { testId: '0f'.repeat(16) },
    query: { fromKind: 'server', fromId: site.acantsId, toServerId },
  })
  expect([status, failure?.error]).toEqual([404, 'Gateway 2: This host has no such link test.'])
})

test('rate and duration have bounds', async () => {
  const { site, toServerId } = await openPair()
  const asked = await Promise.all([
    start(site, { toServerId, rateKbps: 50_001 }),
    start(site, { toServerId, durationS: 61 }),
    start(site, { toServerId, port: 80 }),
  ])
  expect(asked.map(({ status, failure }) => [status, failure?.field])).toEqual([
    [400, 'rateKbps'],
    [400, 'durationS'],
    [400, 'port'],
  ])
})

test('an encoder calls a server, as its feeders do', async () => {
  const { site, host, toServerId } = await openPair()
  const { id } = await addTestEncoder(site, 0)
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.encoderHost.port })
  const { status, answer } = await start(site, { toServerId, fromKind: 'encoder', fromId: id })
  expect(status).toBe(201)
  const testId = answer.data.id
  expect(site.encoderHost.paramsOf('callLinkTest')).toMatchObject([{ testId, host: '192.0.2.20' }])
  expect(host.paramsOf('openLinkTest')).toMatchObject([{ testId, callerIps: ['127.0.0.1'] }])
})
