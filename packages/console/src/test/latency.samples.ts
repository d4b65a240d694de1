/** Advice on latency in tests of the console. */
import type { LatencyAdvice } from '@trunkline/contract/paths/latency.calls'

/** Nothing was measured yet. */
export const NO_ADVICE: LatencyAdvice = {
  protocol: 'srt',
  isReceiver: true,
  ownMs: 300,
  other: null,
  negotiatedMs: null,
  measured: null,
  needed: null,
}

export const LOW_ADVICE = {
  protocol: 'srt',
  isReceiver: true,
  ownMs: 120,
  other: { kind: 'feeder', id: 'f', title: 'Camera 1', latencyMs: 80 },
  negotiatedMs: 120,
  measured: {
    steps: 120,
    firstAtMs: 0,
    lastAtMs: 1_200_000,
    rttMs: { median: 48, p95: 60, highest: 71 },
    loss: { percent: 0.8, worstPercent: 2.1, countedBy: 'receiver' },
  },
  needed: { latencyMs: 240, multiplier: 4, verdict: 'low' },
} satisfies LatencyAdvice
