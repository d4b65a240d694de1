/** Start or Stop, Restart, Log, Edit, Delete; the wanted fix alone is ink. */
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramState } from '@trunkline/contract/program-state'
import { mayDo } from '@trunkline/contract/role-table'
import { BUTTON_KEYS } from '../../lib/row-keys.ts'
import { useRole } from '../../lib/session.ts'
import { offersStop } from '../../programs/command/command.rules.ts'
import { CommandButtons } from '../../programs/command/CommandButtons.tsx'
import { IconButton } from '../../ui/button/Button.tsx'
import { useFeederCommand, useRemoveFeeder } from './feeder.actions.ts'
import { rightTo } from './feeder.rules.ts'

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

export function FeederButtons(props: FeederButtonsProps) {
  const { encoder, feeder, state, isBusy } = props
  const role = useRole()
  const give = useFeederCommand(encoder, feeder)
  const { title } = feeder.input
  return (
    <>
      <CommandButtons
        title={title}
        state={state}
        rightTo={(command) => rightTo(command, encoder, state, role)}
        isBusy={isBusy}
        fix={props.isWrong ? 'start' : null}
        icons={['restart']}
        tone="quiet"
        give={give}
      />
      <IconButton
        icon="log"
        aria-keyshortcuts={BUTTON_KEYS.log}
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
