import { saveChannels } from '@trunkline/contract/channels/channel.calls'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { updateInput } from '@trunkline/contract/contributions/input.calls'
import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { listEvents, readAvailability } from '@trunkline/contract/events/event.calls'
import type { TimelineEvent } from '@trunkline/contract/events/event.schema'
import { expect, test, vi } from 'vitest'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { movingSince } from '../testing/fake-host.ts'
import { fakeStream } from '../testing/fake-media-server.ts'
import { dayOf } from '../links/history/day-counter.ts'
import * as linkDayStore from '../links/history/link-day.store.ts'
import { addTestInput } from '../testing/input.fixture.ts'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { copyRow } from '../testing/copied-rows.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'
import { openEvents, type EventKeeper } from './event-recorder.service.ts'
import * as eventStore from './event.store.ts'

interface Timeline {
  keeper: EventKeeper
  /** Kinds of what was observed, oldest first, once the newest is this one. */
  until: (newest: string) => Promise<string[]>
  events: () => Promise<TimelineEvent[]>
}

function timelineOf(site: TestSite, kind: ObservedKind, id: string): Timeline {
  const keeper = openEvents(site.ctx)
  const events = async () =>
    (await site.call('admin', listEvents, { query: { kind, id } })).answer.data
  const until = async (newest: string) =>
    vi.waitFor(async () => {
      await keeper.written()
      const kinds = (await events()).filter(({ call }) => call === '').map(({ kind: each }) => each)
      expect(kinds[0]).toBe(newest)
      return kinds.toReversed()
    }, 60_000)
  return { keeper, until, events }
}

/** The host of these tests begins a process when it gets the settings, and another with the command. */
const STARTED = ['up', 'up'] as const

async function command(site: TestSite, id: string, actionType: 'start' | 'stop'): Promise<void> {
  await site.call('northManager', contributionAction, { body: { id, type: 1, actionType } })
}

test.each(BOTH_DATABASES)(
  'what happens to an input is its timeline, with exact times and causes, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id } = await addTestInput(site, 6100)
    const { keeper, until, events } = timelineOf(site, 'input', id)
    await using _ = keeper
    // It compares what follows with what it has read.
    await keeper.written()
    await command(site, id, 'start')
    await until('up')
    const programId = `input-${id}`
    const observed = movingSince(site.linkHost.nowMs())
    site.linkHost.change(programId, { peer: 'connected', observed })
    await until('connected')
    site.linkHost.change(programId, { state: 'backoff', pid: null, cause: 'Port 6100 is in use.' })
    await until('down')
    const since = site.linkHost.programs.get(programId)?.sinceMs ?? 0
    const down = (await events()).find((event) => event.kind === 'down')
    expect(Math.abs(Date.parse(down?.at ?? '') - since)).toBeLessThan(2000)
    expect(down).toMatchObject({ cause: 'Port 6100 is in use.', actor: '', call: '' })
    const atMs = site.linkHost.nowMs()
    site.linkHost.tell({ type: 'restart', programId, atMs, restarts: 1, cause: 'Broken pipe.' })
    await until('restarted')
    site.linkHost.change(programId, { state: 'running', pid: 99, cause: '', restarts: 1 })
    await until('up')
    await command(site, id, 'stop')
    const kinds = await until('off')
    expect(kinds).toEqual([...STARTED, 'connected', 'down', 'restarted', 'up', 'off'])
    const deeds = (await events()).filter(({ call }) => call !== '')
    expect(deeds.map((deed) => [deed.kind, deed.state])).toEqual([
      ['command', 'stop'],
      ['command', 'start'],
      ['saved', ''],
    ])
  },
)

test.each(BOTH_DATABASES)(
  'after a restart nothing is there twice or invented, and the gap is an event, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id } = await addTestInput(site, 6100)
    const first = timelineOf(site, 'input', id)
    await command(site, id, 'start')
    const { pid } = site.linkHost.programs.get(`input-${id}`) ?? {}
    await vi.waitFor(() => expect(site.ctx.board.program(`input-${id}`)?.pid).toBe(pid), 60_000)
    await first.keeper.written()
    // The second process, and the first where the recorder looked in between.
    const before = await first.until('up')
    expect(new Set(before)).toEqual(new Set(STARTED))
    await first.keeper[Symbol.asyncDispose]()
    const second = timelineOf(site, 'input', id)
    expect(await second.until('unwatched')).toEqual([...before, 'unwatched'])
    const gap = (await second.events()).find((event) => event.kind === 'unwatched')
    expect(Date.parse(gap?.since ?? '')).toBeLessThan(Date.parse(gap?.at ?? ''))
    await second.keeper[Symbol.asyncDispose]()
    // It dies and comes back while nobody watches.
    site.linkHost.change(`input-${id}`, { state: 'running', pid: 4711, restarts: 1 })
    await vi.waitFor(() => expect(site.ctx.board.program(`input-${id}`)?.pid).toBe(4711), 60_000)
    const third = timelineOf(site, 'input', id)
    await using _ = third.keeper
    await vi.waitFor(async () => {
      await third.keeper.written()
      const kinds = (await third.events()).flatMap(({ call, kind: each }) =>
        call === '' ? [each] : [],
      )
      const expected = [...before, 'unwatched', 'unwatched', 'restarted', 'up']
      expect(kinds.toSorted()).toEqual(expected.toSorted())
    }, 60_000)
  },
)

