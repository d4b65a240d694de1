/** What the viewer may do to a person, for their row and for the command palette. */
import {
  isSharedBeyond,
  mayAddToGroup,
  mayEditUser,
  mayRemoveFromGroup,
  mayRemoveUser,
  type Acting,
} from '@trunkline/contract/users/user.rules'
import type { User } from '@trunkline/contract/users/user.schema'
import type { RowAction } from '../../ui/button/RowButton.tsx'
import { actedUpon } from '../acting.hook.ts'
import { useIsBeingRemoved, useRemoveFromGroup, useRemoveUser } from '../user.actions.ts'

interface UserMenu {
  edit: RowAction | null
  addToGroup: RowAction | null
  remove: RowAction | null
  /** Of a person who is not the viewer's alone: out of each group that they share. */
  leave: readonly RowAction[]
}

interface UserDialogs {
  onEdit: () => void
  onGroup: () => void
}

/** Null for what the viewer may not do. */
export function useUserMenu(user: User, acting: Acting, open: UserDialogs): UserMenu {
  const remove = useRemoveUser(user)
  const leave = useRemoveFromGroup(user)
  const disabledReason = useIsBeingRemoved(user._id) ? '' : null
  const target = actedUpon(user)
  const { fullName, groups } = user
  const plain = { tone: 'plain', disabledReason } as const
  const danger = { tone: 'danger', disabledReason } as const
  const mayLeave = isSharedBeyond(acting, target) && mayRemoveFromGroup(acting, target)
  return {
    edit: mayEditUser(acting, target)
      ? { ...plain, label: `Edit ${fullName}`, icon: 'pencil', does: open.onEdit }
      : null,
    addToGroup: mayAddToGroup(acting, target)
      ? { ...plain, label: `Add To Group: ${fullName}`, icon: 'group', does: open.onGroup }
      : null,
    remove: mayRemoveUser(acting, target)
      ? { ...danger, label: `Delete ${fullName}`, icon: 'bin', does: () => void remove() }
      : null,
    leave: mayLeave
      ? groups.map((group) => ({
          ...danger,
          label: `Remove from ${group.title}: ${fullName}`,
          icon: 'out',
          does: () => void leave(group),
        }))
      : [],
  }
}
