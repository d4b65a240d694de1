import { later } from '../../lib/later.ts'

export const ON_AIR_DIALOGS = later(
  'on air dialogs',
  async () => (await import('./OnAirDialogs.tsx')).OnAirDialogs,
)
