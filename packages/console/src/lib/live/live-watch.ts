/**
 * What this page shows, by key: each is counted, and kept for a few seconds after the last component
 * that shows it is gone, so that paging back finds it up to date.
 */
import { WATCHED_AT_MOST } from '@trunkline/contract/fleet/watch-key.rules'

const KEPT_MS = 5000
/** Rows that appear and disappear together are sent together. */
const SENT_WITHIN_MS = 50

const shown = new Map<string, number>()
const followers = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined
let sentAtMs = -Infinity

/** @returns ends it */
export function watchKeys(keys: readonly string[]): () => void {
  for (const key of keys) shown.set(key, (shown.get(key) ?? 0) + 1)
  if (keys.length > 0) notifySoon()
  return () => {
    for (const key of keys) shown.set(key, (shown.get(key) ?? 1) - 1)
    setTimeout(() => {
      const gone = keys.filter((key) => shown.get(key) === 0)
      for (const key of gone) shown.delete(key)
      if (gone.length > 0) notifySoon()
    }, KEPT_MS)
  }
}

/** At most as many as the API takes: the newest beyond that are left out and stay unread. */
export function watchedKeys(): string[] {
  return [...shown.keys()].slice(0, WATCHED_AT_MOST)
}

/** Drops what is kept and not shown any more. */
export function forgetKept(): void {
  for (const [key, count] of shown) if (count === 0) shown.delete(key)
}

export function followWatched(follower: () => void): () => void {
  followers.add(follower)
  return () => followers.delete(follower)
}

/** After the current rendering; changes that follow within 50 ms are sent together. */
function notifySoon(): void {
  const sinceMs = performance.now() - sentAtMs
  const isClose = sinceMs >= 0 && sinceMs < SENT_WITHIN_MS
  timer ??= setTimeout(notify, isClose ? SENT_WITHIN_MS - sinceMs : 0)
}

function notify(): void {
  timer = undefined
  sentAtMs = performance.now()
  for (const follower of followers) follower()
}
