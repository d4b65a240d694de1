import type { ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeFakeApi, type FakeApi } from '../test/fake-api.ts'
import { snapshotOf } from '../test/fake-stream.ts'
import { FOUND_WITHIN_MS } from '../test/limits.ts'
import { statusOf, userOf } from '../test/samples.ts'
import { forgetLive, programKey, readLive } from './live-store.ts'
import { openLive, retryDelayMs, SILENCE_LIMIT_MS, type LiveLink } from './live.ts'
import { beginSession, endSession } from './session.ts'

let api: FakeApi
let link: LiveLink
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
  link = openLive({
    onObject: (kind) => heard.objects.push(kind),
    onGone: (sentence) => heard.gone.push(sentence),
    onBack: () => (heard.backs += 1),
  })
})
afterEach(() => {
  link[Symbol.dispose]()
  forgetLive()
  endSession('')
  // What waits to be told is told: the store is the next file's too.
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

test('the stream is asked for with the token, and what it says is known', async () => {
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

test('a word about a token that was replaced ends nothing: the stream is opened again with the new one', async () => {
  await isLive()
  beginSession(userOf('admin'), 'renewed')
  api.stream.push({ event: 'gone', data: { error: 'Your password has changed.' } })
  await until(() => api.asked.length === 2)
  expect(api.asked[1]?.headers.get('authorization')).toBe('Bearer renewed')
  expect(heard.gone).toEqual([])
})

test('what this console does not know is passed over', async () => {
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

test('a silent connection is a broken one', async () => {
  await isLive()
  await vi.advanceTimersByTimeAsync(SILENCE_LIMIT_MS - 1000)
  api.stream.push({ event: 'beat', data: { atMs: Date.now() } })
  await vi.advanceTimersByTimeAsync(SILENCE_LIMIT_MS - 1000)
  expect(readLive().connection.state).toBe('live')
  await vi.advanceTimersByTimeAsync(2000)
  expect(readLive().connection.state).toBe('retrying')
})

test('while nobody answers, the moment of the last word stays, and a retry can be had at once', async () => {
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

test('the wait grows and ends growing', () => {
  const waits = [0, 1, 2, 3, 10].map(retryDelayMs)
  expect(waits[0]).toBeLessThanOrEqual(500)
  expect(waits[3]).toBeGreaterThan(waits[0] ?? 0)
  expect(waits[4]).toBeLessThanOrEqual(5000)
  expect(waits[4]).toBeGreaterThanOrEqual(3500)
})
