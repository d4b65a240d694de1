import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import {
  addInput,
  listInputs,
  readInputStatus,
} from '@trunkline/contract/contributions/input.calls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { testInput, type InputBody } from '../../testing/input.fixture.ts'
import { PLANTED_SECRETS, type InjectInput } from '../../testing/inject.ts'
import type { PersonName } from '../../testing/people.ts'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'

let site: TestSite
beforeEach(async () => {
  site = await openTestSite()
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
})
afterEach(async () => site[Symbol.asyncDispose]())

const draft = (port: number, more: Partial<InputBody> = {}) => testInput(site, port, more)

async function add(who: PersonName, body: InputBody) {
  return site.call(who, addInput, { body })
}

async function act(who: PersonName, id: string, actionType: 'start' | 'stop' | 'restart' | 'tail') {
  return site.call(who, contributionAction, { body: { id, type: 1, actionType } })
}

test('API-45 decisions 1, 2: an input gets a group and a bus port of its own', async () => {
  const first = (await add('northManager', draft(6000))).answer.data
  const second = (await add('northManager', draft(6002))).answer.data
  expect(first.config).toMatchObject({
    port: '6000',
    multicast: '239.255.0.1',
    multicastPort: 20_000,
  })
  expect(second.config).toMatchObject({ multicast: '239.255.0.2', multicastPort: 20_001 })
  expect(first.name).toMatch(/^feed-6000-[a-z0-9]{6}$/)
  const [applied] = site.linkHost.paramsOf('applyProgram')
  expect(applied?.spec).toMatchObject({
    kind: 'receiver',
    local: { ip: '239.255.0.1', port: 20_000, ttl: 1 },
    outer: { protocol: 'srt', mode: 'listen', port: 6000, latencyMs: 3000, key: null },
  })
})

test('Q168 SRT ports are answered as text, the others as numbers', async () => {
  const srt = await add('admin', draft(6000))
  const feeder = await add('admin', draft(6002, { inputType: 'aCANFeeder' }))
  expect(srt.answer.data.config.port).toBe('6000')
  expect(feeder.answer.data.config.port).toBe(6002)
})

