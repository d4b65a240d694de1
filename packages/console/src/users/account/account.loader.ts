import { later } from '../../lib/later.ts'

export const ACCOUNT_DIALOG = later(
  'account dialog',
  async () => (await import('./AccountDialog.tsx')).AccountDialog,
)
