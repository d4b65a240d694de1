/** What an operator does to a server: ask first where it must, call, say how it went. */
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addServer,
  readServerStatus,
  removeServer,
  updateServer,
} from '@trunkline/contract/servers/server.calls'
import { NewServer, ServerEdit, type Server } from '@trunkline/contract/servers/server.schema'
import { ApiError, sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { useConfirmedCall } from '../lib/confirmed-call.hook.ts'
import { invalidateKind } from '../lib/query-client.ts'
import { showToast } from '../lib/toast.ts'
import * as text from './server.messages.ts'
import { bodyOf, type ServerValues } from './server-form.rules.ts'

/** @returns adds, or changes `server`, and answers it; rejects with an ApiError for the form to show */
export function useSaveServer(server: Server | null) {
  const client = useQueryClient()
  return async (values: ServerValues, version: number | null): Promise<Server> => {
    const saved = await send(server, values, version)
    showToast('success', server === null ? text.ADDED : text.UPDATED, values.title.trim())
    // Push tells of it too, but a browser that gets none shall see its own work.
    void invalidateKind(client, 'server')
    return saved
  }
}

async function send(server: Server | null, values: ServerValues, version: number | null) {
  const body = bodyOf(values)
  if (server === null) return (await call(addServer, { body: NewServer.parse(body) })).data
  const edit = ServerEdit.parse({ ...body, ...(version === null ? {} : { version }) })
  return (await call(updateServer, { params: { id: server.id }, body: edit })).data
}

function keyOf(deed: 'remove' | 'check', id: string) {
  return ['server', deed, id]
}

/** True while it is deleted, or asked whether it is there. */
export function useIsBusy({ id }: Server): { isRemoved: boolean; isChecked: boolean } {
  return {
    isRemoved: useIsMutating({ mutationKey: keyOf('remove', id) }) > 0,
    isChecked: useIsMutating({ mutationKey: keyOf('check', id) }) > 0,
  }
}

/** @returns asks, then deletes; never throws, the toast says how it went */
export function useRemoveServer({ id, title }: Server) {
  const confirmed = useConfirmedCall(
    keyOf('remove', id),
    (client) => void invalidateKind(client, 'server'),
  )
  return async (): Promise<void> =>
    confirmed({
      sentences: text.deleteSentences(title),
      doLabel: 'Delete server',
      keepLabel: 'Keep server',
      interrupts: null,
      send: async () => call(removeServer, { params: { id } }),
      done: text.DELETED,
      failed: text.DELETE_FAILED,
      title,
    })
}

/** @returns asks the server now, within 5 s; the toast says how fast it answered, or why it did not */
export function useCheckServer({ id, title }: Server): () => void {
  const { mutate } = useMutation({
    mutationKey: keyOf('check', id),
    mutationFn: async () => call(readServerStatus, { params: { id } }),
    onSuccess: ({ latencyMs }) =>
      showToast('success', text.isOnline(title), text.answeredIn(latencyMs)),
    onError: (error) => {
      // A console that cannot be reached says nothing about the server.
      const wasAsked = error instanceof ApiError && error.kind === 'refused'
      const heading = wasAsked ? text.isOffline(title) : text.notAsked(title)
      showToast('failure', heading, sentenceFor(error, ''))
    },
  })
  return () => mutate()
}
