/** Start or Stop, Restart, Log as icons and the rest in a menu; the wanted fix alone is ink. */
import type { ProgramState } from '@trunkline/contract/program-state'
import { IconButton } from '../../ui/button/Button.tsx'
import type { IconName } from '../../ui/symbol/Icon.tsx'
import { useLinkCommand } from '../contribution.actions.ts'
import { NO_LOG } from '../contribution.messages.ts'
import { disabledReason, type Link, type LinkCommand, offersStop } from '../link.rules.ts'
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

const LOOKS: Record<LinkCommand, { icon: IconName; word: string }> = {
  start: { icon: 'play', word: 'Start' },
  stop: { icon: 'stop', word: 'Stop' },
  restart: { icon: 'restart', word: 'Restart' },
}

export function LinkButtons(props: LinkButtonsProps) {
  const { link, state, isBusy, isWrong, onLog } = props
  const give = useLinkCommand(link)
  const button = (command: LinkCommand) => {
    const { icon, word } = LOOKS[command]
    const why = disabledReason(command, link, state)
    const isFix = command === 'start' && isWrong && why === null
    return (
      <IconButton
        icon={icon}
        label={`${word} ${link.title}`}
        size={28}
        tone={isFix ? 'primary' : 'quiet'}
        disabledReason={isBusy ? '' : why}
        onClick={() => void give(command)}
      />
    )
  }
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
