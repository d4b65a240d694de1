/** A server that is given another host, port, key or type: its link, its ports, and what runs there. */
import { addInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput } from '@trunkline/contract/contributions/output.calls'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import type { HostStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  readServerStatus,
  removeServer,
  updateServer,
} from '@trunkline/contract/servers/server.calls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FAKE_KEY, FakeHost } from '../testing/fake-host.ts'
import { FAKE_MEDIA_KEY, FakeMediaServer } from '../testing/fake-media-server.ts'
import { addTestInput } from '../testing/input.fixture.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'
import { addGateway } from '../testing/server.fixture.ts'

let site: TestSite
let stack: AsyncDisposableStack
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  site = stack.use(await openTestSite())
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
})
afterEach(async () => stack.disposeAsync())

async function save(body: object, id: string = site.acantsId) {
  return site.call('admin', updateServer, { params: { id }, body })
}

async function hostStatus(id: string): Promise<HostStatus | undefined> {
  const { answer } = await site.call('admin', readLive, {})
  return answer.data.hosts.find((host) => host.id === id)
}

/** Resolves with what the board tells of this server, once it fits. */
async function untilStatus(id: string, fits: (status: HostStatus) => boolean): Promise<HostStatus> {
  const { promise, resolve } = Promise.withResolvers<HostStatus>()
  const stop = site.ctx.board.listen((event) => {
    if (event.event === 'host' && event.data.id === id && fits(event.data)) resolve(event.data)
  })
  const status = await promise
  stop()
  return status
}

async function status(id: string): Promise<number> {
  return (await site.call('admin', readServerStatus, { params: { id } })).status
}

test('a changed port: the old link is closed, a new one opened, and the board tells', async () => {
  const other = stack.use(await FakeHost.open({ seatKind: 'acants' }))
  const away = untilStatus(site.acantsId, ({ online }) => !online)
  const back = untilStatus(site.acantsId, ({ online }) => online)
  expect((await save({ port: other.port })).status).toBe(200)
  await away
  await other.linked()
  await site.linkHost.unlinked()
  expect(await back).toMatchObject({ online: true, cause: '', fault: null })
  expect(await status(site.acantsId)).toBe(200)
})

test('a host that never answers is reported as away', async () => {
  const away = untilStatus(site.acantsId, ({ online }) => !online)
  await save({ host: 'nowhere.invalid' })
  expect(await away).toMatchObject({ online: false, heardAtMs: null })
  expect((await hostStatus(site.acantsId))?.online).toBe(false)
})

test('a changed key takes effect on the link at once, either way', async () => {
  const away = untilStatus(site.acantsId, ({ fault }) => fault === 'wrong-key')
  await save({ apiKey: 'another-key-0001' })
  await away
  expect(await status(site.acantsId)).toBe(502)
  const back = untilStatus(site.acantsId, ({ online }) => online)
  await save({ apiKey: FAKE_KEY })
  await back
  expect(await status(site.acantsId)).toBe(200)
})

test('a changed type: the link is closed and the media server is asked', async () => {
  const media = stack.use(await FakeMediaServer.open())
  const back = untilStatus(site.acantsId, ({ online }) => online)
  await save({ serverType: 'channel', port: media.port, apiKey: FAKE_MEDIA_KEY })
  await site.linkHost.unlinked()
  await media.asked(/streams/)
  await back
  const linked = site.linkHost.linked()
  await save({ serverType: 'acants', port: site.linkHost.port, apiKey: FAKE_KEY })
  await linked
  expect(await status(site.acantsId)).toBe(200)
})

test('programs run on, on the same machine under another name', async () => {
  const id = (await addTestInput(site, 6000)).id
  await site.call('admin', contributionAction, { body: { id, type: 1, actionType: 'start' } })
  const pid = site.linkHost.programs.get(`input-${id}`)?.pid
  const before = site.linkHost.calls.length
  const back = untilStatus(site.acantsId, ({ online }) => online)
  await save({ host: 'localhost' })
  await back
  await site.ctx.programs.refresh({ by: 'server', id: site.acantsId })
  expect(site.linkHost.programs.get(`input-${id}`)).toMatchObject({ pid, state: 'running' })
  expect(site.linkHost.calls.slice(before)).toEqual([])
  expect(site.ctx.board.program(`input-${id}`)?.state).toBe('running')
})

test('a media server at another port is asked there at once', async () => {
  const other = stack.use(await FakeMediaServer.open())
  await site.media.asked(/streams/)
  await save({ port: other.port }, site.channelServerId)
  await other.asked(/streams/)
  expect(await status(site.channelServerId)).toBe(200)
})

test('a removed server is dialled no more', async () => {
  await site.call('admin', removeServer, { params: { id: site.acantsId } })
  await site.linkHost.unlinked()
  expect(site.ctx.hosts.records().map((record) => record.id)).toEqual([site.channelServerId])
  expect(await hostStatus(site.acantsId)).toBeUndefined()
  expect(await status(site.acantsId)).toBe(404)
})

async function claims(): Promise<string[]> {
  const rows = await site.ctx.db.selectFrom('port_claims').selectAll().execute()
  return rows.map((row) => `${row.host_key} ${row.port} ${row.leg}`).toSorted()
}

test('ports of inputs and outputs go with their server', async () => {
  const id = (await addTestInput(site, 6000)).id
  await site.call('admin', addOutput, {
    body: {
      title: 'Door',
      inputType: 'SRT',
      contributionId: id,
      config: { mode: 'Listen', port: 7000 },
    },
  })
  const before = await claims()
  expect(before).toHaveLength(3)
  await save({ host: 'localhost' })
  expect(await claims()).toEqual(before.map((item) => item.replace('127.0.0.1', 'localhost')))
})

test('a port that is taken on the new host keeps the server where it is, and the owner is named', async () => {
  const serverId = await addGateway(site, { host: 'localhost', groupIds: [site.south] })
  await site.call('admin', addInput, {
    body: {
      title: 'Theirs',
      inputType: 'SRT',
      serverId,
      groupId: site.south,
      config: { port: 6000, multicastPort: 20_100 },
    },
  })
  await addTestInput(site, 6000)
  const before = await claims()
  const { status: refused, failure } = await save({ host: 'localhost', title: 'Renamed' })
  expect([refused, failure.code, failure.field, failure.error]).toEqual([
    409,
    'conflict',
    'host',
    "Port 6000 of host localhost is taken by input 'Theirs', and is also used on this server. Change one of the two ports first.",
  ])
  expect(await claims()).toEqual(before)
  expect((await hostStatus(site.acantsId))?.online).toBe(true)
})
