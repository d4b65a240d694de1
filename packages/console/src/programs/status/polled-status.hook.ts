/** The status of a feeder, input or output, asked for while nothing is pushed. */
import { useQuery } from '@tanstack/react-query'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { uptimeFromResults } from '@trunkline/contract/program-state'
import { useConnection } from '../../lib/live/live-hooks.ts'
import type { Polled } from './program-view.hook.ts'
import type { statusQuery } from './status.queries.ts'

interface Poll<R> {
  /** False for what is never asked, such as one that is disabled. */
  mayAsk: boolean
  queryFor: (isAsked: boolean) => ReturnType<typeof statusQuery<R>>
  /** `null`: the call failed, so nothing is known (FEED-07, Q93, CON-IN-18). */
  statusOf: (reply: R | null, readAtMs: number) => ProgramStatus
  isDisabledBy: (reply: R) => boolean
}

/** @returns null while what is pushed is to be shown, and until the first answer */
export function usePolledStatus<R extends { results: string }>(poll: Poll<R>): Polled | null {
  const isAsked = useConnection().state === 'retrying' && poll.mayAsk
  const answer = useQuery(poll.queryFor(isAsked))
  if (!isAsked) return null
  if (answer.isError) {
    const status = poll.statusOf(null, answer.errorUpdatedAt)
    return { status, uptime: '', isDisabled: false }
  }
  if (answer.data === undefined) return null
  return {
    status: poll.statusOf(answer.data, answer.dataUpdatedAt),
    uptime: uptimeFromResults(answer.data.results),
    isDisabled: poll.isDisabledBy(answer.data),
  }
}
