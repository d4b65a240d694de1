import type { LiveEvent } from '@trunkline/contract/fleet/fleet.schema'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FOUND_WITHIN_MS } from '../../test/limits.ts'
import { userOf } from '../../test/samples.ts'
import { beginSession, endSession } from '../session.ts'
import type { ToTab } from './live-sharing.ts'
import { forgetLive } from './live-store.ts'
import { openLive, type LiveLink } from './live.ts'

/** What the page hears of the worker; what it sends is not looked at. */
let deliver: (notice: ToTab) => void
let link: LiveLink
let backs: number
let changed: number
let openedAtMs: number

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.stubGlobal(
    'SharedWorker',
    class {
      port = {
        addEventListener: (_: string, hear: (event: { data: ToTab }) => void) =>
          (deliver = (data) => hear({ data })),
        start: () => undefined,
        postMessage: () => undefined,
        close: () => undefined,
      }
    },
  )
  beginSession(userOf('admin'), 'tok')
  backs = 0
  changed = 0
  openedAtMs = Date.now()
  link = openLive({
    onObject: () => (changed += 1),
    onGone: () => undefined,
    onBack: () => (backs += 1),
  })
})
afterEach(() => {
  link[Symbol.dispose]()
  forgetLive()
  endSession('')
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function send(event: LiveEvent, atMs: number): void {
  const message = { event: event.event, data: JSON.stringify(event.data) }
  deliver({ type: 'message', message, atMs })
}

test.each([
  ['in time, though the page was too busy to hear of it: its lists stay as read', 200, 0],
  ['late: its lists may have changed since they were read', 3000, 1],
])('G3 a stream that was opened %s', async (_, afterMs, expected) => {
  const atMs = openedAtMs + afterMs
  vi.setSystemTime(openedAtMs + 5000)
  send({ event: 'hello', data: { atMs, connection: 'c' } }, atMs)
  send({ event: 'object', data: { kind: 'group', id: 'a', change: 'changed' } }, atMs)
  await vi.waitFor(() => expect(changed).toBe(1), FOUND_WITHIN_MS)
  expect(backs).toBe(expected)
})