test.each(BOTH_DATABASES)(
  'what is not written before the end is found at the next start, and the gap begins before it, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { db, hosts } = site.ctx
    await copyRow(db, 'servers', site.acantsId, 300, [
      'id',
      'title',
      'title_key',
      'host',
      'host_key',
    ])
    await hosts.sync({ by: 'all' })
    const silent = hosts.serverRecords().filter(({ id }) => id.startsWith(`${site.acantsId}-`))
    let aheadMs = 0
    const ctx = { ...site.ctx, clock: () => Date.now() + aheadMs }
    const unreachable = async () => {
      const states = db.selectFrom('event_states').select('object_id')
      return (await states.where('value', '=', 'unreachable').execute()).map((row) => row.object_id)
    }
    const first = openEvents(ctx, -1)
    await first.written()
    aheadMs = 60_000
    for (const { address } of silent) hosts.publish({ type: 'host', address })
    await first[Symbol.asyncDispose]()
    const before = new Set(await unreachable())
    expect(before.size).toBeLessThanOrEqual(100)
    await using second = openEvents(ctx)
    await second.written()
    expect(await unreachable()).toHaveLength(300)
    const [gap] = await eventStore.listGaps(db, { ...ALL, kinds: ['unwatched'] })
    for (const { id } of silent.filter((each) => !before.has(each.id))) {
      const [lost] = await eventStore.list(
        db,
        { kind: 'server', id },
        { ...ALL, kinds: ['unreachable'] },
      )
      expect(lost?.atMs).toBeGreaterThanOrEqual(gap?.sinceMs ?? Infinity)
    }
  },
)

const ALL = { from: '', to: '', until: '', limit: 10 }

test.each(BOTH_DATABASES)('two processes that watch write each event once, on %s', async (kind) => {
  const site = await openSiteOn(kind)
  const { id } = await addTestInput(site, 6100)
  const { keeper, until, events } = timelineOf(site, 'input', id)
  const other = openEvents(site.ctx)
  await using _ = keeper
  await command(site, id, 'start')
  await until('up')
  site.linkHost.change(`input-${id}`, { state: 'exited', pid: null, cause: 'Gone.' })
  await until('down')
  await other[Symbol.asyncDispose]()
  const turns = (await events()).filter(({ kind: each }) => each === 'up' || each === 'down')
  // The start of the first of two processes, where a recorder looked in between.
  expect(new Set(turns.map((turn) => turn.kind))).toEqual(new Set(['down', 'up']))
  expect(turns.filter((turn) => turn.kind === 'down')).toHaveLength(1)
  expect(new Set(turns.map(({ kind: each, at }) => `${each} ${at}`)).size).toBe(turns.length)
})

test('a host that goes and comes back is in the timelines of its programs and of the server', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6100)
  const input = timelineOf(site, 'input', id)
  await using _ = input.keeper
  await command(site, id, 'start')
  await input.until('up')
  site.linkHost.cut()
  await input.until('reachable')
  const [back, away] = (await input.events()).filter(({ call }) => call === '')
  expect([away?.kind, away?.cause]).toEqual(['unreachable', 'The host does not answer.'])
  expect([back?.state, Date.parse(back?.since ?? '') < Date.parse(away?.at ?? '')]).toEqual([
    'up',
    true,
  ])
  const query = { kind: 'server' as const, id: site.acantsId, show: 'unreachable' }
  const causeFor = async (who: PersonName) =>
    (await site.call(who, listEvents, { query })).answer.data.map(({ cause }) => cause)
  expect(await causeFor('admin')).toEqual([expect.stringContaining('127.0.0.1')])
  expect(await causeFor('northManager')).toEqual([''])
})

test('a start that passes through stopped is not down; what stays stopped is', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6100)
  const { keeper, until } = timelineOf(site, 'input', id)
  await using _ = keeper
  await command(site, id, 'start')
  await until('up')
  const stopped = { state: 'stopped', pid: null } as const
  site.linkHost.change(`input-${id}`, stopped)
  site.linkHost.change(`input-${id}`, { state: 'running', pid: 4711 })
  await vi.waitFor(() => expect(site.ctx.board.program(`input-${id}`)?.pid).toBe(4711), 60_000)
  expect(await until('up')).toEqual([...STARTED, 'up'])
  site.linkHost.change(`input-${id}`, stopped)
  expect(await until('down')).toEqual([...STARTED, 'up', 'down'])
})

