/** What may be done to a group, for its row and for the command palette. */
import type { Group } from '@trunkline/contract/groups/group.schema'
import type { RowAction } from '../ui/button/RowButton.tsx'
import { useIsRemoved, useRemoveGroup } from './group.actions.ts'

export function useGroupMenu(group: Group, onEdit: () => void): readonly RowAction[] {
  const remove = useRemoveGroup(group)
  const disabledReason = useIsRemoved(group) ? '' : null
  const { title } = group
  return [
    { label: `Edit ${title}`, icon: 'pencil', tone: 'plain', disabledReason, does: onEdit },
    {
      label: `Delete ${title}`,
      icon: 'bin',
      tone: 'danger',
      disabledReason,
      does: () => void remove(),
    },
  ]
}
