import { health } from '@trunkline/contract/fleet/fleet.calls'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'

const HEALTH_EVERY_MS = 10_000

/** Whether the API answers, for somebody who is not signed in. */
export function healthQuery() {
  return queryOptions({
    queryKey: ['health'],
    queryFn: async ({ signal }) => call(health, { signal }),
    refetchInterval: HEALTH_EVERY_MS,
    retry: false,
  })
}
