/** Start or Stop, Restart, Log, Edit, Delete; the wanted fix alone is ink. */
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramState } from '@trunkline/contract/program-state'
import { BUTTON_KEYS } from '../../lib/row-keys.ts'
import { useRole } from '../../lib/session.ts'
import { offersStop } from '../../programs/command/command.rules.ts'
import { CommandButtons } from '../../programs/command/CommandButtons.tsx'
import { RowButton } from '../../ui/button/RowButton.tsx'
import { useFeederMenu } from './feeder-menu.hook.ts'
import { useFeederCommand } from './feeder.actions.ts'
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
  const { log, edits } = useFeederMenu(encoder, feeder, { ...props, isUp: offersStop(state) })
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
      <RowButton action={log} aria-keyshortcuts={BUTTON_KEYS.log} />
      {edits.map((action) => (
        <RowButton key={action.icon} action={action} />
      ))}
    </>
  )
}
