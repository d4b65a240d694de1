import { expect, test } from 'vitest'
import { slowestLines, timeLines } from './slowest.mjs'

test('names the ten slowest files, slowest first', () => {
  const files = Array.from({ length: 12 }, (_, at) => {
    return { kind: 'api', file: `packages/api/src/${at}.test.ts`, durationMs: at * 1000 }
  })
  const lines = slowestLines(files)
  expect(lines).toHaveLength(10)
  expect(lines[0]).toBe('    11.0 s  api  packages/api/src/11.test.ts')
})

test('names the time of each kind', () => {
  expect(timeLines([{ name: 'browser', durationMs: 301_250 }])).toEqual(['   301.3 s  browser'])
})
