import { expect, test } from 'vitest'
import { eachInParts, giveWay, PART_ROWS } from './in-slices.ts'

test('of all long work one slice is done in a turn, in the order in which each began to wait', async () => {
  const done: string[] = []
  for (const name of ['a', 'b', 'c']) void giveWay().then(() => done.push(name))
  const turns: string[] = []
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    turns.push(done.join(''))
  }
  expect(turns).toEqual(['a', 'ab', 'abc', 'abc'])
})

test('a short list is done at once, a long one part by part', async () => {
  const seen: number[] = []
  const rows = Array.from({ length: PART_ROWS + 1 }, (_, at) => at)
  const whole = eachInParts(rows, (row) => seen.push(row))
  expect(seen).toEqual(rows.slice(0, PART_ROWS))
  await whole
  expect(seen).toEqual(rows)
})
