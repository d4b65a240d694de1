import { later } from '../../lib/later.ts'

export const REQUIRED_FACTOR_DIALOG = later(
  'required second factor',
  async () => (await import('./RequiredFactorDialog.tsx')).RequiredFactorDialog,
)
