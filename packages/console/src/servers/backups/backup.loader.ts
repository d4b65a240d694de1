import { later } from '../../lib/later.ts'

export const BACKUPS_DIALOG = later(
  'backups',
  async () => (await import('./BackupsDialog.tsx')).BackupsDialog,
)
