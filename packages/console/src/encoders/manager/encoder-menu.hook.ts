/** What may be done to an encoder, for the menu of its row and for the command palette. */
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { controlFor, type Action } from '@trunkline/contract/role-table'
import type { Role } from '@trunkline/contract/roles'
import { useRole } from '../../lib/session.ts'
import { showToast } from '../../lib/toast.ts'
import { usePathAction } from '../../paths/path.actions.ts'
import { useOnAirActions } from '../../shared/on-air/on-air.actions.ts'
import type { MenuAction } from '../../ui/button/Menu.tsx'
import { CARRY } from '../carry/carry.messages.ts'
import { SAVE_CONFIG_FIRST } from '../feeders/feeder.messages.ts'
import { type KnownOfEncoder, useEncoderRecord } from '../record/encoder-record.actions.ts'

/** Each opens a dialog. */
export interface EncoderDialogs {
  onEdit: () => void
  onUsers: () => void
  onClone: () => void
  onCarry: () => void
  onSecure: () => void
}

/** Editors and monitors have the signal path alone. */
export function useEncoderMenu(
  encoder: Encoder,
  known: KnownOfEncoder,
  open: EncoderDialogs,
): readonly (readonly MenuAction[])[] {
  const role = useRole()
  const record = useEncoderRecord(encoder, known)
  const path = usePathAction({ kind: 'encoder', id: encoder._id })
  const { isEnabled, title } = encoder
  const onAir = useOnAirActions({ kind: 'encoder', id: encoder._id, title })
  return [
    [
      ...only(role, 'enableEncoder', {
        label: isEnabled ? 'Disable' : 'Enable',
        icon: isEnabled ? 'pause' : 'play',
        tone: 'plain',
        does: () => void record.setEnabled(!isEnabled),
      }),
      ...only(role, 'editEncoder', {
        label: 'Edit Encoder',
        icon: 'pencil',
        tone: 'plain',
        does: open.onEdit,
      }),
      ...only(role, 'assignEncoder', {
        label: 'Add Users',
        icon: 'group',
        tone: 'plain',
        does: open.onUsers,
      }),
      ...only(role, 'addEncoder', {
        label: 'Clone',
        icon: 'copy',
        tone: 'plain',
        does: open.onClone,
      }),
      ...only(role, 'editInputs', {
        label: CARRY,
        icon: 'move',
        tone: 'plain',
        does: () => {
          if (encoder.config === null) showToast('warning', SAVE_CONFIG_FIRST, title)
          else open.onCarry()
        },
      }),
      ...only(role, 'enrolHosts', {
        label: 'Secure connection',
        icon: 'lock',
        tone: 'plain',
        does: open.onSecure,
      }),
      path,
      ...onAir,
    ],
    [
      ...only(role, 'removeEncoder', {
        label: 'Delete config',
        icon: 'close',
        tone: 'danger',
        does: () => void record.removeConfig(),
      }),
      ...only(role, 'removeEncoder', {
        label: 'Remove Encoder',
        icon: 'bin',
        tone: 'danger',
        does: () => void record.remove(),
      }),
    ],
  ]
}

/** What a role may not do is not there. */
function only(role: Role | null, action: Action, item: MenuAction): readonly MenuAction[] {
  return controlFor(role, action) === 'usable' ? [item] : []
}
