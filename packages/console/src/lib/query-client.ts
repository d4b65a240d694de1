/** One cache for what the API answered. Query keys begin with the object's kind ('encoder', …). */
import type { ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { isNoAnswer } from './api-error.ts'

const RETRIES_WITHOUT_ANSWER = 2
/**
 * What is on the screen as it was before, because there was no answer, is read again so often: a proxy
 * may refuse for a while after the live stream is back, which tells of changes alone. What was never
 * read waits for Retry or the live stream: each attempt would take its words off the screen.
 */
const AGAIN_AFTER_MS = 5000
/** Changes come by push, so a list read a moment ago is still valid. */
const FRESH_MS = 10_000

/**
 * A browser that reports no network asks all the same, and says that there was no answer. Otherwise
 * a command would be kept, and carried out whenever the network is back, and a reading would never
 * turn into one that failed.
 */
const NETWORK_MODE = 'always'

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    // ERR-03: a list that fails to load is logged, never toasted; its page says it in place.
    queryCache: new QueryCache({
      onError: (error, query) =>
        console.warn(`${JSON.stringify(query.queryKey)}: ${error.message}`),
    }),
    defaultOptions: {
      queries: {
        networkMode: NETWORK_MODE,
        refetchOnReconnect: true,
        staleTime: FRESH_MS,
        retry: mayRetry,
        refetchInterval: ({ state: { data, error } }) =>
          data !== undefined && isNoAnswer(error) ? AGAIN_AFTER_MS : false,
        refetchOnWindowFocus: true,
      },
      mutations: { networkMode: NETWORK_MODE, retry: false },
    },
  })
}

/** What was waited for until its limit is not waited for twice more before the page says so. */
function mayRetry(failures: number, error: Error): boolean {
  return isNoAnswer(error) && !error.isLate && failures < RETRIES_WITHOUT_ANSWER
}

/** The `meta` of what changes on the screen only when the operator asks for it: its rows must not move. */
export const KEPT_AS_READ = { isKeptAsRead: true }

/** After a time without the live stream: reads again all that may have changed without a word. */
export async function invalidateMissed(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ predicate: ({ meta }) => meta !== KEPT_AS_READ })
}

/** What lists of one kind say of another: titles of inputs, servers and destinations, counts of outputs, where a picture is loaded from. */
const SHOWN_WITH: Partial<Record<ObjectKind, readonly ObjectKind[]>> = {
  server: ['input', 'channel'],
  input: ['output'],
  output: ['input', 'destination'],
  destination: ['output'],
}

/** Marks every list and object of that kind, and what tells of it, as stale; what is on the screen is read again. */
export async function invalidateKind(client: QueryClient, kind: ObjectKind): Promise<void> {
  const kinds = [kind, ...(SHOWN_WITH[kind] ?? [])]
  await Promise.all(kinds.map(async (kind) => client.invalidateQueries({ queryKey: [kind] })))
}
