import {
  addEncoder,
  controlEncoder,
  readEncoderStatus,
} from '@trunkline/contract/encoders/encoder.calls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PersonName } from '../testing/people.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'

let site: TestSite
let id: string
beforeEach(async () => {
  site = await openTestSite()
  id = (await addTestEncoder(site, 0)).id
})
afterEach(async () => site[Symbol.asyncDispose]())

type Command = 'start' | 'stop' | 'restart' | 'tail'

async function control(who: PersonName, command: Command, name = 'encoder0') {
  return site.call(who, controlEncoder, { params: { id }, body: { data: { name, command } } })
}

async function statusOf(who: PersonName = 'admin') {
  return site.call(who, readEncoderStatus, { params: { id } })
}

async function auditOf(call: string) {
  return site.ctx.db
    .selectFrom('audit')
    .selectAll()
    .where('call', '=', call)
    .orderBy('at')
    .execute()
}

async function wantedRunning() {
  const row = await site.ctx.db
    .selectFrom('encoders')
    .select('wanted_running')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.wanted_running
}

test('STATE-10 start, restart and stop answer the state of the host, and are stored', async () => {
  expect((await statusOf()).answer).toMatchObject({ status: true, results: 'encoder0 STOPPED' })
  const started = await control('admin', 'start')
  expect(started.answer).toMatchObject({ status: true, state: 'running' })
  expect(started.answer.results).toMatch(/^encoder0 RUNNING pid \d+, uptime 0:00:0\d$/)
  expect(await wantedRunning()).toBe(1)
  const firstPid = site.encoderHost.programs.get(`encoder-${id}`)?.pid
  await control('admin', 'restart')
  expect(site.encoderHost.programs.get(`encoder-${id}`)?.pid).not.toBe(firstPid)
  const stopped = await control('admin', 'stop')
  expect(stopped.answer).toMatchObject({ status: true, results: 'encoder0 STOPPED' })
  expect(await wantedRunning()).toBe(0)
  const lines = await auditOf('encoders.control')
  expect(lines.map((line) => [line.reason, line.result, line.object_id])).toEqual([
    ['start', 'done', id],
    ['restart', 'done', id],
    ['stop', 'done', id],
  ])
})

test('the host is given typed settings, and no restart when nothing changed', async () => {
  await control('admin', 'start')
  const [applied] = site.encoderHost.paramsOf('applyProgram')
  expect(applied?.spec).toMatchObject({ kind: 'encoder', config: { 'card-idx': 0 } })
  expect(applied?.programId).toBe(`encoder-${id}`)
  const before = site.encoderHost.paramsOf('applyProgram').length
  await control('admin', 'restart')
  expect(site.encoderHost.paramsOf('applyProgram')).toHaveLength(before)
})

test.each([
  ['superadmin', 200],
  ['admin', 200],
  ['northManager', 200],
  ['northEditor', 200],
  ['northMonitor', 403],
  ['southManager', 404],
  ['southEditor', 404],
  ['southMonitor', 404],
] as const)('ROLE-11 H start by %s answers %i', async (who, status) => {
  const answer = await control(who, 'start')
  expect(answer.status).toBe(status)
  expect(await wantedRunning()).toBe(status === 200 ? 1 : 0)
})

test('ERR-28 a monitor is refused', async () => {
  const { failure } = await control('northMonitor', 'stop')
  expect(failure.error).toBe('You are not authorized to perform this action!')
  const [line] = await auditOf('encoders.control')
  expect(line).toMatchObject({ result: 'refused', object_id: id })
})

test.each([
  ['admin', 200],
  ['northManager', 200],
  ['northEditor', 200],
  ['northMonitor', 200],
  ['southManager', 404],
  ['southEditor', 404],
  ['southMonitor', 404],
] as const)('ROLE-11 F, G status and log for %s answer %i', async (who, status) => {
  expect((await statusOf(who)).status).toBe(status)
  expect((await control(who, 'tail')).status).toBe(status)
})

test('Q75 the log is the last lines of the program', async () => {
  site.encoderHost.log = ['first', 'last']
  expect((await control('northMonitor', 'tail')).answer.results).toBe('first\nlast')
  expect(site.encoderHost.paramsOf('tailProgram')[0]).toMatchObject({ lines: 100 })
})

test('Q61 only the name of the configuration is taken', async () => {
  const answer = await control('admin', 'start', 'encoder1')
  expect(answer.status).toBe(400)
  expect(answer.failure).toMatchObject({ field: 'data.name', code: 'invalid' })
  expect(answer.failure.error).toContain("'encoder0'")
  expect(await wantedRunning()).toBe(0)
})

