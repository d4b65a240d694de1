/** The status of a program, asked for by browsers that get no push. */
import { queryOptions } from '@tanstack/react-query'
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'

/** Q64, Q132. */
const POLL_EVERY_MS = 10_000

export function statusQuery<R>(
  kind: ProgramKind,
  id: string,
  isWanted: boolean,
  read: (signal: AbortSignal) => Promise<R>,
) {
  return queryOptions({
    queryKey: [kind, 'status', id],
    queryFn: async ({ signal }) => read(signal),
    enabled: isWanted,
    refetchInterval: POLL_EVERY_MS,
    refetchIntervalInBackground: false,
    retry: false,
  })
}
