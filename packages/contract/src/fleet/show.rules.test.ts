import { expect, test } from 'vitest'
import { isShown, noFamilies, shownCount, SHOWS } from './show.rules.ts'
import { FAMILIES } from './state-view.rules.ts'

test('a state is shown under "all" and under exactly one other choice', () => {
  for (const family of FAMILIES) {
    expect(isShown('all', family)).toBe(true)
    expect(SHOWS.filter((show) => show !== 'all' && isShown(show, family))).toHaveLength(1)
  }
})

test('trouble of any kind needs attention, what is starting is well', () => {
  const shown = (show: 'attention' | 'well' | 'off') =>
    FAMILIES.filter((family) => isShown(show, family))
  expect(shown('attention')).toEqual(['bad', 'blind', 'warn'])
  expect(shown('well')).toEqual(['move', 'ok'])
  expect(shown('off')).toEqual(['off'])
})

test('the count of a choice is the sum of its states', () => {
  const families = { ...noFamilies(), bad: 1, blind: 2, warn: 3, move: 4, off: 5, ok: 6 }
  expect(SHOWS.map((show) => shownCount(show, families))).toEqual([21, 6, 10, 5])
})
