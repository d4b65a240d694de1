/** Moves inputs to another server, and says how it went. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeServer } from '@trunkline/contract/contributions/contribution.calls'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { ApiError, sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { showToast } from '../lib/toast.ts'
import { SERVER_CHANGE_FAILED, SERVER_CHANGED } from './contribution.messages.ts'
import { movedText, NOT_MOVED } from './server-change.messages.ts'
import type { Outcome, ServerChange } from './server-change.rules.ts'

/**
 * @returns moves them and answers what became of each; rejects with what the API refused as a whole,
 * when it says nothing of each
 */
export function useChangeServer() {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: ['input', 'change server'],
    mutationFn: async (asked: Asked) => call(changeServer, { body: bodyOf(asked) }),
  })
  return async (asked: Asked): Promise<Outcome> => {
    try {
      const reply = await mutateAsync(asked)
      const { moved, failed } = reply
      const detail = movedText(moved.length, failed.length, asked.server.title)
      showToast(failed.length === 0 ? 'success' : 'warning', SERVER_CHANGED, detail)
      return reply
    } catch (error) {
      showToast('failure', SERVER_CHANGE_FAILED, sentenceFor(error, NOT_MOVED))
      if (!(error instanceof ApiError) || error.failed.length === 0) throw error
      return { moved: [], failed: error.failed, notes: [] }
    } finally {
      for (const queryKey of [['input'], ['output']]) void client.invalidateQueries({ queryKey })
    }
  }
}

interface Asked {
  inputs: readonly Input[]
  server: Server
  change: ServerChange
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
