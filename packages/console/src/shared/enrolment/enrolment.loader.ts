import { later } from '../../lib/later.ts'

export const ENROLMENT_DIALOG = later(
  'enrolment',
  async () => (await import('./EnrolmentDialog.tsx')).EnrolmentDialog,
)
