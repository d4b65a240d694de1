/** Moves inputs to another server, and says how it went. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeServer } from '@trunkline/contract/contributions/contribution.calls'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { ApiError, sentenceFor } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { showToast } from '../../lib/toast.ts'
import { SERVER_CHANGE_FAILED, SERVER_CHANGED } from '../contribution.messages.ts'
import { movedText, NOT_MOVED, NOT_TRIED } from './server-change.messages.ts'
import {
  failedAll,
  NOTHING_YET,
  parts,
  together,
  type Outcome,
  type ServerChange,
} from './server-change.rules.ts'

interface Asked {
  inputs: readonly Input[]
  server: Server
  change: ServerChange
}

/** Told of all that is known by now, each time that some were answered. */
type OnProgress = (sofar: Outcome) => void

/**
 * @returns moves them, some at a time, and answers what became of each; rejects with what the API
 * refused as a whole before anything was moved, when it says nothing of each
 */
export function useChangeServer() {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: ['input', 'change server'],
    mutationFn: async (asked: Asked) => call(changeServer, { body: bodyOf(asked) }),
  })
  return async (asked: Asked, onProgress: OnProgress): Promise<Outcome> => {
    let outcome = NOTHING_YET
    let reason = ''
    try {
      for (const inputs of parts(asked.inputs)) {
        try {
          outcome = together(outcome, await mutateAsync({ ...asked, inputs }))
        } catch (error) {
          reason ||= sentenceFor(error, '')
          if (error instanceof ApiError && error.failed.length > 0) {
            outcome = together(outcome, { ...NOTHING_YET, failed: error.failed })
          } else if (outcome === NOTHING_YET) throw error
          else {
            outcome = withoutAnswer(asked.inputs, inputs, outcome, sentenceFor(error, NOT_MOVED))
            break
          }
        }
        onProgress(outcome)
      }
      showOutcome(outcome, asked.server.title, reason)
      return outcome
    } finally {
      for (const queryKey of [['input'], ['output']]) void client.invalidateQueries({ queryKey })
    }
  }
}

/** The call for `part` failed as a whole: those after it are not tried. */
function withoutAnswer(
  all: readonly Input[],
  part: readonly Input[],
  sofar: Outcome,
  sentence: string,
): Outcome {
  const rest = all.slice(sofar.moved.length + sofar.failed.length + part.length)
  return together(together(sofar, failedAll(part, sentence)), failedAll(rest, NOT_TRIED))
}

function showOutcome({ moved, failed }: Outcome, server: string, reason: string): void {
  if (moved.length === 0) {
    // ERR-02: the server's sentence first. Q193: the French text stands with it.
    if (reason === '') showToast('failure', SERVER_CHANGE_FAILED, '')
    else showToast('failure', reason, SERVER_CHANGE_FAILED)
    return
  }
  const tone = failed.length === 0 ? 'success' : 'warning'
  showToast(tone, SERVER_CHANGED, movedText(moved.length, failed.length, server))
}

function bodyOf({ inputs, server, change }: Asked) {
  const pair = server.adapterIps.find(({ _id }) => _id === change.adapterId)
  return {
    newServerId: server._id,
    contributions: inputs.map(({ name }) => name),
    localIp: pair?.adapterIp ?? '',
    adapterId: pair?._id ?? '',
    keepOrDelete: change.keepOrDelete,
  }
}
