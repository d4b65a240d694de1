/** What the encoder manager shows only after a click. */
import { later } from '../../lib/later.ts'
import { ENROLMENT_DIALOG } from '../../shared/enrolment/enrolment.loader.ts'
import { ENCODER_DIALOG } from '../record/encoder-dialog.loader.ts'

export const CLONE_ENCODER = later(
  'clone encoder',
  async () => (await import('../record/CloneEncoderDialog.tsx')).CloneEncoderDialog,
)
export const CARRY_DIALOG = later(
  'carry encoder',
  async () => (await import('../carry/CarryDialog.tsx')).CarryDialog,
)
export const SELECT_USERS = later(
  'users of an encoder',
  async () => (await import('../record/SelectUsersDialog.tsx')).SelectUsersDialog,
)

/** So that a click waits for nothing. */
export const SOON_WANTED = [
  ENCODER_DIALOG,
  CLONE_ENCODER,
  CARRY_DIALOG,
  SELECT_USERS,
  ENROLMENT_DIALOG,
]
