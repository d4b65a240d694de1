import { expect, test } from 'vitest'
import { bytesPerSecondOf, kbpsText, maxBandwidthHint } from './link-rate.rules.ts'

test.each([625_000, 0, 1, 625_001, 1_250_000_000])(
  'Q172 %d bytes/s are shown in kbit/s and go back unchanged',
  (bytes) => {
    expect(bytesPerSecondOf(kbpsText(bytes))).toBe(bytes)
  },
)

test.each(['', 'x', '-1', '1e3', '10000001'])('%j is not a bandwidth', (typed) => {
  expect(bytesPerSecondOf(typed)).toBeNull()
  expect(maxBandwidthHint(typed)).toBe('0 for no cap.')
})

test('Q103 the meaning stands beside the field', () => {
  expect(kbpsText(625_000)).toBe('5000')
  expect(maxBandwidthHint('5000')).toBe('= 5.0 Mbit/s')
  expect(maxBandwidthHint('0')).toBe('No cap.')
})
