import { listAudit } from '@trunkline/contract/audit/audit.calls'
import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { listEvents } from '@trunkline/contract/events/event.calls'
import { putOnAir } from '@trunkline/contract/on-air/on-air.calls'
import {
  addSchedule,
  listScheduleMarks,
  listScheduleRuns,
  listSchedules,
} from '@trunkline/contract/schedules/schedule.calls'
import { RUNS_KEPT, type ScheduleDraft } from '@trunkline/contract/schedules/schedule.schema'
import { removeUser } from '@trunkline/contract/users/user.calls'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../app.ts'
import type { Context } from '../context.ts'
import { outcomesOf } from '../outcome-counts.ts'
import { addPath } from '../paths/path-site.fixture.ts'
import { addTestInput } from '../testing/input.fixture.ts'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { makeTestContext } from '../testing/test-context.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'
import { openSchedules } from './schedule-runner.service.ts'
import * as scheduleStore from './schedule.store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Moves the clock of runners alone: sessions and hosts go by their own. */
function movingClock() {
  let aheadMs = 0
  return {
    clock: () => Date.now() + aheadMs,
    advance: (ms: number) => {
      aheadMs += ms
    },
    iso: (ms: number) => new Date(Date.now() + aheadMs + ms).toISOString(),
  }
}

type Clock = ReturnType<typeof movingClock>

function runnerOn(ctx: Context, { clock }: Clock) {
  const runner = openSchedules({ ...ctx, clock })
  onTestFinished(async () => runner[Symbol.asyncDispose]())
  return {
    async pass() {
      await runner.look()
      await runner.settled()
    },
  }
}

async function add(
  site: TestSite,
  who: PersonName,
  draft: Pick<ScheduleDraft, 'object' | 'command' | 'times'> & Partial<ScheduleDraft>,
): Promise<string> {
  const { status, text, answer } = await site.call(who, addSchedule, { body: draft })
  expect(text).toContain('"status":true')
  expect(status).toBe(201)
  return answer.id
}

function once(at: string) {
  return { repeats: 'once' as const, at, timeZone: 'UTC' }
}

const DAILY = {
  repeats: 'weekly' as const,
  days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const,
  timeZone: 'UTC',
}

async function outcomes(site: TestSite, id: string) {
  const { answer } = await site.call('admin', listScheduleRuns, { params: { id } })
  return answer.data.map(({ outcome, sentence }) => `${outcome} ${sentence}`.trim())
}

async function start(site: TestSite, id: string) {
  const body = { data: { name: 'encoder0', command: 'start' as const } }
  expect((await site.call('admin', controlEncoder, { params: { id }, body })).status).toBe(200)
}

function stateOf(site: TestSite, id: string) {
  return site.ctx.board.program(`encoder-${id}`)?.state
}

test.each(BOTH_DATABASES)(
  'a schedule is carried out once when it is due, as whoever made it, on %s',
  async (database) => {
    const site = await openSiteOn(database)
    const { id } = await addTestEncoder(site, 0)
    const time = movingClock()
    const runner = runnerOn(site.ctx, time)
    const object = { kind: 'encoder' as const, id }
    const times = once(time.iso(5 * MINUTE_MS))
    const scheduleId = await add(site, 'northEditor', { object, command: 'start', times })
    await runner.pass()
    expect(await outcomes(site, scheduleId)).toEqual([])
    expect(stateOf(site, id)).not.toBe('running')

    time.advance(5 * MINUTE_MS + 1000)
    await runner.pass()
    await runner.pass()
    expect(await outcomes(site, scheduleId)).toEqual(['done'])
    expect(outcomesOf(site.ctx).scheduleRuns).toMatchObject({ done: 1, failed: 0, missed: 0 })
    expect(stateOf(site, id)).toBe('running')
    const { answer } = await site.call('northEditor', listSchedules, { query: object })
    expect(answer.data).toMatchObject([{ nextAt: null, lastRun: { outcome: 'done' } }])

    const timeline = await site.call('admin', listEvents, {
      query: { ...object, show: 'schedule' },
    })
    expect(timeline.answer.data).toMatchObject([{ kind: 'schedule', state: 'start done' }])
    const activity = await site.call('admin', listAudit, { query: {} })
    const lines = activity.answer.data.map(({ call, actor }) => `${call} ${actor?.fullName}`)
    expect(lines).toEqual(
      expect.arrayContaining([
        'schedules.run Test northEditor',
        'encoders.control Test northEditor',
      ]),
    )
  },
)

