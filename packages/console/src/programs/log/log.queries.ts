/** The end of a program's log, read anew while somebody looks at it. */
import { queryOptions } from '@tanstack/react-query'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import { call, type CallInput } from '../../lib/call.ts'

/** Line by line in its dialog, now and then beside other facts, or a single time. */
export type LogUse = 'follow' | 'glance' | 'once'
export type LogQuery = ReturnType<typeof logQuery>

interface LogReply {
  results: string
  error?: string | undefined
}

const READ_EVERY_MS = { follow: 2000, glance: 10_000, once: false } as const

export function logQuery(
  kind: ProgramKind,
  id: string,
  use: LogUse,
  read: (signal: AbortSignal) => Promise<LogReply>,
) {
  return queryOptions({
    queryKey: [kind, 'log', id],
    queryFn: async ({ signal }) => read(signal),
    refetchInterval: READ_EVERY_MS[use],
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

type LinkLog = Omit<CallInput<typeof contributionAction>['body'], 'actionType'>

/** Of a feeder, input or output: they are read by one call. */
export function linkActionLogQuery(kind: ProgramKind, id: string, use: LogUse, of: LinkLog) {
  const body = { ...of, actionType: 'tail' as const }
  return logQuery(kind, id, use, async (signal) => call(contributionAction, { body, signal }))
}
