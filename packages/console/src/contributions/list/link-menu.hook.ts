/** What may be done to an input or output beside its commands, for its row and for the command palette. */
import { useNavigate } from '@tanstack/react-router'
import { mayDo } from '@trunkline/contract/role-table'
import { useRole } from '../../lib/session.ts'
import { usePathAction } from '../../paths/path.actions.ts'
import { useOnAirActions } from '../../shared/on-air/on-air.actions.ts'
import type { MenuAction } from '../../ui/button/Menu.tsx'
import type { RowAction } from '../../ui/button/RowButton.tsx'
import { useRemoveLink, useSetEnabled } from '../contribution.actions.ts'
import { NO_LOG } from '../contribution.messages.ts'
import type { Link } from '../link.rules.ts'

export interface LinkDialogs {
  onLog: () => void
  onRename: () => void
  onClone: () => void
  /** Of an input that cannot be deleted for them. */
  onShowOutputs: (inputId: string) => void
}

interface LinkMenu {
  /** Null for who may not read it. */
  log: RowAction | null
  /** Edit, rename, clone, enable or disable; then delete. The signal path alone for who may not. */
  groups: readonly (readonly MenuAction[])[]
}

const RIGHTS = { input: 'editInputs', output: 'editOutputs' } as const

/** `isUp`: it runs, or is about to. */
export function useLinkMenu(link: Link, isUp: boolean, open: LinkDialogs): LinkMenu {
  const edit = useEdit(link)
  const remove = useRemoveLink(link, open.onShowOutputs)
  const setEnabled = useSetEnabled(link)
  const path = usePathAction(link)
  const onAir = useOnAirActions(link)
  const mayEdit = mayDo(useRole(), RIGHTS[link.kind])
  const { isEnabled, title, type } = link
  if (!mayEdit) return { log: null, groups: [[path]] }
  return {
    log: {
      label: `Log of ${title}`,
      icon: 'log',
      tone: 'plain',
      disabledReason: type === 'Local' ? NO_LOG.local : null,
      does: open.onLog,
    },
    groups: [
      [
        { label: 'Edit', icon: 'pencil', tone: 'plain', does: edit },
        { label: 'Rename', icon: 'contribution', tone: 'plain', does: open.onRename },
        { label: 'Clone', icon: 'copy', tone: 'plain', does: open.onClone },
        path,
        // A Local input runs no program.
        ...(type === 'Local' ? onAir.slice(0, 1) : onAir),
        {
          label: isEnabled ? 'Disable' : 'Enable',
          icon: isEnabled ? 'pause' : 'play',
          tone: 'plain',
          does: () => void setEnabled(!isEnabled, isUp),
        },
      ],
      [{ label: 'Delete', icon: 'bin', tone: 'danger', does: () => void remove() }],
    ],
  }
}

/** CON-IN-30, CON-OUT-14. */
function useEdit({ kind, id, serverId, groupId }: Link): () => void {
  const navigate = useNavigate()
  if (kind === 'output') {
    const params = { serverId, outputId: id }
    return () => void navigate({ to: '/dashboard/$serverId/output_edit/$outputId', params })
  }
  const params = { serverId, groupId, id }
  return () => void navigate({ to: '/dashboard/$serverId/$groupId/contribution/$id', params })
}