test('of two API processes exactly one carries out each schedule', async () => {
  const site = await openSiteOn('PostgreSQL')
  const { id } = await addTestEncoder(site, 0)
  const { databaseUrl, secretFile } = site.ctx.config
  const opened = await makeTestContext({ databaseUrl, secretFile })
  onTestFinished(async () => opened[Symbol.asyncDispose]())
  const app = await buildApp(opened.ctx)
  onTestFinished(async () => app.close())
  const time = movingClock()
  // The second shares the hosts of the first: only what the database decides is tried here.
  const { db, notices } = opened.ctx
  const runners = [runnerOn(site.ctx, time), runnerOn({ ...site.ctx, db, notices }, time)]
  const object = { kind: 'encoder' as const, id }
  const ids: string[] = []
  for (let count = 0; count < 10; count += 1) {
    const command = count % 2 === 0 ? ('start' as const) : ('stop' as const)
    const times = once(time.iso((count + 1) * MINUTE_MS))
    ids.push(await add(site, 'admin', { object, command, times }))
  }
  for (const _ of ids) {
    time.advance(MINUTE_MS + 100)
    await Promise.all(runners.map(async (runner) => runner.pass()))
  }
  const found = await Promise.all(ids.map(async (each) => outcomes(site, each)))
  expect(found).toEqual(ids.map(() => ['done']))
  const lines = await site.ctx.db
    .selectFrom('audit')
    .select('id')
    .where('call', '=', 'encoders.control')
    .execute()
  expect(lines).toHaveLength(ids.length)
})

test.each(BOTH_DATABASES)(
  'what was due while no API ran is reported as missed and not carried out, on %s',
  async (database) => {
    const site = await openSiteOn(database)
    const { id } = await addTestEncoder(site, 0)
    const time = movingClock()
    const object = { kind: 'encoder' as const, id }
    const times = once(time.iso(MINUTE_MS))
    const single = await add(site, 'admin', { object, command: 'start', times })
    const now = new Date(time.clock() + 5 * MINUTE_MS).toISOString().slice(11, 16)
    const daily = { ...DAILY, days: [...DAILY.days], time: now }
    const repeated = await add(site, 'admin', { object, command: 'start', times: daily })
    time.advance(3 * DAY_MS)
    const runner = runnerOn(site.ctx, time)
    await runner.pass()
    const missed =
      'missed No API process carried it out in time: none ran, the database was away, or the clock was set ahead. Check whether it is still needed.'
    expect(await outcomes(site, single)).toEqual([missed])
    expect(await outcomes(site, repeated)).toEqual([missed, missed, missed])
    expect(outcomesOf(site.ctx).scheduleRuns.missed).toBe(4)
    expect(stateOf(site, id)).not.toBe('running')
    const { answer } = await site.call('admin', listSchedules, { query: object })
    const next = answer.data.find((each) => each.id === repeated)?.nextAt ?? ''
    expect(next.slice(11, 16)).toBe(now)
    expect(Date.parse(next)).toBeGreaterThan(time.clock())
    const timeline = await site.call('admin', listEvents, {
      query: { ...object, show: 'schedule' },
    })
    expect(timeline.answer.data.map(({ state }) => state)).toEqual(Array(4).fill('start missed'))

    // The next one is in time again.
    time.advance(Date.parse(next) - time.clock())
    await runner.pass()
    expect((await outcomes(site, repeated))[0]).toBe('done')
  },
)

