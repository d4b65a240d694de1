import { health } from '@trunkline/contract/fleet/fleet.calls'
import { signInWays } from '@trunkline/contract/session/oidc.calls'
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

/** Whether there is a provider beside e-mail and password; settings of the API, so asked once. */
export function signInWaysQuery() {
  return queryOptions({
    queryKey: ['sign-in-ways'],
    queryFn: async ({ signal }) => call(signInWays, { signal }),
    staleTime: Infinity,
  })
}
