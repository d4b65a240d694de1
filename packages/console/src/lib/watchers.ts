/** Who shows a value that stands outside of React: for `useSyncExternalStore`. */
interface Watchers {
  /** @returns ends it */
  watch: (watcher: () => void) => () => void
  notify: () => void
}

export function makeWatchers(): Watchers {
  const watchers = new Set<() => void>()
  return {
    watch: (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    notify: () => {
      for (const watcher of watchers) watcher()
    },
  }
}