test('a schedule is late by a minute at most', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const time = movingClock()
  const object = { kind: 'encoder' as const, id }
  const inTime = await add(site, 'admin', {
    object,
    command: 'start',
    times: once(time.iso(10 * MINUTE_MS)),
  })
  const late = await add(site, 'admin', {
    object,
    command: 'start',
    times: once(time.iso(8 * MINUTE_MS)),
  })
  time.advance(10 * MINUTE_MS + 1000)
  await runnerOn(site.ctx, time).pass()
  expect(await outcomes(site, inTime)).toEqual(['done'])
  expect((await outcomes(site, late))[0]).toContain('missed')
})

test('a stop of what is on air is refused and shown, unless that was chosen', async () => {
  const site = await openSiteOn('SQLite')
  const { encoderId, channelId } = await addPath(site)
  await start(site, encoderId)
  const params = { kind: 'channel' as const, id: channelId }
  await site.call('northManager', putOnAir, { params, body: {} })
  const time = movingClock()
  const runner = runnerOn(site.ctx, time)
  const object = { kind: 'encoder' as const, id: encoderId }
  const stop = { object, command: 'stop' as const }
  const times = once(time.iso(MINUTE_MS))
  const refused = await add(site, 'northManager', { ...stop, times })
  time.advance(MINUTE_MS + 1000)
  await runner.pass()
  expect(await outcomes(site, refused)).toEqual([
    "refused It would have interrupted 'Live', which was on air. To carry it out then too, choose that in the schedule.",
  ])
  expect(stateOf(site, encoderId)).toBe('running')
  const marks = await site.call('northEditor', listScheduleMarks, {})
  expect(marks.answer.data).toMatchObject([
    { ...object, next: null, problem: { command: 'stop', outcome: 'refused' } },
  ])
  const timeline = await site.call('northEditor', listEvents, {
    query: { ...object, show: 'schedule' },
  })
  expect(timeline.answer.data).toMatchObject([{ state: 'stop refused' }])

  const chosen = await add(site, 'northManager', {
    ...stop,
    times: once(time.iso(MINUTE_MS)),
    alsoOnAir: true,
  })
  time.advance(MINUTE_MS + 1000)
  await runner.pass()
  expect(await outcomes(site, chosen)).toEqual(['done'])
  expect(stateOf(site, encoderId)).toBe('stopped')
})

test('it is refused when whoever made it has lost the right, or their account', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const time = movingClock()
  const runner = runnerOn(site.ctx, time)
  const object = { kind: 'encoder' as const, id }
  const start = { object, command: 'start' as const }
  const editors = await add(site, 'northEditor', { ...start, times: once(time.iso(MINUTE_MS)) })
  const later = await add(site, 'northEditor', { ...start, times: once(time.iso(5 * MINUTE_MS)) })
  await site.ctx.db.deleteFrom('encoder_users').execute()
  time.advance(MINUTE_MS + 1000)
  await runner.pass()
  expect(await outcomes(site, editors)).toEqual([
    'refused Test northEditor, who saved this schedule last, may not do this any more. Save it again to carry it out with your rights.',
  ])
  const removed = await site.call('admin', removeUser, {
    params: { id: site.people.northEditor.id },
  })
  expect(removed.status).toBe(200)
  time.advance(4 * MINUTE_MS)
  await runner.pass()
  expect((await outcomes(site, later))[0]).toContain(
    'refused The account that saved this schedule no',
  )
  expect(stateOf(site, id)).not.toBe('running')
})

test('a command that its host refuses, or cannot be reached for, has failed with that sentence', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const time = movingClock()
  const runner = runnerOn(site.ctx, time)
  const object = { kind: 'encoder' as const, id }
  const times = once(time.iso(MINUTE_MS))
  const failed = await add(site, 'admin', { object, command: 'start', times })
  await site.encoderHost[Symbol.asyncDispose]()
  const address = { host: '127.0.0.1', port: site.encoderHost.port }
  await expect.poll(() => site.ctx.hosts.status(address)?.online, { timeout: 60_000 }).toBe(false)
  time.advance(MINUTE_MS + 1000)
  await runner.pass()
  expect(await outcomes(site, failed)).toEqual([
    'failed The host does not answer. Ask an admin to look after it. The command was not carried out, and will not be.',
  ])
})

