import { afterEach, expect, test, vi } from 'vitest'
import { settingOf } from './settings.ts'

afterEach(() => vi.unstubAllEnvs())

test('a bench has its own size unless the environment asks for another', () => {
  expect(settingOf('ROUNDS', 5)).toBe(5)
  vi.stubEnv('BENCH_ROUNDS', '2')
  expect(settingOf('ROUNDS', 5)).toBe(2)
})

test.each(['none', '0', '-1'])('a size of %s is refused', (text) => {
  vi.stubEnv('BENCH_ROUNDS', text)
  expect(() => settingOf('ROUNDS', 5)).toThrow(`not '${text}'`)
})
