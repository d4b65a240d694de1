import { later } from '../lib/later.ts'

export const SCHEDULES_DIALOG = later(
  'schedules dialog',
  async () => (await import('./SchedulesDialog.tsx')).SchedulesDialog,
)