test('ERR-22 an encoder without configuration says so', async () => {
  const added = await site.call('admin', addEncoder, {
    body: { title: 'Bare', ip: '127.0.0.1', port: site.encoderHost.port, groupId: site.north },
  })
  const bare = { params: { id: added.answer.id } }
  for (const answer of [
    await site.call('admin', readEncoderStatus, bare),
    await site.call('admin', controlEncoder, {
      ...bare,
      body: { data: { name: 'encoder0', command: 'start' } },
    }),
  ]) {
    expect(answer.status).toBe(400)
    expect(answer.failure.error).toBe('This encoder is not yet configured.')
  }
})

test('Q66 a disabled encoder takes no command', async () => {
  await site.ctx.db.updateTable('encoders').set({ is_enabled: 0 }).where('id', '=', id).execute()
  const answer = await control('admin', 'start')
  expect(answer.status).toBe(409)
  expect(answer.failure.error).toBe('Disabled')
})

test('decisions 9: a command to a dead host fails, is noted, and is not run later', async () => {
  await site.encoderHost[Symbol.asyncDispose]()
  const answer = await control('admin', 'start')
  expect(answer.status).toBe(502)
  expect(answer.failure).toMatchObject({ status: false, code: 'host_unreachable' })
  expect(await wantedRunning()).toBe(0)
  const [line] = await auditOf('encoders.control')
  expect(line?.result).toBe('failed')
  const status = await statusOf()
  expect(status.status).toBe(200)
  expect(status.answer).toMatchObject({ status: false, results: '', state: 'unreachable' })
})

test.each([
  [
    'admin',
    /^The host 127\.0\.0\.1:\d+ refuses.*\. The command was not carried out, and will not be\.$/,
  ],
  [
    'northManager',
    /^The host does not answer\. Ask an admin to look after it\. The command was not carried out, and will not be\.$/,
  ],
  [
    'northEditor',
    /^The host does not answer\. Ask an admin to look after it\. The command was not carried out, and will not be\.$/,
  ],
] as const)(
  'T4 the cause of an unreachable host, as %s sees it after a command',
  async (who, sentence) => {
    const { ctx, encoderHost } = site
    const { promise, resolve } = Promise.withResolvers<void>()
    ctx.board.listen((event) => {
      if (event.event === 'host' && event.data.cause.includes('refuses')) resolve()
    })
    await encoderHost[Symbol.asyncDispose]()
    await promise
    const { status, failure } = await control(who, 'start')
    expect([status, failure.error]).toEqual([502, expect.stringMatching(sentence)])
  },
)

test('a host that does not answer in time is a 504, and the wanted state is not changed', async () => {
  site.encoderHost.silentOn.add('controlProgram')
  site.encoderHost.silentOn.add('applyProgram')
  site.pollFast()
  const answer = await control('admin', 'start')
  expect(answer.status).toBe(504)
  expect(await wantedRunning()).toBe(0)
})

test('a refusal of the host is answered in its words, and the wanted state is not changed', async () => {
  site.encoderHost.refusals.set('controlProgram', 'Card 0 is in use by another program.')
  const answer = await control('admin', 'start')
  expect(answer.status).toBe(200)
  expect(answer.answer).toMatchObject({
    status: false,
    error: 'Card 0 is in use by another program.',
  })
  expect(await wantedRunning()).toBe(0)
})

test('a program that dies on its own shows at once, cause and all', async () => {
  await control('admin', 'start')
  site.encoderHost.change(`encoder-${id}`, { state: 'fatal', pid: null, cause: 'No such device' })
  await site.ctx.hosts.call({ host: '127.0.0.1', port: site.encoderHost.port }, 'probePort', {
    port: 5000,
  })
  const { answer } = await statusOf()
  expect(answer).toMatchObject({
    status: true,
    state: 'fatal',
    results: 'encoder0 STOPPED (FATAL No such device)',
  })
})

test('a log of a broken host is cut to the requested lines, each of limited length', async () => {
  site.encoderHost.log = Array.from({ length: 1000 }, (_, index) => `${index} `.padEnd(5000, 'x'))
  const { answer } = await control('admin', 'tail')
  const lines = answer.results.split('\n')
  expect(lines).toHaveLength(100)
  expect(lines.map((line) => line.length)).toEqual(lines.map(() => 4000))
  expect(lines[99]).toMatch(/^999 x/)
})
