/** What else can be done with an input or output: edit, rename, clone, enable or disable, delete. */
import { useNavigate } from '@tanstack/react-router'
import { Menu } from '../../ui/button/Menu.tsx'
import { useRemoveLink, useSetEnabled } from '../contribution.actions.ts'
import type { Link } from '../link.rules.ts'

interface LinkMenuProps {
  link: Link
  /** It runs, or is about to. */
  isUp: boolean
  isBusy: boolean
  onRename: () => void
  onClone: () => void
  onShowOutputs: (inputId: string) => void
}

export function LinkMenu({ link, isUp, isBusy, onRename, onClone, onShowOutputs }: LinkMenuProps) {
  const edit = useEdit(link)
  const remove = useRemoveLink(link, onShowOutputs)
  const setEnabled = useSetEnabled(link)
  const { isEnabled, title } = link
  return (
    <Menu
      label={`More for ${title}`}
      disabledReason={isBusy ? '' : null}
      groups={[
        [
          { label: 'Edit', icon: 'pencil', tone: 'plain', does: edit },
          { label: 'Rename', icon: 'contribution', tone: 'plain', does: onRename },
          { label: 'Clone', icon: 'copy', tone: 'plain', does: onClone },
          {
            label: isEnabled ? 'Disable' : 'Enable',
            icon: isEnabled ? 'pause' : 'play',
            tone: 'plain',
            does: () => void setEnabled(!isEnabled, isUp),
          },
        ],
        [{ label: 'Delete', icon: 'bin', tone: 'danger', does: () => void remove() }],
      ]}
    />
  )
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