test('a timeline comes in pages, by kind and by span', async () => {
  await using site = await openTestSite()
  const { id } = await addTestEncoder(site, 0)
  const { keeper, until, events } = timelineOf(site, 'encoder', id)
  await using _ = keeper
  for (const command of ['start', 'stop', 'start', 'stop'] as const) {
    const body = { data: { name: 'encoder0', command } }
    await site.call('northEditor', controlEncoder, { params: { id }, body })
    await until(command === 'start' ? 'up' : 'off')
  }
  const whole = await events()
  const paged: TimelineEvent[] = []
  let before = ''
  do {
    const query = { kind: 'encoder' as const, id, limit: 3, before }
    const { data, next } = (await site.call('admin', listEvents, { query })).answer
    paged.push(...data)
    before = next
  } while (before !== '')
  expect(paged).toEqual(whole)
  const show = async (more: object) => {
    const query = { kind: 'encoder' as const, id, ...more }
    return (await site.call('admin', listEvents, { query })).answer.data
  }
  const states = (await show({ show: 'command' })).map(({ state }) => state)
  expect(states).toEqual(['stop', 'start', 'stop', 'start'])
  const kinds = (await show({ show: 'up,off' })).map(({ kind }) => kind)
  expect(kinds).toEqual(['off', ...STARTED, 'off', ...STARTED])
  const [newest] = whole
  const at = newest?.at ?? ''
  expect(await show({ to: at })).toEqual(whole.filter((event) => event.at < at))
  expect(await show({ from: at })).toEqual(whole.filter((event) => event.at >= at))
  const wrong = await site.call('admin', listEvents, {
    query: { kind: 'encoder', id, before: 'nonsense' },
  })
  expect([wrong.status, wrong.failure.error]).toEqual([
    400,
    'before must be the next of an answer.',
  ])
})

test('who did it is named to those who may read the record of activity alone', async () => {
  await using site = await openTestSite()
  const { id, version } = await addTestInput(site, 6100)
  await site.call('northManager', updateInput, {
    body: { _id: id, version, title: 'Renamed' } as never,
  })
  const actors = async (who: PersonName) =>
    (await site.call(who, listEvents, { query: { kind: 'input', id } })).answer.data.map(
      ({ actor }) => actor,
    )
  expect(await actors('admin')).toContain('Test admin')
  expect(new Set(await actors('northManager'))).toEqual(new Set(['']))
})

test('availability of a day counts only what was wanted', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6100)
  const { keeper, until } = timelineOf(site, 'input', id)
  await using _ = keeper
  await command(site, id, 'start')
  await until('up')
  site.linkHost.change(`input-${id}`, { state: 'fatal', pid: null, cause: 'No.' })
  await until('down')
  const query = { kind: 'input' as const, id, days: 2, aheadOfUtc: 60 }
  const { data } = (await site.call('northManager', readAvailability, { query })).answer
  expect(data).toHaveLength(2)
  const [today] = data
  expect(today?.upMs).toBeGreaterThan(0)
  expect(today?.downMs).toBeGreaterThan(0)
  expect(today?.unknownMs).toBe(0)
})

test('a day of UTC says what a link counted; of a sender what it sent again', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6100)
  const day = dayOf(site.ctx.clock())
  const counted = { day, packets: 4000, lost: 5, resent: 4, dropped: 1 }
  const earlier = { ...counted, day: '2020-01-01' }
  const rows = [counted, counted, earlier].map((row) => ({ programId: `input-${id}`, ...row }))
  for (const row of rows) await linkDayStore.add(site.ctx.db, [row])
  const query = { kind: 'input' as const, id, days: 2 }
  const { data } = (await site.call('northManager', readAvailability, { query })).answer
  expect(data.map(({ counted }) => counted)).toEqual([
    { packets: 8000, lostPackets: 10, retransmittedPackets: 8, droppedPackets: 2 },
    null,
  ])
  const elsewhere = { ...query, aheadOfUtc: 60 }
  const shifted = (await site.call('northManager', readAvailability, { query: elsewhere })).answer
  expect(shifted.data.map(({ counted }) => counted)).toEqual([null, null])
})

test('a channel is up, takes another source, and loses its media', async () => {
  await using site = await openTestSite()
  const say = (alive: boolean, active: number) =>
    site.media.streams.set(
      'live',
      fakeStream('live', {
        inputs: [0, 1].map((at) => ({ url: `udp://${at}`, stats: { active: at === active } })),
        stats: { alive },
      }),
    )
  say(true, 0)
  const { answer } = await site.call('admin', saveChannels, {
    body: [{ name: 'live', title: 'Live', serverId: site.channelServerId, groupIds: [site.north] }],
  })
  const { keeper, until, events } = timelineOf(site, 'channel', answer.data[0]?.id ?? '')
  await using _ = keeper
  await until('up')
  say(true, 1)
  await until('source')
  expect((await events())[0]?.state).toBe('2')
  say(false, 1)
  await until('down')
  expect((await events())[0]?.cause).toBe('No media.')
})
