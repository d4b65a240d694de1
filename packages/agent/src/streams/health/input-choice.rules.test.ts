import { expect, test } from 'vitest'
import { chooseInput, STEADY_MS } from './input-choice.rules.ts'
import type { StoredInput } from '../definition/stream.schema.ts'

function input(url: string, priority: number | null): StoredInput {
  return { url, priority, bus: { ip: '239.78.0.1', port: 28_000 } }
}

const INPUTS = [input('none', null), input('second', 2), input('first', 1)]
const STEADY = STEADY_MS

/** `well`: how long each has been well. */
function chosen(
  currentUrl: string,
  well: Record<string, number>,
  { selectedUrl = '', isStarting = false, inputs = INPUTS } = {},
): string {
  const stream = { inputs, currentUrl, selectedUrl }
  const healthOf = ({ url }: StoredInput) => ({ isWell: url in well, wellForMs: well[url] ?? 0 })
  return chooseInput(stream, healthOf, isStarting)
}

test.each([
  ['nothing is well yet: the first by priority', '', {}, 'first'],
  ['nothing shown yet: the best that is well', '', { none: 1, second: 1 }, 'second'],
  ['the shown one is gone from the list', 'gone', { none: 1 }, 'none'],
  ['all is well', 'first', { first: 1, second: STEADY, none: STEADY }, 'first'],
  ['the shown one dies: the next by priority at once', 'first', { none: 1, second: 1 }, 'second'],
  ['that one dies too', 'second', { none: 1 }, 'none'],
  ['nothing is well any more: it stays', 'second', {}, 'second'],
  ['the first is back, and not yet steady', 'second', { first: STEADY - 1, second: 1 }, 'second'],
  ['the first is back and steady', 'second', { first: STEADY, second: STEADY }, 'first'],
  ['the shown one dies while the first is fresh', 'second', { first: 1 }, 'first'],
  [
    'a middle one is steady, the first is not',
    'none',
    { first: 1, second: STEADY, none: 1 },
    'second',
  ],
  ['a worse one is steady: no reason', 'second', { second: 1, none: STEADY }, 'second'],
])('CHAN-37 which input is shown: %s', (_what, current, well, want) => {
  expect(chosen(current, well)).toBe(want)
})

test.each([
  ['it is well: at once', 'first', { first: STEADY, none: 1 }, 'none'],
  ['it is not well: as before', 'first', { first: 1, second: STEADY }, 'first'],
  ['it is not well, nor is the shown one', 'first', { second: 1 }, 'second'],
  ['it is shown and dies', 'none', { second: 1, first: 1 }, 'first'],
  ['it is shown: no better one takes over', 'none', { none: 1, first: STEADY }, 'none'],
  ['nothing shown yet', '', { first: STEADY, none: 1 }, 'none'],
])('CHAN-37 an input is chosen by hand: %s', (_what, current, well, want) => {
  expect(chosen(current, well, { selectedUrl: 'none' })).toBe(want)
})

test('CHAN-37 while programs start, the first to be ready is not shown for that', () => {
  const starting = { isStarting: true }
  expect(chosen('first', { second: 1 }, starting)).toBe('first')
  expect(chosen('second', { first: STEADY, second: 1 }, starting)).toBe('second')
  expect(chosen('', { second: 1 }, starting)).toBe('second')
  expect(chosen('first', { none: 1 }, { ...starting, selectedUrl: 'none' })).toBe('none')
})

test('equal priorities keep the order of the list; a stream without inputs shows none', () => {
  const inputs = [input('x', 0), input('y', 0)]
  expect(chosen('', {}, { inputs })).toBe('x')
  expect(chosen('y', { x: 1, y: 1 }, { inputs })).toBe('y')
  expect(chosen('', {}, { inputs: [] })).toBe('')
})
