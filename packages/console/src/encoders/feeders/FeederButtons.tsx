/** Start or Stop, Restart, Log, Edit, Delete; the wanted fix alone is ink. */
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramState } from '@trunkline/contract/program-state'
import { mayDo } from '@trunkline/contract/role-table'
import { useRole } from '../../lib/session.ts'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import type { IconName } from '../../ui/symbol/Icon.tsx'
import { offersStop } from '../encoder.rules.ts'
import { useFeederCommand, useRemoveFeeder } from './feeder.actions.ts'
import { rightTo, type FeederCommand } from './feeder.rules.ts'

interface FeederButtonsProps {
  encoder: Encoder
  feeder: Feeder
  state: ProgramState | null
  isBusy: boolean
  /** Stopped although it should run: starting it is the fix. */
  isWrong: boolean
  onLog: () => void
  onEdit: () => void
}

const LOOKS: Record<FeederCommand, { icon: IconName; word: string }> = {
  start: { icon: 'play', word: 'Start' },
  stop: { icon: 'stop', word: 'Stop' },
  restart: { icon: 'restart', word: 'Restart' },
}

export function FeederButtons(props: FeederButtonsProps) {
  const { encoder, feeder, state, isBusy } = props
  const role = useRole()
  const give = useFeederCommand(encoder, feeder)
  const { title } = feeder.input
  const button = (command: FeederCommand) => {
    const right = rightTo(command, encoder, state, role)
    const { icon, word } = LOOKS[command]
    const look = {
      icon: right.kind === 'locked' ? 'lock' : icon,
      size: 28,
      disabledReason: isBusy ? '' : right.kind === 'inert' ? right.reason : null,
      onClick: () => void give(command, right),
    } as const
    const name = `${word} ${title}`
    if (command === 'restart') return <IconButton {...look} label={name} tone="quiet" />
    const isFix = command === 'start' && props.isWrong && right.kind === 'may'
    return (
      <Button {...look} aria-label={name} tone={isFix ? 'primary' : 'quiet'}>
        {word}
      </Button>
    )
  }
  return (
    <>
      {button(offersStop(state) ? 'stop' : 'start')}
      {button('restart')}
      <IconButton
        icon="log"
        label={`Log of ${title}`}
        size={28}
        tone="quiet"
        onClick={props.onLog}
      />
      {mayDo(role, 'editFeeders') && <EditButtons {...props} />}
    </>
  )
}

function EditButtons({ encoder, feeder, state, isBusy, onEdit }: FeederButtonsProps) {
  const remove = useRemoveFeeder(encoder, feeder)
  const { title } = feeder.input
  return (
    <>
      <IconButton icon="pencil" label={`Edit ${title}`} size={28} tone="quiet" onClick={onEdit} />
      <IconButton
        icon="bin"
        label={`Delete ${title}`}
        size={28}
        tone="quiet"
        disabledReason={isBusy ? '' : null}
        onClick={() => void remove(offersStop(state))}
      />
    </>
  )
}
