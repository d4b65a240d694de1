/**
 * The live stream: Server-Sent Events read by fetch, because EventSource cannot send the token
 * (decisions.md 20). Keeps one connection, knows a silent one for a broken one, and comes back.
 */
import { LiveEvent, type ObjectKind, type WatchedSet } from '@trunkline/contract/fleet/fleet.schema'
import type { LiveMessage } from './live-message.ts'
import { LiveSource } from './live-source.ts'
import { apiNowMs, applyEvent, askFor, readLive, setConnection } from './live-store.ts'
import { followWatched, watchedKeys } from './live-watch.ts'
import { readSession } from '../session.ts'

/** A connection that is silent for so long is broken. */
export const SILENCE_LIMIT_MS = 12_000
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 5000
/** Browsers must not reconnect to a restarted server all at once. */
const JITTER_SHARE = 0.3

/** Opened later than this, the lists of the page may have changed since they were read. */
const LATE_MS = 1000
/** A burst of changes, such as a stream delivers after a sleep, reads lists of a kind again once at its end. */
const FIRST_PACE_MS = 1000
/** Changes that go on, such as the rows of an import, double the wait up to this. */
export const LAST_PACE_MS = 3000

export interface LiveListener {
  /** Records of that kind were added, changed or removed by somebody: at once, then at a pace. */
  onObject: (kind: ObjectKind) => void
  /** The session was revoked. */
  onGone: (sentence: string) => void
  /** Connected after a break, or late: lists may have changed meanwhile. */
  onBack: () => void
}

export interface LiveLink extends Disposable {
  /** Does not wait for the next attempt. */
  retryNow: () => void
}

/** Holds the stream open until it is disposed. */
export function openLive(listener: LiveListener): LiveLink {
  const ended = new AbortController()
  let wake = () => {}
  const retryNow = () => wake()
  const retryWhenSeen = () => {
    if (document.visibilityState === 'visible') retryNow()
  }
  window.addEventListener('online', retryNow)
  document.addEventListener('visibilitychange', retryWhenSeen)

  async function hold(): Promise<void> {
    let failures = 0
    const openedAtMs = Date.now()
    const onObject = atPace(listener.onObject, ended.signal)
    const paced = { ...listener, onObject }
    while (!ended.signal.aborted) {
      const wasLoaded = readLive().isLoaded
      const mayHaveMissed = (atMs: number) => wasLoaded || atMs - openedAtMs > LATE_MS
      const { heardAtMs, isOutdated } = await readUntilBroken(paced, ended.signal, mayHaveMissed)
      if (ended.signal.aborted) return
      failures = heardAtMs === null ? failures + 1 : 0
      const waitMs = isOutdated ? 0 : retryDelayMs(failures)
      setConnection({ ...brokenSince(heardAtMs), retryAtMs: Date.now() + waitMs })
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
        ended.signal.addEventListener('abort', wake, { once: true })
      })
    }
  }
  void hold()

  return {
    retryNow,
    [Symbol.dispose]() {
      window.removeEventListener('online', retryNow)
      document.removeEventListener('visibilitychange', retryWhenSeen)
      ended.abort()
    },
  }
}

function atPace(onObject: LiveListener['onObject'], ended: AbortSignal): LiveListener['onObject'] {
  /** By kind whether it was changed again since it was passed on. */
  const recent = new Map<ObjectKind, boolean>()
  const pass = (kind: ObjectKind, waitMs: number): void => {
    onObject(kind)
    recent.set(kind, false)
    setTimeout(() => {
      const isChanged = recent.get(kind) === true
      recent.delete(kind)
      if (isChanged && !ended.aborted) pass(kind, Math.min(waitMs * 2, LAST_PACE_MS))
    }, waitMs)
  }
  return (kind) => (recent.has(kind) ? recent.set(kind, true) : pass(kind, FIRST_PACE_MS))
}

/** A failed attempt does not change since when the connection is broken. */
function brokenSince(heardAtMs: number | null) {
  const known = readLive().connection
  if (heardAtMs === null && known.state === 'retrying') return known
  const sinceMs = heardAtMs ?? apiNowMs()
  const sinceBrowserMs = sinceMs - readLive().clockOffsetMs
  return { state: 'retrying' as const, sinceMs, sinceBrowserMs }
}

export function retryDelayMs(failures: number): number {
  const grown = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures)
  return Math.round(grown * (1 - JITTER_SHARE * Math.random()))
}

interface Broken {
  /** When the API was last heard (its clock); null when this attempt heard nothing. */
  heardAtMs: number | null
  /** The token that opened it was revoked, and a newer one is in use already. */
  isOutdated: boolean
}

async function readUntilBroken(
  listener: LiveListener,
  ended: AbortSignal,
  mayHaveMissed: (firstAtMs: number) => boolean,
): Promise<Broken> {
  const silence = new AbortController()
  const openedWith = readSession()?.token
  let isOutdated = false
  let heardAtMs: number | null = null
  let timer = setTimeout(() => silence.abort(), SILENCE_LIMIT_MS)
  const hear = (receivedAtMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_LIMIT_MS)
    if (heardAtMs === null && mayHaveMissed(receivedAtMs)) listener.onBack()
    heardAtMs = apiNowMs()
  }
  const signal = AbortSignal.any([ended, silence.signal])
  // Not `using`, which costs each page half a kB for browsers that do not know it.
  const source = new LiveSource(nextSet(), signal)
  const unfollow = followShown(source, signal)
  try {
    for await (const message of source.messages()) {
      const event = parseEvent(message)
      if (event === null) continue
      applyEvent(event)
      hear(message.receivedAtMs)
      if (event.event === 'object') listener.onObject(event.data.kind)
      if (event.event !== 'gone') continue
      // This is about the token that opened the stream; a newer one is tried at once.
      isOutdated = readSession()?.token !== openedWith
      if (isOutdated) break
      listener.onGone(event.data.error)
    }
  } catch {
    // However it ended: show since when, and try again.
  } finally {
    clearTimeout(timer)
    silence.abort()
    unfollow()
    source[Symbol.dispose]()
  }
  return { heardAtMs, isOutdated }
}

let sequence = 0

/** What the page shows now; the state of anything else is dropped. */
function nextSet(): WatchedSet {
  sequence += 1
  const keys = watchedKeys()
  askFor(sequence, keys)
  return { sequence, keys }
}

/** Answers what ends it. */
function followShown(source: LiveSource, signal: AbortSignal): () => void {
  return followWatched(() => {
    if (!signal.aborted) source.show(nextSet())
  })
}

/** Null for an event that this console does not know: the API may be newer. */
function parseEvent(message: LiveMessage): LiveEvent | null {
  try {
    const data: unknown = JSON.parse(message.data)
    return LiveEvent.safeParse({ event: message.event, data }).data ?? null
  } catch {
    return null
  }
}
