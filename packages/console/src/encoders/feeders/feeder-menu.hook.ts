/** What may be done to a feeder beside its commands, for its row and for the command palette. */
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useRole } from '../../lib/session.ts'
import type { RowAction } from '../../ui/button/RowButton.tsx'
import { useRemoveFeeder } from './feeder.actions.ts'

interface FeederNow {
  /** It runs, or is about to. */
  isUp: boolean
  isBusy: boolean
  onLog: () => void
  onEdit: () => void
}

/** `edits`: edit and delete, none for who may not. */
export function useFeederMenu(
  encoder: Encoder,
  feeder: Feeder,
  { isUp, isBusy, onLog, onEdit }: FeederNow,
): { log: RowAction; edits: readonly RowAction[] } {
  const mayEdit = mayDo(useRole(), 'editFeeders')
  const remove = useRemoveFeeder(encoder, feeder)
  const { title } = feeder.input
  const plain = { tone: 'plain', disabledReason: null } as const
  return {
    log: { ...plain, label: `Log of ${title}`, icon: 'log', does: onLog },
    edits: mayEdit
      ? [
          { ...plain, label: `Edit ${title}`, icon: 'pencil', does: onEdit },
          {
            label: `Delete ${title}`,
            icon: 'bin',
            tone: 'danger',
            disabledReason: isBusy ? '' : null,
            does: () => void remove(isUp),
          },
        ]
      : [],
  }
}
