/** What a click on the Users tab does: ask first where it must, call, say how it went. */
import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import {
  addGroupUser,
  moveGroupUser,
  removeGroupUser,
} from '@trunkline/contract/groups/group.calls'
import { addUser, removeUser, updateUser } from '@trunkline/contract/users/user.calls'
import type { GroupRef } from '@trunkline/contract/session/session.schema'
import type { User } from '@trunkline/contract/users/user.schema'
import { sentenceFor } from '../lib/api-error.ts'
import { call, type CallInput } from '../lib/call.ts'
import { useConfirmedCall } from '../lib/confirmed-call.hook.ts'
import { showToast } from '../lib/toast.ts'
import {
  ADD_TO_GROUP_FAILED,
  ADDED_TO_GROUP,
  REMOVE_FROM_GROUP_FAILED,
  REMOVED_FROM_GROUP,
  removeFromGroupSentences,
  REMOVE_FAILED,
  removeSentences,
  USER_ADDED,
  USER_REMOVED,
  USER_UPDATED,
} from './user.messages.ts'

/** Lists of people and of groups, which count them, are read again. */
export function useReadAgain() {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: ['user'] })
    void client.invalidateQueries({ queryKey: ['group'] })
  }
}

/** @returns adds a user and says so; throws ApiError when the user was not added */
export function useAddUser() {
  const readAgain = useReadAgain()
  return async (draft: CallInput<typeof addUser>['body']): Promise<void> => {
    const { data } = await call(addUser, { body: draft })
    showToast('success', USER_ADDED, data.fullName)
    await settleGroup(data, draft.groupId)
    readAgain()
  }
}

/** @returns changes a user and says so; throws ApiError when nothing was changed */
export function useUpdateUser() {
  const readAgain = useReadAgain()
  return async (edit: CallInput<typeof updateUser>['body']): Promise<void> => {
    const { data } = await call(updateUser, { body: edit })
    showToast('success', USER_UPDATED, data.fullName)
    await settleGroup(data, edit.groupId)
    readAgain()
  }
}

/**
 * Q107: whoever was saved with a group is to be in it. The API sees to that in the same step; an
 * answer that shows otherwise is put right by the calls of the groups.
 */
async function settleGroup(user: User, groupId: string | undefined): Promise<void> {
  if (groupId === undefined || user.groups.some((group) => group._id === groupId)) return
  try {
    await putIntoGroup(user, groupId)
  } catch (error) {
    showToast('failure', sentenceFor(error, ADD_TO_GROUP_FAILED), user.fullName)
  }
}

/** USER-11, Q106: who has no group joins; who has one is moved, and leaves it. */
async function putIntoGroup(user: User, groupId: string): Promise<void> {
  const joinOrMove = user.groups.length === 0 ? addGroupUser : moveGroupUser
  await call(joinOrMove, { params: { groupId }, body: { userId: user._id } })
}

/** @returns puts a user into a group and says so; throws ApiError when that was refused */
export function useAddToGroup() {
  const readAgain = useReadAgain()
  return async (user: User, groupId: string, groupTitle: string): Promise<void> => {
    await putIntoGroup(user, groupId)
    showToast('success', ADDED_TO_GROUP, `${user.fullName}, ${groupTitle}`)
    readAgain()
  }
}

function removalKey(id: string) {
  return ['user', 'remove', id]
}

/** True while this user is being deleted or taken out of a group: a second click does nothing. */
export function useIsBeingRemoved(id: string): boolean {
  return useIsMutating({ mutationKey: removalKey(id) }) > 0
}

/** @returns asks, deletes, and says how it went; never throws */
export function useRemoveUser(user: User) {
  const confirmed = useConfirmedCall(removalKey(user._id), useReadAgain())
  return async (): Promise<void> =>
    confirmed({
      sentences: removeSentences(user),
      doLabel: 'Delete user',
      keepLabel: 'Keep user',
      interrupts: null,
      send: async () => call(removeUser, { params: { id: user._id } }),
      done: USER_REMOVED,
      failed: REMOVE_FAILED,
      title: user.fullName,
    })
}

/** @returns asks, takes a user out of one group, and says how it went; never throws */
export function useRemoveFromGroup(user: User) {
  const confirmed = useConfirmedCall(removalKey(user._id), useReadAgain())
  return async (group: GroupRef): Promise<void> =>
    confirmed({
      sentences: removeFromGroupSentences(user, group.title),
      doLabel: `Remove from ${group.title}`,
      keepLabel: `Keep in ${group.title}`,
      interrupts: null,
      send: async () =>
        call(removeGroupUser, { params: { groupId: group._id }, body: { userId: user._id } }),
      done: REMOVED_FROM_GROUP,
      failed: REMOVE_FROM_GROUP_FAILED,
      title: `${user.fullName}, ${group.title}`,
    })
}
