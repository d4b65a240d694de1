import { later } from '../lib/later.ts'

export const ENCODER_LOG = later(
  'encoder log',
  async () => (await import('./EncoderLogDialog.tsx')).EncoderLogDialog,
)
