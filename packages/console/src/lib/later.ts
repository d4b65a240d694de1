/**
 * Parts of the console that are chunks of their own: fetched once a page has come to rest, or when they
 * are first wanted. Not by React's `lazy`: that shows its fallback once even for a chunk that is there,
 * and holds the real thing back for 300 ms; and what it cannot fetch ends the whole page.
 */
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Kept for good; what could not be fetched is asked for again while it is wanted. */
export interface Later<T> {
  queryKey: readonly ['part', string]
  queryFn: () => Promise<T>
  staleTime: number
  gcTime: number
  retry: false
}

/** `name`: no two parts share one. */
export function later<T>(name: string, load: () => Promise<T>): Later<T> {
  return {
    queryKey: ['part', name],
    queryFn: load,
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
  }
}

/** It is fetched only while `isWanted`. */
export function useLater<T>(part: Later<T>, isWanted = true): T | 'loading' | 'failed' {
  const { data, errorUpdateCount } = useQuery({
    ...part,
    enabled: isWanted,
    refetchInterval: ({ state }) => (state.status === 'error' ? AGAIN_AFTER_MS : false),
  })
  if (data !== undefined) return data
  // Still said while it is asked for again: what stands there is in use.
  return errorUpdateCount > 0 ? 'failed' : 'loading'
}

/** What could not be loaded is asked for again by itself so often. */
export const AGAIN_AFTER_MS = 5000

/** For whoever does not wait for that. */
export function useAskAgain(part: Later<unknown>): { isAsking: boolean; ask: () => void } {
  const client = useQueryClient()
  const { queryKey } = part
  return {
    isAsking: useIsFetching({ queryKey }) > 0,
    ask: () => void client.refetchQueries({ queryKey }),
  }
}

/** Where the browser does not say when it has nothing else to do. */
const SOON_MS = 200

/**
 * Fetches them once the page has come to rest after `isReady`, so that a click waits for nothing.
 * `parts`: the same list each time.
 */
export function usePreload(isReady: boolean, parts: readonly Later<unknown>[]): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isReady) return
    const fetchAll = () => {
      for (const part of parts) void client.prefetchQuery(part)
    }
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(fetchAll, SOON_MS)
      return () => clearTimeout(timer)
    }
    const waiting = requestIdleCallback(fetchAll)
    return () => cancelIdleCallback(waiting)
  }, [isReady, parts, client])
}
