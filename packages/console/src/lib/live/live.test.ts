import { LIVE_PATH, type ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import { programKey } from '@trunkline/contract/fleet/watch-key.rules'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeFakeApi, type FakeApi } from '../../test/fake-api.ts'
import { snapshotOf } from '../../test/fake-stream.ts'
import { FOUND_WITHIN_MS } from '../../test/limits.ts'
import { statusOf, userOf } from '../../test/samples.ts'
import { forgetLive, readLive } from './live-store.ts'
import { forgetKept, watchKeys } from './live-watch.ts'
import { LAST_PACE_MS, openLive, retryDelayMs, SILENCE_LIMIT_MS, type LiveLink } from './live.ts'
import { beginSession, endSession } from '../session.ts'

let api: FakeApi
let link: LiveLink
let hide: () => void
const heard: { objects: ObjectKind[]; gone: string[]; backs: number } = {
  objects: [],
  gone: [],
  backs: 0,
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  api = makeFakeApi()
  beginSession(userOf('admin'), 'tok')
  Object.assign(heard, { objects: [], gone: [], backs: 0 })
  // What the pages of the file before this have shown.
  forgetKept()
  hide = watchKeys([programKey('encoder', 'a')])
  link = openLive({
    onObject: (kind) => heard.objects.push(kind),
    onGone: (sentence) => heard.gone.push(sentence),
    onBack: () => (heard.backs += 1),
  })
})
afterEach(() => {
  link[Symbol.dispose]()
  hide()
  forgetLive()
  endSession('')
  // Waiting notifications are sent: the next file uses the store too.
  vi.runOnlyPendingTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function until(isTrue: () => boolean): Promise<void> {
  await vi.waitFor(() => {
    if (!isTrue()) throw new Error('Not yet.')
  }, FOUND_WITHIN_MS)
}

async function isLive(): Promise<void> {
  await until(() => api.stream.isConnected())
  api.stream.push(snapshotOf({ programs: [statusOf('a')] }))
  await until(() => readLive().connection.state === 'live')
}

test('the stream is requested with the token, and its events are stored', async () => {
  await isLive()
  expect(api.asked[0]?.headers.get('authorization')).toBe('Bearer tok')
  api.stream.push({ event: 'program', data: statusOf('a', { state: 'stopped' }) })
  await until(() => readLive().programs.get(programKey('encoder', 'a'))?.state === 'stopped')
})

test('changed records and a revoked session are passed on', async () => {
  await isLive()
  api.stream.push({ event: 'object', data: { kind: 'encoder', id: 'a', change: 'changed' } })
  api.stream.push({ event: 'gone', data: { error: 'Signed out by an admin.' } })
  await until(() => heard.gone.length === 1)
  expect(heard.objects).toEqual(['encoder'])
  expect(heard.gone).toEqual(['Signed out by an admin.'])
})

test('a burst of changes is passed on once at its begin and once at its end', async () => {
  await isLive()
  const change = { event: 'object', data: { kind: 'group', id: 'a', change: 'changed' } } as const
  for (let at = 0; at < 100; at += 1) api.stream.push(change)
  api.stream.push({ event: 'object', data: { kind: 'user', id: 'a', change: 'changed' } })
  await until(() => heard.objects.includes('user'))
  expect(heard.objects).toEqual(['group', 'user'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(heard.objects).toEqual(['group', 'user', 'group'])
})

test('changes that go on are passed on every few seconds, then the last of them, then at once again', async () => {
  await isLive()
  const change = { event: 'object', data: { kind: 'group', id: 'a', change: 'changed' } } as const
  const changeFor = async (count: number, everyMs: number) => {
    heard.objects = []
    for (let at = 0; at < count; at += 1) {
      api.stream.push(change)
      await vi.advanceTimersByTimeAsync(everyMs)
    }
    return heard.objects.length
  }
  // After 0, 1 and 3 s, then every 3 s.
  expect(await changeFor(100, 100)).toBe(5)
  await vi.advanceTimersByTimeAsync(LAST_PACE_MS)
  expect(heard.objects).toHaveLength(6)
  await vi.advanceTimersByTimeAsync(LAST_PACE_MS)
  expect(await changeFor(1, 1)).toBe(1)
})

test('a stream that is opened at once leaves the lists as they were read', async () => {
  await isLive()
  expect(heard.backs).toBe(0)
})

test('a stream whose first attempt fails has the lists read again', async () => {
  await until(() => api.stream.isConnected())
  api.stream.fallSilent()
  await vi.advanceTimersByTimeAsync(SILENCE_LIMIT_MS + 1000)
  await isLive()
  expect(heard.backs).toBe(1)
})

test('a refusal of a replaced token ends no session: the stream is opened again with the new token', async () => {
  await isLive()
  beginSession(userOf('admin'), 'renewed')
  api.stream.push({ event: 'gone', data: { error: 'Your password has changed.' } })
  await until(() => api.asked.length === 2)
  expect(api.asked[1]?.headers.get('authorization')).toBe('Bearer renewed')
  expect(heard.gone).toEqual([])
})

test('unknown events are ignored', async () => {
  await isLive()
  api.stream.pushRaw('event: weather\ndata: {"rain":true}\n\nevent: program\ndata: {broken\n\n')
  api.stream.push({ event: 'program', data: statusOf('a', { state: 'fatal' }) })
  await until(() => readLive().programs.get(programKey('encoder', 'a'))?.state === 'fatal')
  expect(api.asked).toHaveLength(1)
})

test('a stream that ends is opened again, and the lists are read again', async () => {
  await isLive()
  api.stream.end()
  await until(() => readLive().connection.state === 'retrying')
  await vi.advanceTimersByTimeAsync(1000)
  await isLive()
  expect(heard.backs).toBe(1)
  expect(api.asked).toHaveLength(2)
})

test('a silent connection counts as broken', async () => {
  await isLive()
  api.stream.fallSilent()
  await vi.advanceTimersByTimeAsync(SILENCE_LIMIT_MS - 1000)
  api.stream.push({ event: 'beat', data: { atMs: Date.now() } })
  await vi.advanceTimersByTimeAsync(SILENCE_LIMIT_MS - 1000)
  expect(readLive().connection.state).toBe('live')
  await vi.advanceTimersByTimeAsync(2000)
  expect(readLive().connection.state).toBe('retrying')
})

test('without an answer the time of the last event stays, and a retry is possible at once', async () => {
  await isLive()
  api.setReachable(false)
  api.stream.end()
  await until(() => readLive().connection.state === 'retrying')
  const first = readLive().connection
  await vi.advanceTimersByTimeAsync(30_000)
  const later = readLive().connection
  if (first.state !== 'retrying' || later.state !== 'retrying') throw new Error('Still broken.')
  expect(later.sinceMs).toBe(first.sinceMs)
  const attempts = api.asked.length
  api.setReachable(true)
  link.retryNow()
  await until(() => api.stream.isConnected())
  expect(api.asked).toHaveLength(attempts + 1)
})

const KEY_A = programKey('encoder', 'a')
const KEY_B = programKey('encoder', 'b')

test('an object that is shown later is requested, and read once the API has confirmed it', async () => {
  await isLive()
  expect(readLive().confirmed).toEqual(new Set([KEY_A]))
  const hideB = watchKeys([KEY_B])
  expect(readLive().confirmed.has(KEY_B)).toBe(false)
  await vi.advanceTimersByTimeAsync(100)
  await until(() => readLive().confirmed.has(KEY_B))
  // Nothing is known of it: read, and there is none.
  expect(readLive().programs.has(KEY_B)).toBe(false)
  api.stream.push({ event: 'program', data: statusOf('b') })
  await until(() => readLive().programs.has(KEY_B))
  hideB()
  await vi.advanceTimersByTimeAsync(10_000)
})

test('what is shown no longer is kept for some seconds, then neither asked for nor known', async () => {
  await isLive()
  const hideB = watchKeys([KEY_B])
  await vi.advanceTimersByTimeAsync(100)
  await until(() => readLive().confirmed.has(KEY_B))
  api.stream.push({ event: 'program', data: statusOf('b') })
  await until(() => readLive().programs.has(KEY_B))
  hideB()
  await vi.advanceTimersByTimeAsync(4000)
  expect(api.stream.isShown(KEY_B)).toBe(true)
  expect(readLive().programs.has(KEY_B)).toBe(true)
  await vi.advanceTimersByTimeAsync(2000)
  expect(api.stream.isShown(KEY_B)).toBe(false)
  expect(readLive().programs.has(KEY_B)).toBe(false)
  api.stream.push({ event: 'program', data: statusOf('a', { state: 'fatal' }) })
  await until(() => readLive().programs.get(KEY_A)?.state === 'fatal')
})

test('a set that the API does not find opens the stream again, with all that is shown', async () => {
  await isLive()
  api.setConnectionKnown(false)
  const hideB = watchKeys([KEY_B])
  await vi.advanceTimersByTimeAsync(100)
  await until(() => api.asked.filter(({ path }) => path === LIVE_PATH).length === 2)
  api.setConnectionKnown(true)
  expect(api.stream.isShown(KEY_A) && api.stream.isShown(KEY_B)).toBe(true)
  api.stream.push(snapshotOf({ programs: [statusOf('b')] }))
  await until(() => readLive().programs.has(KEY_B))
  // Not sent again: gone.
  await until(() => !readLive().programs.has(KEY_A))
  expect(readLive().connection.state).toBe('live')
  hideB()
  await vi.advanceTimersByTimeAsync(10_000)
})

test('the wait between retries grows up to a limit', () => {
  const waits = [0, 1, 2, 3, 10].map(retryDelayMs)
  expect(waits[0]).toBeLessThanOrEqual(500)
  expect(waits[3]).toBeGreaterThan(waits[0] ?? 0)
  expect(waits[4]).toBeLessThanOrEqual(5000)
  expect(waits[4]).toBeGreaterThanOrEqual(3500)
})
