import { later } from '../../lib/later.ts'

export const LOG_DIALOG = later('log', async () => (await import('./LogDialog.tsx')).LogDialog)
