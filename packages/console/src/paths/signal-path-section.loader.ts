import { later } from '../lib/later.ts'

export const SIGNAL_PATH_SECTION = later(
  'signal path section',
  async () => (await import('./SignalPathSection.tsx')).SignalPathSection,
)
