/** API-65, API-66: an output is read and saved as it shall be. What holds for inputs too is in link-save.test.ts. */
import { readOutput } from '@trunkline/contract/contributions/output.calls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Notice } from '../../notices.ts'
import { databaseContent } from '../../testing/database-content.ts'
import { outputBody } from '../../testing/input.fixture.ts'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'
import {
  addAwayServer,
  addFeed,
  addWay,
  openHostWithoutBus,
  save,
  specOf,
  start,
} from './output.fixture.ts'

let site: TestSite
let inputId: string
beforeEach(async () => {
  site = await openTestSite()
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
  inputId = await addFeed(site, 6000)
})
afterEach(async () => site[Symbol.asyncDispose]())

test('API-65 one output, under both names of the answer', async () => {
  const added = await addWay(site, inputId)
  const { status, answer } = await site.call('northManager', readOutput, {
    params: { id: added.id },
  })
  expect(status).toBe(200)
  expect(answer.data).toEqual(added)
  expect(answer.output).toEqual(added)
  const foreign = await site.call('southManager', readOutput, { params: { id: added.id } })
  expect(foreign.status).toBe(404)
})

test('decisions 16 a save of an old version is refused, with what is there now and what differs', async () => {
  const { id } = await addWay(site, inputId, { inputType: 'RIST' })
  const secondPath = { host: '192.0.2.20', port: 7000, adapterIp: '' }
  const theirs = outputBody(inputId, {
    inputType: 'RIST',
    title: 'Theirs',
    config: { port: 7000, secondPath },
  })
  expect((await save(site, id, { ...theirs, version: 1 })).status).toBe(200)
  const before = await databaseContent(site.ctx)
  const calls = site.linkHost.calls.length
  const mine = outputBody(inputId, {
    inputType: 'RIST',
    title: 'Mine',
    config: { port: 7000, latency: 400 },
  })
  const { status, failure } = await save(site, id, { ...mine, version: 1 })
  expect([status, failure.code]).toEqual([409, 'conflict'])
  expect(failure.changed).toEqual(['title', 'config.latency', 'config.secondPath'])
  expect(failure.current).toMatchObject({ id, title: 'Theirs', version: 2 })
  expect(await databaseContent(site.ctx)).toEqual(before)
  expect(site.linkHost.calls).toHaveLength(calls)
  expect((await save(site, id, mine)).status).toBe(200)
})

test('API-66 another input of the same server may be named, and its bus is read', async () => {
  const other = await addFeed(site, 6010)
  const notices: Notice[] = []
  site.ctx.notices.listen((notice) => notices.push(notice))
  const { id } = await addWay(site, inputId)
  const { answer } = await save(site, id, outputBody(other))
  expect(answer.data).toMatchObject({ contributionId: other, contributionInfo: { _id: other } })
  expect(specOf(site, id)).toMatchObject({ local: { ip: '239.255.0.2', port: 20_001 } })
  expect(notices.at(-1)).toEqual({
    kind: 'output',
    id,
    change: 'changed',
    groupIds: [site.north],
  })
})

test('Q157 an input of another server is refused: outputs run on their input’s server', async () => {
  const serverId = await addAwayServer(site)
  const away = await addFeed(site, 6010, { serverId })
  const { id } = await addWay(site, inputId)
  const before = await databaseContent(site.ctx)
  const { status, failure } = await save(site, id, outputBody(away))
  expect([status, failure.field]).toEqual([422, 'contributionId'])
  expect(failure.error).toContain('Away')
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('T3 an input of another group is refused', async () => {
  const serverId = await addAwayServer(site, [site.north, site.south])
  const foreign = await addFeed(site, 6010, { serverId, groupId: site.south })
  const { id } = await addWay(site, inputId)
  expect((await save(site, id, outputBody(foreign))).status).toBe(404)
})

test('API-66 a listening output keeps, changes and frees its port', async () => {
  const listen = (port: number, more = {}) =>
    outputBody(inputId, { config: { mode: 'Listen', host: '', port }, ...more })
  const { id } = await addWay(site, inputId, listen(7000))
  await start(site, id)
  site.linkHost.takenPorts.add(7000)
  const probes = site.linkHost.paramsOf('probePort').length
  expect((await save(site, id, listen(7000, { title: 'Own port' }))).status).toBe(200)
  expect(site.linkHost.paramsOf('probePort')).toHaveLength(probes)
  expect((await save(site, id, listen(7002))).status).toBe(200)
  // Its process has the old port until it is restarted, so the host's word counts for nothing.
  expect((await save(site, id, listen(7000))).status).toBe(200)
  expect((await save(site, id, listen(6000))).failure).toMatchObject({
    field: 'config.port',
    error: expect.stringContaining("input 'Feed 6000'") as string,
  })
  expect((await save(site, id, outputBody(inputId))).status).toBe(200)
  await addWay(site, inputId, { title: 'Next', config: { mode: 'Listen', host: '', port: 7002 } })
})

test('decisions 2 without a local bus a second reader is refused on saving, too', async () => {
  await using _host = await openHostWithoutBus(site)
  const other = await addFeed(site, 6010)
  const { id } = await addWay(site, inputId)
  await addWay(site, other)
  expect((await save(site, id, outputBody(inputId, { title: 'Same input' }))).status).toBe(200)
  const { status, failure } = await save(site, id, outputBody(other))
  expect([status, failure.field]).toEqual([422, 'contributionId'])
})

test('a RIST caller’s second path is sent to its host, and answered', async () => {
  const secondPath = { host: '192.0.2.20', port: 7002, adapterIp: '127.0.0.1' }
  const body = outputBody(inputId, { inputType: 'RIST', config: { port: 7000, secondPath } })
  const { id } = await addWay(site, inputId, body)
  expect(specOf(site, id)).toMatchObject({ outer: { protocol: 'rist', secondPath } })
  const { answer } = await save(site, id, body)
  expect(answer.data.config.secondPath).toEqual(secondPath)
  await save(site, id, outputBody(inputId, { inputType: 'RIST' }))
  expect(JSON.stringify(specOf(site, id))).not.toContain('secondPath')
})
