import { expect, test } from 'vitest'
import { neededLatencyMs } from './latency.rules.ts'

test.each([
  [80, 0.2, 240],
  [80, 2, 320],
  [81, 5, 410],
  [80, 10, 480],
  [80, 30, 480],
  [0.4, 0, 20],
])('a link with an RTT of %d ms that loses %d %% needs %d ms', (rttMs, lossPercent, neededMs) => {
  expect(neededLatencyMs({ rttMs, lossPercent })).toBe(neededMs)
})
