import { later } from '../../lib/later.ts'

export const TIMELINE_DIALOG = later(
  'timeline',
  async () => (await import('./TimelineDialog.tsx')).TimelineDialog,
)
