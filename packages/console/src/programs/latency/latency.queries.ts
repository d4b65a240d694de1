import { queryOptions } from '@tanstack/react-query'
import { type LatencyLinkKind, readLatencyAdvice } from '@trunkline/contract/paths/latency.calls'
import { call } from '../../lib/call.ts'

/** The hour that it is made of moves on by as much. */
const READ_EVERY_MS = 60_000

export function latencyAdviceQuery(kind: LatencyLinkKind, id: string) {
  return queryOptions({
    queryKey: ['latencyAdvice', kind, id],
    queryFn: async ({ signal }) =>
      (await call(readLatencyAdvice, { params: { kind, id }, signal })).data,
    refetchInterval: READ_EVERY_MS,
    refetchIntervalInBackground: false,
    staleTime: 0,
    retry: false,
  })
}
