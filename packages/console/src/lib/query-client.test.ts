import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ApiError, type ApiErrorKind } from './api-error.ts'
import { invalidateKind, makeQueryClient } from './query-client.ts'

const KINDS = ['input', 'output', 'destination', 'channel', 'user'] as const

test.each([
  ['input', ['input', 'output']],
  ['output', ['input', 'output', 'destination']],
  ['destination', ['output', 'destination']],
  ['server', ['input', 'channel']],
  ['user', ['user']],
] as const)('a change of an %s refreshes every list that shows it', async (kind, expected) => {
  const client = makeQueryClient()
  for (const kind of KINDS) client.setQueryData([kind, 'list'], [])
  await invalidateKind(client, kind)
  const stale = KINDS.filter((kind) => client.getQueryState([kind, 'list'])?.isInvalidated)
  expect(stale).toEqual(expected)
})

function failureOf(kind: ApiErrorKind, isLate = false): ApiError {
  const nothing = { sentence: '', code: null, field: null, issues: [], current: null, changed: [] }
  return new ApiError({ kind, status: 502, isLate, ...nothing })
}

/** How often something is read within a minute that is on the screen and fails at first `failures` times. */
async function readsOf(failure: ApiError, failures: number, before?: string): Promise<number> {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  let reads = 0
  const read = async () => {
    reads += 1
    return reads > failures ? Promise.resolve('read') : Promise.reject(failure)
  }
  const shown = before === undefined ? {} : { initialData: before, initialDataUpdatedAt: 0 }
  const options = { queryKey: ['group'], queryFn: read, ...shown }
  onTestFinished(new QueryObserver(makeQueryClient(), options).subscribe(() => undefined))
  await vi.advanceTimersByTimeAsync(60_000)
  return reads
}

test('F18 what is shown as of before had no answer: it is read until it has one, and no more', async () => {
  expect(await readsOf(failureOf('no-answer'), 7, 'before')).toBe(8)
})

test('what was never read keeps its words on the screen after three tries', async () => {
  expect(await readsOf(failureOf('no-answer'), 7)).toBe(3)
})

test('what was waited for until its limit is said after one try', async () => {
  expect(await readsOf(failureOf('no-answer', true), 7)).toBe(1)
})

test('a refused read is not repeated automatically', async () => {
  expect(await readsOf(failureOf('refused'), 7, 'before')).toBe(1)
})

test('without a network a command fails at once, and is not sent when the network is back', async () => {
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))
  const send = vi.fn<() => Promise<never>>(async () => Promise.reject(failureOf('no-answer')))
  const command = new MutationObserver(makeQueryClient(), { mutationFn: send })
  await expect(command.mutate()).rejects.toThrow(ApiError)
  onlineManager.setOnline(true)
  expect(send).toHaveBeenCalledTimes(1)
})

test('without a network a read fails, so that the page can say so', async () => {
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))
  expect(await readsOf(failureOf('no-answer', true), 1)).toBe(1)
})
