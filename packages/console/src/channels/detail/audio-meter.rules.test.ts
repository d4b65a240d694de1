import { expect, test } from 'vitest'
import { levelText, widthPercent } from './audio-meter.rules.ts'

test('a level is drawn from 60 dB below full scale on, and what is silent or cut off is said', () => {
  expect([-90, -60, -30, -6, 0, 1].map(widthPercent)).toEqual([0, 0, 50, 90, 100, 100])
  expect([-90, -89.9, -18.24, -0.2, -0.1, 0].map(levelText)).toEqual([
    'silent',
    '-89.9 dBFS',
    '-18.2 dBFS',
    '-0.2 dBFS',
    'clips',
    'clips',
  ])
})
