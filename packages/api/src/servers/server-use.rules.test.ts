import { expect, test } from 'vitest'
import { stillUsed } from './server-use.rules.ts'

test.each([
  [0, 0, 0, null],
  [1, 0, 0, 'Gateway is still used by 1 input. Delete or move it first.'],
  [0, 2, 0, 'Gateway is still used by 2 feeders. Delete or move them first.'],
  [1, 0, 1, 'Gateway is still used by 1 input and 1 channel. Delete or move them first.'],
  [
    2,
    1,
    3,
    'Gateway is still used by 2 inputs, 1 feeder and 3 channels. Delete or move them first.',
  ],
])('Q117 %i inputs, %i feeders, %i channels', (input, feeder, channel, expected) => {
  expect(stillUsed('Gateway', { input, feeder, channel })).toBe(expected)
})
