import { expect, test } from 'vitest'
import { diskStateOf } from './disk.ts'

const GB = 1_000_000_000

test.each([
  ['has room', 20 * GB, 100 * GB, 'ok'],
  ['has less than 5 %', 4.9 * GB, 100 * GB, 'low'],
  ['is large and has less than 5 %', 40 * GB, 1000 * GB, 'low'],
  ['is small and has less than 1 GB', 0.9 * GB, 4 * GB, 'low'],
  ['has no room for a record', 99_999, 100 * GB, 'full'],
] as const)('a disk that %s', (_, freeBytes, totalBytes, state) => {
  expect(diskStateOf({ freeBytes, totalBytes }, false)).toBe(state)
})

test('a disk that cannot be written counts as full, whatever its sizes are', () => {
  expect(diskStateOf({ freeBytes: 20 * GB, totalBytes: 100 * GB }, true)).toBe('full')
})
