import type { TransportMinute } from '@trunkline/contract/fleet/transport-history.schema'
import type { TransportMinutes } from '@trunkline/contract/agent/program.messages'
import { transportHistory } from '@trunkline/contract/contributions/transport-history.calls'
import { expect, test, vi } from 'vitest'
import { fakeReport, type AskedMinutes } from '../../testing/fake-host.ts'
import { addTestInput } from '../../testing/input.fixture.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import { TransportRecorder } from './transport-recorder.service.ts'
import { testMinute, testSpan } from './transport.fixture.ts'

/** What an agent keeps: each with its number. */
function keptMinutes(run: string) {
  const kept: TransportMinute[] = []
  const asked: AskedMinutes[] = []
  return {
    asked,
    add: (...minutes: TransportMinute[]) => void kept.push(...minutes),
    answer: (question: AskedMinutes): TransportMinutes => {
      asked.push(question)
      if (question.run !== run) return { run, upTo: 0, hasMore: true, minutes: [] }
      const minutes = kept.slice(question.after, question.after + 3)
      const upTo = question.after + minutes.length
      return { run, upTo, hasMore: upTo < kept.length, minutes }
    },
  }
}

/** Recorders that hear what an input's host reports, by a clock that the test sets. */
async function openRecorders(kind: (typeof BOTH_DATABASES)[number]) {
  const site = await openSiteOn(kind)
  const { id } = await addTestInput(site, 6002)
  const programId = `input-${id}`
  const host = site.linkHost
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: host.port })
  // The last full minute but two, so that what is stored is within the hour that is read.
  const startMs = Math.floor(Date.now() / 60_000) * 60_000 - 180_000
  let nowMs = Date.now()
  const openRecorder = () => {
    const recorder = new TransportRecorder({ ...site.ctx, clock: () => nowMs })
    const stop = site.ctx.hosts.listen((event) => recorder.hear(event))
    return { recorder, stop }
  }
  const report = async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = site.ctx.hosts.listen((event) => {
      if (event.type === 'transports') resolve()
    })
    host.tell({ type: 'program', nowMs: host.nowMs(), report: fakeReport(programId, nowMs) })
    const unread = { state: 'unread', reason: 'overloaded', atMs: host.nowMs() } as const
    const transports = [{ programId, report: unread }]
    host.tell({ type: 'readings', nowMs: host.nowMs(), readings: [], transports })
    await promise
    stop()
  }
  const read = async () => {
    const params = { kind: 'input' as const, id }
    return (await site.call('northManager', transportHistory, { params })).answer.data
  }
  return {
    site,
    host,
    programId,
    startMs,
    openRecorder,
    report,
    read,
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

test.each(BOTH_DATABASES)(
  'what a host has counted is stored once, whatever goes away in between, on %s',
  async (kind) => {
    const { host, programId, startMs, openRecorder, report, read, pass } = await openRecorders(kind)
    const kept = keptMinutes('run-1')
    host.transportMinutes = (asked) => kept.answer(asked)
    const bad = { continuityErrors: 17, errors: [testSpan(startMs + 10_000, 17)] }
    kept.add(testMinute(programId, startMs, bad))
    const { recorder, stop } = openRecorder()
    await report()
    pass(60_000)
    await recorder.work()
    expect((await read()).points).toMatchObject([
      { atMs: startMs, lookedMs: 4000, continuityErrors: 17 },
    ])
    stop()
    // Another process takes over: it knows from the database where to go on.
    const other = openRecorder()
    kept.add(testMinute(programId, startMs + 60_000))
    await report()
    pass(60_000)
    await other.recorder.work()
    // The first one is back, and asks from where it was: what the other one stored is not stored again.
    kept.add(testMinute(programId, startMs + 120_000, { continuityErrors: 1 }))
    recorder.hear({ type: 'transports', programIds: [programId] })
    await recorder.work()
    recorder.hear({ type: 'transports', programIds: [programId] })
    pass(60_000)
    await recorder.work()
    const { points, errors } = await read()
    expect(points.map(({ continuityErrors }) => continuityErrors)).toEqual([17, 0, 1])
    expect(points.map(({ lookedMs }) => lookedMs)).toEqual([4000, 4000, 4000])
    const [error] = errors
    expect(error).toMatchObject({ lookedMs: 2000, everyMs: 30_000, faults: [{ count: 17 }] })
    // By our clock, which the link measures to some milliseconds.
    expect(Math.abs((error?.fromMs ?? 0) - startMs - 10_000)).toBeLessThan(2000)
  },
)

test('all that a host has kept while the API was away is read in one turn, in parts', async () => {
  const { host, programId, startMs, openRecorder, report, read, pass } =
    await openRecorders('SQLite')
  const kept = keptMinutes('run-1')
  host.transportMinutes = (asked) => kept.answer(asked)
  const minutes = Array.from({ length: 20 }, (_, at) =>
    testMinute(programId, startMs - at * 60_000, { continuityErrors: 1 }),
  )
  kept.add(...minutes.toReversed())
  const { recorder } = openRecorder()
  await report()
  pass(60_000)
  await recorder.work()
  expect((await read()).points).toHaveLength(20)
  expect(kept.asked.map(({ after }) => after)).toEqual([0, 0, 3, 6, 9, 12, 15, 18])
})

test('an agent that was started again counts anew; a host without news is not asked', async () => {
  const { host, programId, startMs, openRecorder, report, read, pass } =
    await openRecorders('SQLite')
  const before = keptMinutes('run-1')
  before.add(testMinute(programId, startMs), testMinute(programId, startMs + 60_000))
  host.transportMinutes = (asked) => before.answer(asked)
  const { recorder } = openRecorder()
  await report()
  pass(60_000)
  await recorder.work()
  const after = keptMinutes('run-2')
  after.add(testMinute(programId, startMs + 120_000))
  host.transportMinutes = (asked) => after.answer(asked)
  await report()
  pass(60_000)
  await recorder.work()
  expect((await read()).points).toHaveLength(3)
  // Asked as long as a minute may be under way, and not any more after that.
  for (let turn = 0; turn < 5; turn++) {
    pass(60_000)
    await recorder.work()
  }
  const asked = after.asked.length
  pass(60_000)
  await recorder.work()
  expect(after.asked).toHaveLength(asked)
})

test('a host counts only for programs that are wanted there', async () => {
  const { host, startMs, openRecorder, report, pass, site } = await openRecorders('SQLite')
  const kept = keptMinutes('run-1')
  kept.add(testMinute('input-of-another-host', startMs))
  host.transportMinutes = (asked) => kept.answer(asked)
  const { recorder } = openRecorder()
  await report()
  pass(60_000)
  await recorder.work()
  const rows = await site.ctx.db.selectFrom('transport_samples').selectAll().execute()
  expect(rows).toEqual([])
  expect(await site.ctx.db.selectFrom('transport_cursors').select('up_to').execute()).toEqual([
    { up_to: 1 },
  ])
})

test('F4 a host that is away is not asked, and one that goes away meanwhile is no warning', async () => {
  const { host, openRecorder, report, pass, site } = await openRecorders('SQLite')
  const { asked, answer } = keptMinutes('run-1')
  const { recorder } = openRecorder()
  await report()
  const warned = vi.spyOn(site.ctx.log, 'warn')
  const address = { host: '127.0.0.1', port: host.port }
  host.transportMinutes = (question) => {
    void host[Symbol.asyncDispose]()
    return answer(question)
  }
  pass(60_000)
  await recorder.work()
  await vi.waitFor(() => expect(site.ctx.hosts.status(address)?.online).toBe(false), LIMIT)
  pass(60_000)
  await recorder.work()
  expect(asked).toHaveLength(1)
  expect(warned).not.toHaveBeenCalled()
})

/** Only ends what hangs. */
const LIMIT = { timeout: 60_000, interval: 20 }

test('counts that could not be stored are read again', async () => {
  const { host, programId, startMs, openRecorder, report, read, pass, site } =
    await openRecorders('SQLite')
  const kept = keptMinutes('run-1')
  kept.add(testMinute(programId, startMs))
  host.transportMinutes = (asked) => kept.answer(asked)
  const { recorder } = openRecorder()
  await report()
  const { schema } = site.ctx.db
  await schema.alterTable('transport_samples').renameTo('transport_samples_away').execute()
  pass(60_000)
  await recorder.work()
  await schema.alterTable('transport_samples_away').renameTo('transport_samples').execute()
  pass(60_000)
  await recorder.work()
  expect((await read()).points).toHaveLength(1)
})
