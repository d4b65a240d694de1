/** For tests: one end of a link as the API has it, the other a host that runs nothing. */
import pino from 'pino'
import type { DialGuard } from '../security/host-guard.ts'
import { FAKE_KEY, FakeHost } from '../testing/fake-host.ts'
import { OPEN_GUARD } from '../testing/open-guard.ts'
import type { HostAccess } from './certificates/host-access.ts'
import { DialPace } from './pace/dial-pace.ts'
import { TasksInSlices } from '../in-slices.ts'
import { HostLink } from './host-link.ts'
import type { LinkEvent } from './linked-host.ts'
import type { LinkTiming } from './link-timing.ts'

/** Limits only end what hangs: both ends share one event loop, which a busy machine puts aside. */
export const TIMING: LinkTiming = {
  callLimitMs: 60_000,
  beatMs: 30_000,
  retryFirstMs: 10,
  retryLongestMs: 50,
}
/** For a call that is never answered. */
export const SOON_MS = 400

const stack: AsyncDisposable[] = []
export async function closeAll(): Promise<void> {
  for (const item of stack.splice(0).toReversed()) await item[Symbol.asyncDispose]()
}

export async function openHost(options: Partial<Parameters<typeof FakeHost.open>[0]> = {}) {
  const host = await FakeHost.open({ seatKind: 'acants', ...options })
  stack.push(host)
  return host
}

/** Its clock goes one further with every reading, so that later is always more. */
export function openLink(
  port: number,
  access: string | HostAccess = FAKE_KEY,
  more: Partial<LinkTiming> = {},
  guard: DialGuard = OPEN_GUARD,
) {
  const events: LinkEvent[] = []
  const watchers = new Set<() => void>()
  let nowMs = Date.now()
  function clock(): number {
    for (const watch of watchers) watch()
    return ++nowMs
  }
  const timing = { ...TIMING, ...more }
  const link = new HostLink({
    address: { host: '127.0.0.1', port },
    access: typeof access === 'string' ? { by: 'key', key: access } : access,
    timing,
    clock,
    log: pino({ level: 'silent' }),
    guard,
    pace: new DialPace(),
    turns: new TasksInSlices(),
    onEvent(event) {
      events.push(event)
      for (const watch of watchers) watch()
    },
  })
  stack.push({
    async [Symbol.asyncDispose]() {
      link.close()
      return Promise.resolve()
    },
  })
  async function until(isDone: () => boolean): Promise<void> {
    if (isDone()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const watch = () => {
      if (isDone()) resolve()
    }
    watchers.add(watch)
    await promise
    watchers.delete(watch)
  }
  return { link, events, until, timing }
}

export async function faultOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  )
}
