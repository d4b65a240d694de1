import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { snapshotOf } from '../test/fake-stream.ts'
import { statusOf } from '../test/samples.ts'
import {
  apiNowMs,
  applyEvent,
  forgetLive,
  programKey,
  readLive,
  SAMPLES_KEPT,
  streamKey,
} from './live-store.ts'

afterEach(forgetLive)

function historyOf(id: string) {
  return readLive().histories.get(programKey('encoder', id)) ?? []
}

function readingAt(atMs: number, bitrateKbps: number) {
  const status = statusOf('a')
  if (status.reading === null) throw new Error('The sample has a reading.')
  return { ...status, reading: { ...status.reading, atMs, bitrateKbps } }
}

test('the snapshot replaces everything, later events replace one thing', () => {
  applyEvent(snapshotOf({ programs: [statusOf('a'), statusOf('b')] }))
  expect(readLive().isLoaded).toBe(true)
  applyEvent({ event: 'program', data: statusOf('b', { state: 'stopped' }) })
  expect(readLive().programs.get(programKey('encoder', 'b'))?.state).toBe('stopped')
  expect(readLive().programs.get(programKey('encoder', 'a'))?.state).toBe('running')
  applyEvent(snapshotOf({ programs: [statusOf('b')] }))
  expect([...readLive().programs.keys()]).toEqual([programKey('encoder', 'b')])
})

test('what may be seen no longer is forgotten, with its history', () => {
  applyEvent(snapshotOf({ programs: [statusOf('a'), statusOf('b')] }))
  const data = { programs: [{ kind: 'encoder' as const, id: 'a' }], hosts: [], streams: [] }
  applyEvent({ event: 'unseen', data })
  expect([...readLive().programs.keys()]).toEqual([programKey('encoder', 'b')])
  expect(historyOf('a')).toEqual([])
  expect(historyOf('b')).not.toEqual([])
})

test('what was read stays as it was; changes that nobody read between share one copy', () => {
  applyEvent(snapshotOf({ programs: [statusOf('a'), statusOf('b')] }))
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
  applyEvent(snapshotOf({ programs: [readingAt(1000, 5)] }))
  applyEvent(snapshotOf({ programs: [readingAt(60_000, 6)] }))
  expect(historyOf('a').map((sample) => sample.kbps)).toEqual([5, 6])
})

test('F11 the page tells time by the API’s clock', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  applyEvent({ event: 'beat', data: { atMs: Date.now() + 3_600_000 } })
  expect(apiNowMs() - Date.now()).toBe(3_600_000)
})
