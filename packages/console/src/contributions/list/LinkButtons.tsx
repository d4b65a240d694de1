/** Start or Stop, Restart, Log as icons and the rest in a menu; the wanted fix alone is ink. */
import type { ProgramState } from '@trunkline/contract/program-state'
import { offersStop, type ProgramCommand } from '../../programs/command/command.rules.ts'
import { CommandButton } from '../../programs/command/CommandButton.tsx'
import { IconButton } from '../../ui/button/Button.tsx'
import { useLinkCommand } from '../contribution.actions.ts'
import { NO_LOG } from '../contribution.messages.ts'
import { type Link, rightTo } from '../link.rules.ts'
import { LinkMenu } from './LinkMenu.tsx'

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
  const button = (command: ProgramCommand) => (
    <CommandButton
      command={command}
      title={link.title}
      right={rightTo(command, link, state)}
      isBusy={isBusy}
      isFix={command === 'start' && isWrong}
      look="icon"
      tone="quiet"
      give={give}
    />
  )
  return (
    <>
      {button(offersStop(state) ? 'stop' : 'start')}
      {button('restart')}
      <IconButton
        icon="log"
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