test('rule 9: a port of a host belongs to one input; the owner is named to those who may know', async () => {
  await add('northManager', draft(6000, { title: 'Stadium' }))
  const before = await databaseContent(site.ctx)
  const again = await add('northManager', draft(6000))
  expect(again.status).toBe(409)
  expect(again.failure).toMatchObject({ field: 'config.port' })
  expect(again.failure.error).toContain("input 'Stadium'")
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('a port that another program of the host has is found before anything is saved', async () => {
  site.linkHost.takenPorts.add(6000)
  site.linkHost.takenPorts.add(20_000)
  const before = await databaseContent(site.ctx)
  const { status, failure } = await add('admin', draft(6000))
  expect(status).toBe(409)
  expect(failure.error).toContain('another program')
  expect(await databaseContent(site.ctx)).toEqual(before)
  expect((await add('admin', draft(6002))).answer.data.config.multicastPort).toBe(20_001)
})

test('an unreachable host does not prevent adding', async () => {
  await site.linkHost[Symbol.asyncDispose]()
  const { status, answer } = await add('admin', draft(6000))
  expect(status).toBe(201)
  const read = await site.call('admin', readInputStatus, { params: { id: answer.id } })
  expect(read.answer).toMatchObject({ status: false, error: 'exit status 4', state: 'unreachable' })
})

test('titles of any characters are plain text', async () => {
  for (const [index, title] of [
    '"; drop table inputs;--',
    '$(reboot) `id` %s #',
    "O'Brien & <b>",
  ].entries()) {
    const { answer } = await add('admin', draft(6000 + index, { title }))
    expect(answer.data.title).toBe(title)
    expect(answer.data.name).toMatch(/^[a-z0-9-]+$/)
  }
})

test('decisions 17: a key can be written and is never answered', async () => {
  const encryption = { selection: 'yes', passphrase: PLANTED_SECRETS[1], type: 256 } as const
  const { answer } = await add('superadmin', draft(6000, { encryption }))
  expect(answer.data.encryption).toEqual({
    selection: 'yes',
    passphrase: '',
    type: 256,
    passphraseSet: true,
  })
  const [applied] = site.linkHost.paramsOf('applyProgram')
  expect(applied?.spec).toMatchObject({
    outer: { key: { passphrase: PLANTED_SECRETS[1], bits: 256 } },
  })
  const rows = JSON.stringify(await databaseContent(site.ctx))
  const audit = JSON.stringify(await site.ctx.db.selectFrom('audit').selectAll().execute())
  expect(rows + audit).not.toContain(PLANTED_SECRETS[1])
})

test('RIST: the profile of the wire is the tool’s, the buffer the operator’s', async () => {
  const { answer } = await add(
    'admin',
    draft(6000, { inputType: 'RIST', config: { port: 6000, bufferMin: 400, bandWidth: 9000 } }),
  )
  expect(answer.data.config.port).toBe(6000)
  expect(site.linkHost.paramsOf('applyProgram')[0]?.spec).toMatchObject({
    outer: {
      protocol: 'rist',
      profile: 'main',
      bufferMs: 400,
      bandwidthKbps: 9000,
      statIntervalMs: 1000,
    },
  })
})

test('RIST Simple takes the next port too', async () => {
  await add('admin', draft(6000, { inputType: 'RIST', config: { port: 6000, profile: 1 } }))
  expect((await add('admin', draft(6001))).status).toBe(409)
})

test('Q179 a Local input runs nothing, has no status, and takes no command', async () => {
  const { answer } = await add(
    'admin',
    draft(5500, { inputType: 'Local', config: { port: 5500, multicast: '239.1.2.3' } }),
  )
  expect(site.linkHost.paramsOf('applyProgram')).toEqual([])
  const read = await site.call('admin', readInputStatus, { params: { id: answer.id } })
  expect(read.answer).toMatchObject({ status: false, results: 'Local' })
  const acted = await act('admin', answer.id, 'start')
  expect(acted.status).toBe(400)
  expect(acted.failure.error).toContain('Local input')
})

test('a channel server runs no inputs', async () => {
  const { status, failure } = await add('admin', draft(6000, { serverId: site.channelServerId }))
  expect(status).toBe(422)
  expect(failure.field).toBe('serverId')
})

test('ROLE-11 AN, AO who lists inputs of group North', async () => {
  await add('admin', draft(7000))
  const titles = async (who: PersonName) =>
    (await site.call(who, listInputs, {})).answer.contributions.length
  expect(await titles('northManager')).toBe(1)
  expect(await titles('southManager')).toBe(0)
  expect((await site.call('northEditor', listInputs, {})).status).toBe(403)
})

test('T3 a manager adds nothing to another group', async () => {
  const before = await databaseContent(site.ctx)
  expect((await add('northManager', draft(6000, { groupId: site.south }))).status).toBe(404)
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('API-46 API-47 CON-IN-11 to 25 an input is started, read, restarted, tailed and stopped', async () => {
  const { id, data } = (await add('northManager', draft(6000))).answer
  const read = async () =>
    (await site.call('northManager', readInputStatus, { params: { id } })).answer
  expect(await read()).toMatchObject({ status: false, error: 'exit status 3', state: 'stopped' })
  const started = await act('northManager', id, 'start')
  expect(started.answer.results).toMatch(
    new RegExp(`^${data.name} RUNNING pid \\d+, uptime 0:00:0\\d$`),
  )
  expect(await read()).toMatchObject({ status: true, state: 'running' })
  expect((await act('northManager', id, 'restart')).answer.status).toBe(true)
  const tail = await site.call('northManager', contributionAction, {
    body: { id, type: 12, actionType: 'tail' },
  })
  expect(tail.answer).toEqual({ status: true, results: 'one line' })
  expect((await act('northManager', id, 'stop')).answer).toMatchObject({ status: true })
  expect(await read()).toMatchObject({ error: 'exit status 3' })
})

test('Q134 a crash loop is an error with its last line, not Running', async () => {
  const { id } = (await add('admin', draft(6000))).answer
  await act('admin', id, 'start')
  site.linkHost.change(`input-${id}`, { state: 'backoff', pid: null, cause: 'exit status 255' })
  await site.ctx.hosts.call({ host: '127.0.0.1', port: site.linkHost.port }, 'probePort', {
    port: 9000,
  })
  const { answer } = await site.call('admin', readInputStatus, { params: { id } })
  expect(answer).toMatchObject({ status: false, error: 'exit status 255', state: 'backoff' })
})

test('a disabled input says so, and takes no command', async () => {
  const { id } = (await add('admin', draft(6000))).answer
  await site.ctx.db.updateTable('inputs').set({ is_enabled: 0 }).where('id', '=', id).execute()
  const read = await site.call('admin', readInputStatus, { params: { id } })
  expect(read.answer).toMatchObject({ status: false, error: 'Disabled', state: 'disabled' })
  const { status, failure } = await act('admin', id, 'start')
  expect(status).toBe(409)
  expect(failure.error).toBe('Disabled')
})

test('type 12 is a log and no command', async () => {
  const { id } = (await add('admin', draft(6000))).answer
  const { status, failure } = await site.call('admin', contributionAction, {
    body: { id, type: 12, actionType: 'stop' },
  })
  expect(status).toBe(400)
  expect(failure.field).toBe('actionType')
})

test('API-41 CON-IN-10 the list is cut by group, server, search and page', async () => {
  for (const port of [6000, 6002, 6004]) await add('admin', draft(port))
  await add('admin', draft(6006, { groupId: site.south }))
  const list = async (query: InjectInput<typeof listInputs>['query']) => {
    const { answer } = await site.call('admin', listInputs, { query: query ?? {} })
    return [answer.contributions.map(({ title }) => title), answer.total]
  }
  expect(await list({ rowsPerPage: 2, page: 1 })).toEqual([['Feed 6004', 'Feed 6006'], 4])
  expect(await list({ groupId: site.south })).toEqual([['Feed 6006'], 1])
  expect(await list({ serverId: 'nowhere' })).toEqual([[], 0])
  expect(await list({ serverId: site.acantsId, port: '6002' })).toEqual([['Feed 6002'], 1])
  expect((await list({ port: '' }))[1]).toBe(4)
  expect(await list({ searchValue: 'feed 6002' })).toEqual([['Feed 6002'], 1])
  expect((await list({ searchValue: 'acants' }))[1]).toBe(4)
  expect((await list({ rowsPerPage: 0 }))[1]).toBe(4)
})
