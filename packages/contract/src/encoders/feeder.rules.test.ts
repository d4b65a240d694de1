import { expect, test } from 'vitest'
import { nextTargetPort } from './feeder.rules.ts'

const EVERY_EVEN = Array.from({ length: 29_768 }, (_, index) => 6000 + 2 * index)

test.each<[string, number[], number | null]>([
  ['none yet', [], 6000],
  ['one', [6000], 6002],
  ['a gap is not looked for', [6000, 6010], 6012],
  ['those below do not count', [5000], 6000],
  ['an odd one stays odd', [6001], 6003],
  ['above the last port the first gap', [65_534, 6000, 6004], 6002],
  ['none is free', EVERY_EVEN, null],
])('FEED-20 Q97 %s', (_name, taken, port) => {
  expect(nextTargetPort(taken)).toBe(port)
})
