import { expect, test } from 'vitest'
import { linesOfRun } from './start-mark.ts'

const first = '--- Started 2026-11-20T12:00:00Z (pid 71)'
const second = '--- Started 2026-11-20T12:00:01Z (pid 711)'
const lines = ['older', first, 'its last words', second, 'the next one speaks']

test('the lines of a process are found although the next process already logs', () => {
  expect(linesOfRun(lines, 71)).toEqual(['its last words'])
  expect(linesOfRun(lines, 711)).toEqual(['the next one speaks'])
})

test('for an unknown process the last process is used', () => {
  expect(linesOfRun(lines, null)).toEqual(['the next one speaks'])
  expect(linesOfRun(lines, 7)).toEqual(['the next one speaks'])
  expect(linesOfRun(['no mark', 'at all'], 71)).toEqual(['no mark', 'at all'])
  expect(linesOfRun([], 71)).toEqual([])
})
