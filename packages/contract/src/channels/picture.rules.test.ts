import { expect, test } from 'vitest'
import { lookAgain, STILL_AFTER_MS, stateOfPicture } from './picture.rules.ts'

/** Two points of one grey. */
function grey(value: number) {
  return new Uint8ClampedArray([value, value, value, 255, value, value, value, 255])
}

test('a changing picture is moving', () => {
  const first = lookAgain(null, grey(100), 0)
  expect(stateOfPicture(lookAgain(first, grey(120), 2000), 2000)).toEqual({ kind: 'moving' })
})

test('a picture that is the same except for noise is frozen since it was first seen', () => {
  let memory = lookAgain(null, grey(100), 1000)
  for (const at of [3000, 5000]) memory = lookAgain(memory, grey(102), at)
  expect(stateOfPicture(memory, 5000)).toEqual({ kind: 'moving' })
  const later = 1000 + STILL_AFTER_MS
  memory = lookAgain(memory, grey(101), later)
  expect(stateOfPicture(memory, later)).toEqual({ kind: 'still', sinceMs: 1000 })
})

test('a slow fade is a change', () => {
  let memory = lookAgain(null, grey(100), 0)
  for (const step of [1, 2, 3, 4]) memory = lookAgain(memory, grey(100 + 2 * step), 2000 * step)
  expect(stateOfPicture(memory, 8000)).toEqual({ kind: 'moving' })
})

test('black is black at once, also with noise in it', () => {
  const memory = lookAgain(lookAgain(null, grey(90), 0), grey(12), 2000)
  expect(stateOfPicture(memory, 2000)).toEqual({ kind: 'black', sinceMs: 2000 })
})
