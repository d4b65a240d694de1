import { later } from '../lib/later.ts'

export const ALARM_DIALOG = later(
  'alarm dialog',
  async () => (await import('./AlarmDialog.tsx')).AlarmDialog,
)
