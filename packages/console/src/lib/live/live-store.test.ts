import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  ALARMS_KEY,
  countsKey,
  programKey,
  streamKey,
  transportKey,
} from '@trunkline/contract/fleet/watch-key.rules'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { statusOf } from '../../test/samples.ts'
import {
  apiNowMs,
  applyEvent,
  askFor,
  forgetLive,
  readLive,
  SAMPLE_EVERY_MS,
  SAMPLES_KEPT,
  setConnection,
} from './live-store.ts'

const KEY_A = programKey('encoder', 'a')
const KEY_B = programKey('encoder', 'b')
let sequence = 0

beforeEach(() => ask(KEY_A, KEY_B, streamKey('s', 'live/one')))
afterEach(forgetLive)

function ask(...keys: string[]): void {
  sequence += 1
  askFor(sequence, keys)
}

/** As the API answers the set that was asked for last, on a connection that is new. */
function answer(...programs: ProgramStatus[]): void {
  applyEvent({ event: 'hello', data: { atMs: Date.now(), connection: 'c' } })
  for (const data of programs) applyEvent({ event: 'program', data })
  applyEvent({ event: 'watching', data: { sequence } })
}

function historyOf(id: string) {
  return readLive().histories.get(programKey('encoder', id)) ?? []
}

function readingAt(atMs: number, bitrateKbps: number) {
  const status = statusOf('a')
  if (status.reading === null) throw new Error('The sample has a reading.')
  return { ...status, reading: { ...status.reading, atMs, bitrateKbps } }
}

test('what a new connection sends replaces everything, later events replace one thing', () => {
  answer(statusOf('a'), statusOf('b'))
  expect(readLive().isLoaded).toBe(true)
  applyEvent({ event: 'program', data: statusOf('b', { state: 'stopped' }) })
  expect(readLive().programs.get(programKey('encoder', 'b'))?.state).toBe('stopped')
  expect(readLive().programs.get(programKey('encoder', 'a'))?.state).toBe('running')
  answer(statusOf('b'))
  expect([...readLive().programs.keys()]).toEqual([programKey('encoder', 'b')])
})

test('a transport stream is kept while it is asked for, and forgotten with its link', () => {
  const key = transportKey('encoder', 'a')
  const report = { state: 'unread', reason: 'unicast', atMs: 1 } as const
  const data = { kind: 'encoder', id: 'a', report } as const
  applyEvent({ event: 'transport', data })
  expect(readLive().transports.size).toBe(0)
  ask(key)
  applyEvent({ event: 'transport', data })
  expect(readLive().transports.get(key)).toEqual(data)
  const programs = [{ kind: 'encoder' as const, id: 'a' }]
  applyEvent({ event: 'unseen', data: { programs, hosts: [], streams: [] } })
  expect(readLive().transports.size).toBe(0)
})

test('what may be seen no longer is forgotten, with its history', () => {
  answer(statusOf('a'), statusOf('b'))
  const data = { programs: [{ kind: 'encoder' as const, id: 'a' }], hosts: [], streams: [] }
  applyEvent({ event: 'unseen', data })
  expect([...readLive().programs.keys()]).toEqual([programKey('encoder', 'b')])
  expect(historyOf('a')).toEqual([])
  expect(historyOf('b')).not.toEqual([])
})

test('what was read stays as it was; changes that nobody read between share one copy', () => {
  answer(statusOf('a'), statusOf('b'))
  const key = programKey('encoder', 'a')
  const before = readLive().programs
  const copied = vi.spyOn(globalThis, 'Map')
  onTestFinished(() => copied.mockRestore())
  applyEvent({ event: 'program', data: statusOf('a', { state: 'stopping', reading: null }) })
  applyEvent({ event: 'program', data: statusOf('a', { state: 'stopped', reading: null }) })
  expect(copied).toHaveBeenCalledTimes(1)
  const after = readLive().programs
  expect([before.get(key)?.state, after.get(key)?.state]).toEqual(['running', 'stopped'])
  applyEvent({ event: 'program', data: statusOf('a', { reading: null }) })
  expect(after.get(key)?.state).toBe('stopped')
  expect(readLive().programs.get(key)?.state).toBe('running')
})

test('streams are known by server and name', () => {
  const stream = {
    serverId: 's',
    streamName: 'live/one',
    stream: null,
    readAtMs: null,
    cause: 'silent',
  }
  applyEvent({ event: 'stream', data: stream })
  expect(readLive().streams.get(streamKey('s', 'live/one'))?.cause).toBe('silent')
})

