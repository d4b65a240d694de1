/** Start or Stop, Restart, Log as icons and the rest in a menu; the wanted fix alone is ink. */
import { useNavigate } from '@tanstack/react-router'
import type { ProgramState } from '@trunkline/contract/program-state'
import { usePathAction } from '../../paths/path.actions.ts'
import { BUTTON_KEYS } from '../../lib/row-keys.ts'
import { offersStop } from '../../programs/command/command.rules.ts'
import { CommandButtons } from '../../programs/command/CommandButtons.tsx'
import { useOnAirActions } from '../../shared/on-air/on-air.actions.ts'
import { IconButton } from '../../ui/button/Button.tsx'
import { Menu } from '../../ui/button/Menu.tsx'
import { useLinkCommand, useRemoveLink, useSetEnabled } from '../contribution.actions.ts'
import { NO_LOG } from '../contribution.messages.ts'
import { type Link, rightTo } from '../link.rules.ts'

interface LinkButtonsProps {
  link: Link
  state: ProgramState | null
  isBusy: boolean
  /** Stopped although it should run: starting it is the fix. */
  isWrong: boolean
  onLog: () => void
  onRename: () => void
  onClone: () => void
  onShowOutputs: (inputId: string) => void
}

export function LinkButtons(props: LinkButtonsProps) {
  const { link, state, isBusy, isWrong, onLog } = props
  const give = useLinkCommand(link)
  return (
    <>
      <CommandButtons
        title={link.title}
        state={state}
        rightTo={(command) => rightTo(command, link, state)}
        isBusy={isBusy}
        fix={isWrong ? 'start' : null}
        icons={['start', 'stop', 'restart']}
        tone="quiet"
        give={give}
      />
      <IconButton
        icon="log"
        aria-keyshortcuts={BUTTON_KEYS.log}
        label={`Log of ${link.title}`}
        size={28}
        tone="quiet"
        disabledReason={link.type === 'Local' ? NO_LOG.local : null}
        onClick={onLog}
      />
      <LinkMenu
        link={link}
        isUp={offersStop(state)}
        isBusy={isBusy}
        onRename={props.onRename}
        onClone={props.onClone}
        onShowOutputs={props.onShowOutputs}
      />
    </>
  )
}

interface LinkMenuProps {
  link: Link
  /** It runs, or is about to. */
  isUp: boolean
  isBusy: boolean
  onRename: () => void
  onClone: () => void
  onShowOutputs: (inputId: string) => void
}

/** What else can be done with an input or output: edit, rename, clone, enable or disable, delete. */
function LinkMenu({ link, isUp, isBusy, onRename, onClone, onShowOutputs }: LinkMenuProps) {
  const edit = useEdit(link)
  const remove = useRemoveLink(link, onShowOutputs)
  const setEnabled = useSetEnabled(link)
  const path = usePathAction(link)
  const onAir = useOnAirActions(link)
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
          path,
          // A Local input runs no program.
          ...(link.type === 'Local' ? onAir.slice(0, 1) : onAir),
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
