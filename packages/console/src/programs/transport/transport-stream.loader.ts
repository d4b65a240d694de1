import { later } from '../../lib/later.ts'

export const TRANSPORT_STREAM = later(
  'transport stream',
  async () => (await import('./TransportStream.tsx')).TransportStream,
)
