import { later } from '../../lib/later.ts'

export const MAINTENANCE_VIEW = later(
  'maintenance view',
  async () => (await import('./MaintenanceView.tsx')).MaintenanceView,
)

export const MAINTENANCE_DIALOG = later(
  'maintenance dialog',
  async () => (await import('./MaintenanceDialog.tsx')).MaintenanceDialog,
)
