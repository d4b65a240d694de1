/** One ticking clock for everything on the page that shows a time, so that all of it moves at once. */
import { useSyncExternalStore } from 'react'

const TICK_MS = 1000

let now = Date.now()
let timer: ReturnType<typeof setInterval> | null = null
const watchers = new Set<() => void>()

function tick(): void {
  now = Date.now()
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  if (timer === null) {
    now = Date.now()
    timer = setInterval(tick, TICK_MS)
  }
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
}

/** This browser's clock in whole ticks, milliseconds since 1970. */
export function useBrowserNow(): number {
  return useSyncExternalStore(watch, () => now)
}
