import { later } from '../../lib/later.ts'

export const SELECT_GROUP_DIALOG = later(
  'Select a group',
  async () => (await import('./SelectGroupDialog.tsx')).SelectGroupDialog,
)
