import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { atNextStep, STEP_MS } from './even-time.ts'

const answered: string[] = []

beforeEach(() => {
  answered.length = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
})
afterEach(() => void vi.useRealTimers())

/** A refusal that took that long. */
async function refuse(name: string, workMs: number): Promise<void> {
  const beganMs = performance.now() - workMs
  await atNextStep(beganMs)
  answered.push(name)
}

test('T6 refusals that took more and less work are answered at the same time', async () => {
  const beganMs = performance.now()
  const known = new Promise((resolve) => setTimeout(resolve, 12))
  const unknown = new Promise((resolve) => setTimeout(resolve, 10))
  void known.then(async () => atNextStep(beganMs)).then(() => answered.push('known'))
  void unknown.then(async () => atNextStep(beganMs)).then(() => answered.push('unknown'))
  await vi.advanceTimersByTimeAsync(STEP_MS - 1)
  expect(answered).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(answered.toSorted()).toEqual(['known', 'unknown'])
})

test('what took longer than a step waits for the next', async () => {
  void refuse('long', STEP_MS + 1)
  await vi.advanceTimersByTimeAsync(STEP_MS - 2)
  expect(answered).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(answered).toEqual(['long'])
})
