/** Stop or Start, Restart, Log as equal thirds; the wanted fix alone is ink. */
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramState } from '@trunkline/contract/program-state'
import { useRole } from '../../lib/session.ts'
import { showToast } from '../../lib/toast.ts'
import { offersStop, type ProgramCommand } from '../../programs/command/command.rules.ts'
import { CommandButton } from '../../programs/command/CommandButton.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { useEncoderCommand } from '../encoder.actions.ts'
import { NOT_YET_CONFIGURED } from '../encoder.messages.ts'
import { rightTo } from '../encoder.rules.ts'
import classes from './EncoderButtons.module.css'

interface EncoderButtonsProps {
  encoder: Encoder
  state: ProgramState | null
  isBusy: boolean
  /** The command that would put right what is wrong; null for none. */
  fix: 'start' | 'restart' | null
  onLog: () => void
}

export function EncoderButtons({ encoder, state, isBusy, fix, onLog }: EncoderButtonsProps) {
  const role = useRole()
  const give = useEncoderCommand(encoder)
  const { title } = encoder
  const button = (command: ProgramCommand) => (
    <CommandButton
      command={command}
      title={title}
      right={rightTo(command, encoder, state, role)}
      isBusy={isBusy}
      isFix={command === fix}
      look="word"
      tone="plain"
      give={give}
    />
  )
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
