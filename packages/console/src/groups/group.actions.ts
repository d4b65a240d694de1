/** What an operator does to a group: ask first where it must, call, say how it went. */
import { type QueryClient, useIsMutating, useQueryClient } from '@tanstack/react-query'
import { addGroup, removeGroup, updateGroup } from '@trunkline/contract/groups/group.calls'
import type { Group } from '@trunkline/contract/groups/group.schema'
import { call } from '../lib/call.ts'
import { useConfirmedCall } from '../lib/confirmed-call.hook.ts'
import { invalidateKind } from '../lib/query-client.ts'
import { showToast } from '../lib/toast.ts'
import * as text from './group.messages.ts'
import type { GroupValues } from './group.rules.ts'

/** @returns adds, or changes `group`; rejects with an ApiError for the form to show */
export function useSaveGroup(group: Group | null) {
  const client = useQueryClient()
  return async (values: GroupValues, version: number | null): Promise<void> => {
    const body = { ...values, ...(version === null ? {} : { version }) }
    if (group === null) await call(addGroup, { body: values })
    else await call(updateGroup, { params: { id: group.id }, body })
    showToast('success', group === null ? text.ADDED : text.UPDATED, values.title.trim())
    readAgain(client)
  }
}

/**
 * Push tells of it too, but a browser that gets none shall see its own work. The manager's account
 * has changed with the group (GRP-14).
 */
function readAgain(client: QueryClient): void {
  void invalidateKind(client, 'group')
  void invalidateKind(client, 'user')
}

function removalOf(id: string) {
  return ['group', 'remove', id]
}

export function useIsRemoved(group: Group): boolean {
  return useIsMutating({ mutationKey: removalOf(group.id) }) > 0
}

/** @returns asks, then deletes; never throws, the toast says how it went */
export function useRemoveGroup({ id, title }: Group) {
  const confirmed = useConfirmedCall(removalOf(id), readAgain)
  return async (): Promise<void> =>
    confirmed({
      sentences: text.deleteSentences(title),
      doLabel: 'Delete group',
      keepLabel: 'Keep group',
      interrupts: null,
      send: async () => call(removeGroup, { params: { id } }),
      done: text.DELETED,
      failed: text.DELETE_FAILED,
      title,
    })
}
