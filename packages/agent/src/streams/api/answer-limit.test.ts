import { expect, test, vi } from 'vitest'
import { withinLimit } from './answer-limit.ts'

/** Work whose steps are up to the test. */
function openWork() {
  const begun = Promise.withResolvers<string>()
  const done = Promise.withResolvers<string>()
  const late = vi.fn<(error: unknown) => void>()
  return {
    begun,
    done,
    late,
    answer: async (limitMs: number) =>
      withinLimit<string>(
        limitMs,
        async (begin) => {
          begin(await begun.promise)
          return done.promise
        },
        late,
      ),
  }
}

const HANGS_AFTER_MS = 60_000

test('a call that is done in time is answered with what it came to', async () => {
  const { begun, done, answer } = openWork()
  const answered = answer(HANGS_AFTER_MS)
  begun.resolve('kept')
  done.resolve('running')
  expect(await answered).toBe('running')
})

test('a call whose programs take longer is answered with the saved stream, and continues', async () => {
  const { begun, done, late, answer } = openWork()
  begun.resolve('kept')
  expect(await answer(0)).toBe('kept')
  done.reject(new Error('The disk is full.'))
  await vi.waitFor(() => expect(late).toHaveBeenCalledWith(new Error('The disk is full.')))
})

test('what may still be refused is not answered before', async () => {
  const { begun, done, late, answer } = openWork()
  const answered = answer(0)
  begun.reject(new Error('It is refused.'))
  await expect(answered).rejects.toThrow('It is refused.')
  done.resolve('running')
  expect(late).not.toHaveBeenCalled()
})

test('a failure in time is the answer', async () => {
  const { begun, done, late, answer } = openWork()
  const answered = answer(HANGS_AFTER_MS)
  begun.resolve('kept')
  done.reject(new Error('The disk is full.'))
  await expect(answered).rejects.toThrow('The disk is full.')
  expect(late).not.toHaveBeenCalled()
})
