import { expect, test } from 'vitest'
import { offeredPorts } from './feeder.rules.ts'

const EVERY_EVEN = Array.from({ length: 29_768 }, (_, index) => 6000 + 2 * index)

test.each<[string, number[], number | undefined]>([
  ['none yet', [], 6000],
  ['one', [6000], 6002],
  ['two in a row', [6002, 6000], 6004],
  ['a gap', [6000, 6010], 6002],
  ['those below do not count', [5000], 6000],
  ['an odd one leaves the even ones', [6001], 6000],
  ['none is free', EVERY_EVEN, undefined],
])('FEED-20 Q97 Q158 taken: %s', (_name, taken, port) => {
  const [first] = offeredPorts(new Set(taken))
  expect(first).toBe(port)
})
