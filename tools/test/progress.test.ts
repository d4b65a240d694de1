import { expect, test } from 'vitest'
import { clockText, eventReader, progressText, type ProgressEvent } from './progress.mjs'

test('names each kind that runs with how far it is', () => {
  const running = new Map([
    ['types', { done: 0, total: 0 }],
    ['api', { done: 3, total: 97 }],
  ])
  expect(progressText(running)).toBe('types, api 3/97')
})

test('shows minutes and seconds', () => {
  expect([0, 65_900, 600_000].map(clockText)).toEqual(['0:00', '1:05', '10:00'])
})

test('reads events that arrive in pieces', () => {
  const events: ProgressEvent[] = []
  const read = eventReader((event) => events.push(event))
  read(Buffer.from('{"total":2}\n{"do'))
  read(Buffer.from('ne":1}\n'))
  expect(events).toEqual([{ total: 2 }, { done: 1 }])
})
