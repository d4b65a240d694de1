import { expect, test } from 'vitest'
import { drawAtPace } from './csv-progress.rules.ts'

test('rows that are saved fast are drawn four times a second, and soon say how long the rest takes', () => {
  let nowMs = 0
  const drawn: [number, number | null][] = []
  const onRow = drawAtPace(
    (leftMs) => drawn.push([nowMs, leftMs]),
    () => nowMs,
  )
  for (let done = 1; done <= 400; done += 1) {
    nowMs += 10
    onRow(done, 1000)
  }
  expect(drawn).toHaveLength(16)
  expect(drawn[10]).toEqual([2750, null])
  expect(drawn[15]).toEqual([4000, 6000])
})

test('rows that take long are drawn each', () => {
  let nowMs = 0
  let draws = 0
  const onRow = drawAtPace(
    () => (draws += 1),
    () => nowMs,
  )
  for (let done = 1; done <= 3; done += 1) {
    nowMs += 1000
    onRow(done, 3)
  }
  expect(draws).toBe(3)
})
