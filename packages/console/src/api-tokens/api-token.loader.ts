/** The form of a new API token, loaded when it is first opened. */
import { later } from '../lib/later.ts'

export const API_TOKEN_DIALOG = later(
  'API token dialog',
  async () => (await import('./ApiTokenDialog.tsx')).ApiTokenDialog,
)
