/** Taking a channel out of the list: asked first, and told (Q126). */
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { removeChannel } from '@trunkline/contract/channels/channel.calls'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { askFirst } from '../lib/confirm.ts'
import { invalidateKind } from '../lib/query-client.ts'
import { showToast } from '../lib/toast.ts'
import * as text from './channel.messages.ts'

function keyOf({ id }: Channel) {
  return ['channel', 'remove', id]
}

export function useIsRemoved(channel: Channel): boolean {
  return useIsMutating({ mutationKey: keyOf(channel) }) > 0
}

/** @returns asks, then takes it out; never throws, the toast says how it went */
export function useRemoveChannel(channel: Channel) {
  const client = useQueryClient()
  const { id, title, name, serverInfo } = channel
  const { mutateAsync } = useMutation({
    mutationKey: keyOf(channel),
    mutationFn: async () => call(removeChannel, { params: { channelId: id } }),
  })
  return async (): Promise<void> => {
    const isConfirmed = await askFirst({
      sentences: text.removeSentences(title, name, serverInfo.title),
      doLabel: 'Remove',
      keepLabel: 'Keep channel',
    })
    if (!isConfirmed) return
    try {
      await mutateAsync()
      showToast('success', text.REMOVED, title)
    } catch (error) {
      showToast('failure', sentenceFor(error, text.REMOVE_FAILED), title)
    }
    void invalidateKind(client, 'channel')
  }
}
