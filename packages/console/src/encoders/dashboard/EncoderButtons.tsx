/** Stop or Start, Restart, Log as equal thirds; the wanted fix alone is ink. */
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramState } from '@trunkline/contract/program-state'
import { useRole } from '../../lib/session.ts'
import { showToast } from '../../lib/toast.ts'
import { Button } from '../../ui/button/Button.tsx'
import type { IconName } from '../../ui/symbol/Icon.tsx'
import { useEncoderCommand, type RunCommand } from '../encoder.actions.ts'
import { NOT_YET_CONFIGURED } from '../encoder.messages.ts'
import { offersStop, rightTo } from '../encoder.rules.ts'
import classes from './EncoderButtons.module.css'

interface EncoderButtonsProps {
  encoder: Encoder
  state: ProgramState | null
  isBusy: boolean
  /** The command that would put right what is wrong; null for none. */
  fix: 'start' | 'restart' | null
  onLog: () => void
}

const LOOKS: Record<RunCommand, { icon: IconName; word: string }> = {
  start: { icon: 'play', word: 'Start' },
  stop: { icon: 'stop', word: 'Stop' },
  restart: { icon: 'restart', word: 'Restart' },
}

export function EncoderButtons({ encoder, state, isBusy, fix, onLog }: EncoderButtonsProps) {
  const role = useRole()
  const give = useEncoderCommand(encoder)
  const { title } = encoder
  const button = (command: RunCommand) => {
    const right = rightTo(command, encoder, state, role)
    const { icon, word } = LOOKS[command]
    return (
      <Button
        size={28}
        icon={right.kind === 'locked' ? 'lock' : icon}
        tone={command === fix && right.kind === 'may' ? 'primary' : 'plain'}
        disabledReason={isBusy ? '' : right.kind === 'inert' ? right.reason : null}
        aria-label={`${word} ${title}`}
        onClick={() => void give(command, right)}
      >
        {word}
      </Button>
    )
  }
  return (
    <footer className={classes.buttons}>
      {button(offersStop(state) ? 'stop' : 'start')}
      {button('restart')}
      <Button
        size={28}
        icon="log"
        aria-label={`Log of ${title}`}
        onClick={() => {
          if (encoder.config === null) showToast('warning', NOT_YET_CONFIGURED, title)
          else onLog()
        }}
      >
        Log
      </Button>
    </footer>
  )
}
