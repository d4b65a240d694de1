/** What may be done to a destination, for its row and for the command palette. */
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import { useIsBusy } from '../../programs/command/busy.hook.ts'
import type { MenuAction } from '../../ui/button/Menu.tsx'
import type { RowAction } from '../../ui/button/RowButton.tsx'
import { linkLabel, SHOW_OUTPUTS } from '../contribution.messages.ts'
import { useLinkOutputs, useRemoveDestination } from './destination.actions.ts'

export interface DestinationDialogs {
  onEdit: () => void
  onRename: () => void
  onClone: () => void
  onShowOutputs: () => void
}

/** `buttons`: edit and delete; `more`: the rest. */
export function useDestinationMenu(
  destination: Destination,
  open: DestinationDialogs,
): { buttons: readonly RowAction[]; more: readonly MenuAction[] } {
  const remove = useRemoveDestination(destination)
  const link = useLinkOutputs(destination)
  const { id, title, linkable } = destination
  const disabledReason = useIsBusy('destination', id) ? '' : null
  return {
    buttons: [
      { label: `Edit ${title}`, icon: 'pencil', tone: 'plain', disabledReason, does: open.onEdit },
      {
        label: `Delete ${title}`,
        icon: 'bin',
        tone: 'danger',
        disabledReason,
        does: () => void remove(),
      },
    ],
    more: [
      { label: 'Rename', icon: 'contribution', tone: 'plain', does: open.onRename },
      { label: 'Clone', icon: 'copy', tone: 'plain', does: open.onClone },
      { label: SHOW_OUTPUTS, icon: 'out', tone: 'plain', does: open.onShowOutputs },
      ...(linkable === 0
        ? []
        : [
            {
              label: linkLabel(linkable),
              icon: 'contribution',
              tone: 'plain',
              does: () => void link(),
            } as const,
          ]),
    ],
  }
}
