import type { ProgramState } from '@trunkline/contract/program-state'
import { expect, test } from 'vitest'
import { ShownTruth } from './shown-truth.ts'

const running = new Map([['input-1', { state: 'running' as const, pid: 7 }]])
const shownAs = (state: ProgramState, pid: number | null) => new Map([['input-1', { state, pid }]])

/** Looked at every second for ten seconds, half a minute after the last repair. */
function looked(shown: ReturnType<typeof shownAs>, repairedAtMs: number | null = -30_000) {
  const truth = new ShownTruth()
  for (let atMs = 0; atMs <= 10_000; atMs += 1000) {
    truth.look(atMs, repairedAtMs, [{ real: running, shown }])
  }
  return truth
}

test('what is shown as it is counts as neither wrong nor unknown', () => {
  expect(looked(shownAs('running', 7))).toMatchObject({ wrongMs: 0, unknownMs: 0, examples: [] })
})

test.each([
  ['another state', shownAs('stopped', null)],
  ['another process', shownAs('running', 8)],
])('%s counts as wrong once it has lasted longer than two seconds', (_name, shown) => {
  expect(looked(shown)).toMatchObject({ wrongMs: 8000, unknownMs: 0 })
})

test('not known counts from ten seconds after the repair, and never while a fault lasts', () => {
  expect(looked(shownAs('unreachable', null))).toMatchObject({ wrongMs: 0, unknownMs: 10_000 })
  expect(looked(shownAs('unreachable', null), 0)).toMatchObject({ unknownMs: 0 })
  expect(looked(shownAs('unreachable', null), null)).toMatchObject({ unknownMs: 0 })
})

test('a supervisord that does not answer proves nothing', () => {
  const truth = new ShownTruth()
  const shown = shownAs('stopped', null)
  for (const atMs of [0, 5000]) truth.look(atMs, -30_000, [{ real: null, shown }])
  expect(truth.wrongMs).toBe(0)
})
