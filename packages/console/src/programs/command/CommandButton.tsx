/** Start, Stop or Restart, as that program may be commanded now; the wanted fix alone is ink. */
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { COMMAND_WORDS } from './command.messages.ts'
import type { CommandRight, ProgramCommand } from './command.rules.ts'

interface CommandButtonProps {
  command: ProgramCommand
  /** Of the program. */
  title: string
  right: CommandRight
  isBusy: boolean
  /** It would put right what is wrong. */
  isFix: boolean
  look: 'word' | 'icon'
  tone: 'plain' | 'quiet'
  give: (command: ProgramCommand, right: CommandRight) => Promise<void>
}

const ICONS = { start: 'play', stop: 'stop', restart: 'restart' } as const

export function CommandButton(props: CommandButtonProps) {
  const { command, title, right } = props
  const word = COMMAND_WORDS[command]
  const name = `${word} ${title}`
  const button = {
    icon: right.kind === 'locked' ? 'lock' : ICONS[command],
    size: 28,
    tone: props.isFix && right.kind === 'may' ? 'primary' : props.tone,
    disabledReason: props.isBusy ? '' : right.kind === 'inert' ? right.reason : null,
    onClick: () => void props.give(command, right),
  } as const
  if (props.look === 'icon') return <IconButton {...button} label={name} />
  return (
    <Button {...button} aria-label={name}>
      {word}
    </Button>
  )
}