test('one reading each five seconds is kept, the newest wins, five minutes in all', () => {
  for (let second = 0; second < 400; second += 1) {
    applyEvent({ event: 'program', data: readingAt(second * 1000, second) })
  }
  expect(historyOf('a')).toHaveLength(SAMPLES_KEPT)
  expect(historyOf('a').at(-1)).toEqual({ atMs: 395_000, kbps: 399 })
})

test('a status without a new reading leaves the history as it is', () => {
  applyEvent({ event: 'program', data: readingAt(1000, 5) })
  const before = historyOf('a')
  applyEvent({ event: 'program', data: { ...readingAt(1000, 5), peer: 'connected' } })
  expect(historyOf('a')).toBe(before)
})

test('a reconnect keeps what was drawn', () => {
  answer(readingAt(1000, 5))
  answer(readingAt(60_000, 6))
  expect(historyOf('a').map((sample) => sample.kbps)).toEqual([5, 6])
})

test('F11 the page tells time by the API’s clock', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  applyEvent({ event: 'beat', data: { atMs: Date.now() + 3_600_000 } })
  expect(apiNowMs() - Date.now()).toBe(3_600_000)
})

test('the states of the earlier connection are shown until the new one has sent everything', () => {
  answer(statusOf('a'), statusOf('b'))
  const broken = { state: 'retrying', sinceMs: 1, sinceBrowserMs: 1, retryAtMs: 2 } as const
  setConnection(broken)
  ask(KEY_A, KEY_B)
  applyEvent({ event: 'hello', data: { atMs: Date.now(), connection: 'c' } })
  applyEvent({ event: 'program', data: statusOf('b', { state: 'stopped' }) })
  expect(readLive().connection).toEqual(broken)
  expect(readLive().programs.has(KEY_A)).toBe(true)
  applyEvent({ event: 'watching', data: { sequence } })
  expect(readLive().connection.state).toBe('live')
  expect([...readLive().programs.keys()]).toEqual([KEY_B])
})

test('what is asked for is read once its own set has been sent, and no earlier', () => {
  ask(KEY_A)
  const first = sequence
  ask(KEY_A, KEY_B)
  applyEvent({ event: 'hello', data: { atMs: Date.now(), connection: 'c' } })
  applyEvent({ event: 'watching', data: { sequence: first } })
  expect(readLive().confirmed).toEqual(new Set([KEY_A]))
  applyEvent({ event: 'watching', data: { sequence } })
  expect(readLive().confirmed).toEqual(new Set([KEY_A, KEY_B]))
})

test('what is not asked for is not kept, whatever comes', () => {
  answer(statusOf('a'), statusOf('b'))
  ask(KEY_B)
  expect([...readLive().programs.keys()]).toEqual([KEY_B])
  expect(readLive().confirmed).toEqual(new Set([KEY_B]))
  applyEvent({ event: 'program', data: statusOf('a') })
  expect(readLive().programs.has(KEY_A)).toBe(false)
  ask(KEY_A, KEY_B)
  expect(readLive().confirmed.has(KEY_A)).toBe(false)
})

test('a history outlives its row for as long as it is drawn, and no longer', () => {
  const nowMs = Date.now()
  answer(readingAt(nowMs, 5))
  ask(KEY_B)
  expect(historyOf('a').map(({ kbps }) => kbps)).toEqual([5])
  ask(KEY_A)
  answer(readingAt(nowMs - SAMPLES_KEPT * SAMPLE_EVERY_MS - SAMPLE_EVERY_MS, 6))
  applyEvent({
    event: 'unseen',
    data: { programs: [{ kind: 'encoder', id: 'a' }], hosts: [], streams: [] },
  })
  applyEvent({
    event: 'program',
    data: readingAt(nowMs - SAMPLES_KEPT * SAMPLE_EVERY_MS - SAMPLE_EVERY_MS, 7),
  })
  ask(KEY_B)
  expect(historyOf('a')).toEqual([])
})

test('open alarms are kept while they are shown', () => {
  const data = {
    unacknowledged: { critical: 1, major: 0, warning: 0 },
    quiet: 0,
    worst: null,
    change: 1,
  }
  applyEvent({ event: 'alarms', data })
  expect(readLive().alarms.size).toBe(0)
  ask(ALARMS_KEY)
  applyEvent({ event: 'alarms', data })
  expect(readLive().alarms.get(ALARMS_KEY)).toEqual(data)
})

test('counts are known by kind and group', () => {
  ask(countsKey('encoder', 'g'))
  const families = { bad: 1, blind: 0, warn: 0, move: 0, off: 0, ok: 2 }
  const data = { kind: 'encoder' as const, group: 'g', families, total: 3, worst: ['a'] }
  applyEvent({ event: 'counts', data })
  applyEvent({ event: 'counts', data: { ...data, group: 'other' } })
  expect([...readLive().counts]).toEqual([[countsKey('encoder', 'g'), data]])
})
