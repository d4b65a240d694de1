import { later } from '../../lib/later.ts'

export const ENCODER_DIALOG = later(
  'encoder dialog',
  async () => (await import('./EncoderDialog.tsx')).EncoderDialog,
)
