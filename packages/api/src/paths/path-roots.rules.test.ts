import { neighbours } from '@trunkline/contract/paths/first-bad-hop.rules'
import { expect, test } from 'vitest'
import { rootsOf, worstOf, type PathEdges } from './path-roots.rules.ts'

function edgesOf(pairs: readonly (readonly [string, string])[]): PathEdges {
  const edges = pairs.map(([before, behind]) => ({ before, behind }))
  return {
    before: neighbours(edges, 'behind', 'before'),
    behind: neighbours(edges, 'before', 'behind'),
  }
}

/** Camera of the North, two inputs in a row, of which the second is of the South; one that nobody feeds. */
const TRUNK = edgesOf([
  ['camera', 'feeder'],
  ['feeder', 'north in'],
  ['north in', 'output'],
  ['output', 'south in'],
])
const CANDIDATES = ['camera', 'north in', 'south in', 'alone']

test('a path begins with what gets its stream from nothing else', async () => {
  expect(await rootsOf(TRUNK, CANDIDATES, () => true)).toEqual(['camera', 'alone'])
})

test('for a group a path begins where the stream enters it', async () => {
  const isSouth = (key: string) => key === 'south in'
  expect(await rootsOf(TRUNK, CANDIDATES, isSouth)).toEqual(['south in'])
  // What lies between belongs to others.
  const isEnd = (key: string) => key === 'camera' || key === 'south in'
  expect(await rootsOf(TRUNK, CANDIDATES, isEnd)).toEqual(['camera'])
})

test('a loop without an entry begins where it is named first, and is listed once', async () => {
  const loop = edgesOf([
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
  ])
  expect(await rootsOf(loop, ['b', 'a', 'c'], () => true)).toEqual(['b'])
})

test('the worst of a path counts, and what is off on purpose is no trouble', () => {
  const families = { camera: 'ok', feeder: 'warn', 'north in': 'blind', alone: 'off' } as const
  const familyOf = (key: string) => families[key as keyof typeof families] ?? null
  expect(worstOf(['camera', 'feeder', 'north in', 'unknown'], familyOf)).toBe('blind')
  expect(worstOf(['camera', 'alone', 'unknown'], familyOf)).toBe('ok')
})