test('hosts that are silent do not keep the schedules of another host waiting', async () => {
  const site = await openSiteOn('SQLite')
  const time = movingClock()
  const runner = runnerOn(site.ctx, time)
  const silent: string[] = []
  for (let at = 0; at < 20; at += 1) {
    const { id } = await addTestInput(site, 6100 + 2 * at)
    const object = { kind: 'input' as const, id }
    silent.push(
      await add(site, 'admin', { object, command: 'start', times: once(time.iso(MINUTE_MS)) }),
    )
  }
  const { id } = await addTestEncoder(site, 0)
  const object = { kind: 'encoder' as const, id }
  const times = once(time.iso(MINUTE_MS))
  const last = await add(site, 'admin', { object, command: 'start', times })
  site.linkHost.silentOn.add('controlProgram')
  time.advance(MINUTE_MS + 1000)
  const passing = runner.pass()
  await expect.poll(async () => outcomes(site, last)).toEqual(['done'])
  for (const scheduleId of silent) expect(await outcomes(site, scheduleId)).toEqual(['running'])
  await site.linkHost[Symbol.asyncDispose]()
  await passing
})

test('what a killed API has left unfinished is ended as failed, once', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const time = movingClock()
  const object = { kind: 'encoder' as const, id }
  const times = once(time.iso(MINUTE_MS))
  const cut = await add(site, 'admin', { object, command: 'start', times })
  time.advance(MINUTE_MS)
  const now = time.iso(0)
  const schedule = await scheduleStore.find(site.ctx.db, cut)
  expect(schedule).not.toBeNull()
  await site.ctx.db.updateTable('schedules').set({ next_at: null }).where('id', '=', cut).execute()
  await scheduleStore.insertRun(site.ctx.db, {
    id: 'cut',
    scheduleId: cut,
    dueAt: now,
    begunAt: now,
    endedAt: null,
    outcome: 'running',
    sentence: '',
  })
  const runner = runnerOn(site.ctx, time)
  await runner.pass()
  expect(await outcomes(site, cut)).toEqual(['running'])
  time.advance(2 * MINUTE_MS + 1000)
  await runner.pass()
  await runner.pass()
  expect(await outcomes(site, cut)).toEqual([
    'failed The API ended before it was finished. Check the object.',
  ])
  const timeline = await site.call('admin', listEvents, { query: { ...object, show: 'schedule' } })
  expect(timeline.answer.data).toMatchObject([{ state: 'start failed' }])
})

test('the newest runs of a schedule are kept', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const time = movingClock()
  const clock = new Date(time.clock() + MINUTE_MS).toISOString().slice(11, 16)
  const times = { ...DAILY, days: [...DAILY.days], time: clock }
  const object = { kind: 'encoder' as const, id }
  const daily = await add(site, 'admin', { object, command: 'start', times })
  time.advance(40 * DAY_MS)
  const runner = runnerOn(site.ctx, time)
  await runner.pass()
  time.advance(40 * DAY_MS)
  await runner.pass()
  expect(await outcomes(site, daily)).toHaveLength(RUNS_KEPT)
})

test('a channel is switched to the source that was chosen, and not when its sources have changed', async () => {
  const site = await openSiteOn('SQLite')
  const { channelId } = await addPath(site)
  const time = movingClock()
  const runner = runnerOn(site.ctx, time)
  const object = { kind: 'channel' as const, id: channelId }
  const base = { object, command: 'switch' as const }
  const source = { index: 0, url: 'srt://:7100' }
  const times = once(time.iso(MINUTE_MS))
  const right = await add(site, 'northManager', { ...base, source, times })
  const wrong = await add(site, 'northManager', { ...base, source: { ...source, index: 1 }, times })
  time.advance(MINUTE_MS + 1000)
  await runner.pass()
  expect(await outcomes(site, right)).toEqual(['done'])
  expect(await outcomes(site, wrong)).toEqual([
    'failed The sources of this stream have changed. Check them and choose again.',
  ])
})
