/**
 * Parts of the console that are chunks of their own: fetched once a page has come to rest, or when they
 * are first wanted. Not by React's `lazy`: that shows its fallback once even for a chunk that is there,
 * and holds the real thing back for 300 ms; and what it cannot fetch ends the whole page.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Kept for good; what could not be fetched is asked for again when updates are back. */
export interface Later<T> {
  queryKey: readonly ['part', string]
  queryFn: () => Promise<T>
  staleTime: number
  gcTime: number
  retry: false
  networkMode: 'always'
}

/** `name`: no two parts share one. */
export function later<T>(name: string, load: () => Promise<T>): Later<T> {
  return {
    queryKey: ['part', name],
    queryFn: async () => withinLimit(load()),
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
    // It may be in the browser's cache.
    networkMode: 'always',
  }
}

/**
 * A server that hangs takes the request and never answers: by then the part counts as not loaded, so
 * that a click is not without any effect. On a slow line the largest part takes a second.
 */
const LOADED_WITHIN_MS = 15_000

async function withinLimit<T>(loading: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const limit = AbortSignal.timeout(LOADED_WITHIN_MS)
  limit.addEventListener('abort', () => late.reject(new Error('It took too long.')))
  return Promise.race([loading, late.promise])
}

/** It is fetched only while `isWanted`. */
export function useLater<T>(part: Later<T>, isWanted = true): T | 'loading' | 'failed' {
  const { data, isError } = useQuery({ ...part, enabled: isWanted })
  if (data !== undefined) return data
  return isError ? 'failed' : 'loading'
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
