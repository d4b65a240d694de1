import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { inParts, outputsThatHold, withTitles } from './bulk.rules.ts'
import { inputHasOutputs, selectionText } from '../contribution.messages.ts'

function refusal(failed: { name: string; error: string }[]): ApiError {
  return new ApiError({
    kind: 'refused',
    sentence: 'No.',
    status: 409,
    code: 'conflict',
    field: null,
    issues: [],
    current: null,
    changed: [],
    failed,
  })
}

test('2,500 names go in three calls, and one call that fails keeps the others', async () => {
  const names = Array.from({ length: 2500 }, (_, index) => `name-${index}`)
  const sizes: number[] = []
  const progress: number[] = []
  const outcome = await inParts(
    names,
    async (part) => {
      sizes.push(part.length)
      if (sizes.length === 2) throw refusal([])
      return Promise.resolve({ done: part, failed: [] })
    },
    (answered) => progress.push(answered),
  )
  expect(sizes).toEqual([1000, 1000, 500])
  expect(progress).toEqual([1000, 2000, 2500])
  expect(outcome.done).toHaveLength(1500)
  expect(outcome.failed).toHaveLength(1000)
  expect(outcome.failed[0]).toEqual({ name: 'name-1000', error: 'No.' })
})

test('a refusal with a reason for each item shows each reason', async () => {
  const each = [{ name: 'b', error: 'It is busy.' }]
  const outcome = await inParts(
    ['b'],
    async () => Promise.reject(refusal(each)),
    () => {},
  )
  expect(outcome).toEqual({ done: [], failed: each })
})

test('what failed is known by title, whether it is named by name, by id or not at all', () => {
  const objects = [{ id: '1', name: 'input-1', title: 'Marathon' }]
  const failed = ['input-1', '1', 'x'].map((name) => ({ name, error: 'No.' }))
  expect(withTitles(failed, objects).map(({ title }) => title)).toEqual([
    'Marathon',
    'Marathon',
    'x',
  ])
})

test('CON-IN-32 how many outputs hold an input is read out of that sentence alone', () => {
  expect(outputsThatHold(inputHasOutputs(12))).toBe(12)
  expect(outputsThatHold('It has 12 number of Outputs.')).toBeNull()
  expect(outputsThatHold('')).toBeNull()
})

test('the bar leaves out counts of zero', () => {
  expect(selectionText(2, 1, 3)).toBe('2 running, 1 disabled, 3 not on this page')
  expect(selectionText(0, 0, 0)).toBe('')
})
