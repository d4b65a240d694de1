/** Start or Stop, then Restart, as that program may be commanded now; the wanted fix alone is ink. */
import type { ProgramState } from '@trunkline/contract/program-state'
import { BUTTON_KEYS } from '../../lib/row-keys.ts'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { COMMAND_WORDS } from './command.messages.ts'
import { type CommandRight, offersStop, type ProgramCommand } from './command.rules.ts'

interface CommandButtonsProps {
  /** Of the program. */
  title: string
  state: ProgramState | null
  rightTo: (command: ProgramCommand) => CommandRight
  isBusy: boolean
  /** The command that would put right what is wrong; null for none. */
  fix: ProgramCommand | null
  /** Those that are shown without their word. */
  icons: readonly ProgramCommand[]
  tone: 'plain' | 'quiet'
  give: (command: ProgramCommand, right: CommandRight) => Promise<void>
}

export function CommandButtons(props: CommandButtonsProps) {
  return (
    <>
      <CommandButton {...props} command={offersStop(props.state) ? 'stop' : 'start'} />
      <CommandButton {...props} command="restart" />
    </>
  )
}

const ICONS = { start: 'play', stop: 'stop', restart: 'restart' } as const

function CommandButton(props: CommandButtonsProps & { command: ProgramCommand }) {
  const { command, fix, icons, title } = props
  const right = props.rightTo(command)
  const word = COMMAND_WORDS[command]
  const name = `${word} ${title}`
  const button = {
    icon: right.kind === 'locked' ? 'lock' : ICONS[command],
    size: 28,
    'aria-keyshortcuts': BUTTON_KEYS[command],
    tone: command === fix && right.kind === 'may' ? 'primary' : props.tone,
    disabledReason: props.isBusy ? '' : right.kind === 'inert' ? right.reason : null,
    onClick: () => void props.give(command, right),
  } as const
  if (icons.includes(command)) return <IconButton {...button} label={name} />
  return (
    <Button {...button} aria-label={name}>
      {word}
    </Button>
  )
}
