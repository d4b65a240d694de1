import { later } from '../../lib/later.ts'

export const LATENCY_ADVICE = later(
  'latency advice',
  async () => (await import('./LatencyAdvice.tsx')).LatencyAdvice,
)
