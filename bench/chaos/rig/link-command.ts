/** Commands to a link, as the console sends them, and how they were answered. */
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { callApi, type Client } from '@trunkline/testbed/api-client'

export interface CommandAnswer {
  /** The program runs, or has stopped, as commanded. */
  isDone: boolean
  tookMs: number
  /** '' of a command that is done. */
  sentence: string
}

export async function commandLink(
  client: Client,
  { kind, id }: { kind: 'input' | 'output'; id: string },
  actionType: 'start' | 'stop' | 'restart',
): Promise<CommandAnswer> {
  const startedMs = performance.now()
  const body = { id, type: ACTION_TYPE[kind], actionType }
  const answer = await callApi(client, contributionAction, { body }).then(
    ({ status, error = '' }) => ({ isDone: status, sentence: error }),
    (fault: unknown) => ({ isDone: false, sentence: String(fault) }),
  )
  return { ...answer, tookMs: performance.now() - startedMs }
}
