/** What an operator does to a channel: who may, the call, the cache, the notice. */
import {
  changeStreamStatus,
  type listChannels,
  renameChannel,
  restartStream,
  removeChannel,
} from '@trunkline/contract/channels/channel.calls'
import { Channel } from '@trunkline/contract/channels/channel.schema'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { mayCall, NOT_AUTHORIZED } from '@trunkline/contract/roles'
import type { AnswerOf, Route } from '@trunkline/contract/route'
import { type QueryClient, useMutation, useQueryClient, useIsMutating } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { ApiError, sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { useConfirmedCall } from '../lib/confirmed-call.hook.ts'
import { askBefore, intend } from '../lib/ask-before.ts'
import { useRole } from '../lib/session.ts'
import { showToast } from '../lib/toast.ts'
import * as text from './channel.messages.ts'
import { channelKeys } from './channel.queries.ts'
import { invalidateKind } from '../lib/query-client.ts'

/** CHAN-22: below manager level a control is shown, and answers this without asking the API. */
export function useMayChange(to: Route = changeStreamStatus): {
  mayChange: boolean
  guard: (act: () => void) => void
} {
  const mayChange = mayCall(useRole(), to)
  const guard = useCallback(
    (act: () => void) => {
      if (mayChange) act()
      else showToast('warning', NOT_AUTHORIZED, '')
    },
    [mayChange],
  )
  return { mayChange, guard }
}

/**
 * Refused where it is not the version any more that was on the screen when the new title was begun; the
 * toast names it as it is then, and the next try is made on that.
 */
export function useRename(channel: Channel) {
  const client = useQueryClient()
  const version = useRef(channel.version)
  return useMutation({
    mutationFn: async (title: string) =>
      call(renameChannel, {
        params: { channelId: channel.id },
        body: { title, version: version.current },
      }),
    onSuccess: ({ data }) => {
      version.current = data.version
      putChannel(client, data)
      showToast('success', text.TITLE_UPDATED, '')
    },
    onError: (error) => {
      const now = channelNow(error) ?? channel
      version.current = now.version
      showToast('failure', sentenceFor(error, text.TITLE_FAILED), now.title)
    },
    onSettled: () => readListsAgain(client),
  })
}

/** As it is now, where a refusal says that somebody has saved it; null for any other error. */
export function channelNow(error: unknown): Channel | null {
  return error instanceof ApiError ? (Channel.safeParse(error.current).data ?? null) : null
}

function putChannel(client: QueryClient, channel: Channel): void {
  client.setQueriesData<AnswerOf<typeof listChannels>>(
    { queryKey: channelKeys.lists },
    (known) =>
      known && {
        ...known,
        data: known.data.map((item) => (item.id === channel.id ? channel : item)),
      },
  )
}

/** Q128: the list is read again after each action, whichever way it went; so is the record of it. */
export function readListsAgain(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: channelKeys.lists })
  void client.invalidateQueries({ queryKey: channelKeys.changes() })
}

/** Asked first: a restart cannot be undone. Where no picture is lost by it, nothing is asked. */
export function useRestart(channel: Channel, stream: StreamDetail | null) {
  const client = useQueryClient()
  const body = { serverId: channel.serverId, streamName: channel.name }
  const { mutate, isPending } = useMutation({
    mutationFn: async () => call(restartStream, { body }),
    onSuccess: ({ data }) => {
      client.setQueryData(channelKeys.stream(channel), data.stream)
      showToast('success', text.RESTARTED, channel.title)
    },
    onError: (error) =>
      showToast('failure', sentenceFor(error, text.RESTART_FAILED), channel.title),
    onSettled: () => readListsAgain(client),
  })
  const restart = async () => {
    const isLive = stream?.stats.alive === true
    const sentences = text.restartSentences(channel.title, pushesOn(stream))
    const { RESTART_DO: doLabel, RESTART_KEEP: keepLabel } = text
    const intended = intend(restartStream, { body })
    if (!isLive || (await askBefore(intended, { sentences, doLabel, keepLabel }))) mutate()
  }
  return { isPending, restart: () => void restart() }
}

/** How many push outputs carry the stream. */
export function pushesOn(stream: StreamDetail | null): number {
  return (stream?.pushes ?? []).filter((push) => push.disabled !== true).length
}

function keyOf({ id }: Channel) {
  return ['channel', 'remove', id]
}

export function useIsRemoved(channel: Channel): boolean {
  return useIsMutating({ mutationKey: keyOf(channel) }) > 0
}

/** @returns asks, then takes it out; never throws, the toast says how it went */
export function useRemoveChannel(channel: Channel) {
  const { id, title, name, serverInfo } = channel
  const params = { channelId: id }
  const confirmed = useConfirmedCall(
    keyOf(channel),
    (client) => void invalidateKind(client, 'channel'),
  )
  return async (): Promise<void> =>
    confirmed({
      sentences: text.removeSentences(title, name, serverInfo.title),
      doLabel: 'Remove',
      keepLabel: 'Keep channel',
      interrupts: intend(removeChannel, { params }),
      send: async () => call(removeChannel, { params }),
      done: text.REMOVED,
      failed: text.REMOVE_FAILED,
      title,
    })
}
