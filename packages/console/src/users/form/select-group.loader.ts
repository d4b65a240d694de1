import { later } from '../../lib/later.ts'

export const SELECT_GROUP_DIALOG = later(
  'group of a user',
  async () => (await import('./SelectGroupDialog.tsx')).SelectGroupDialog,
)
