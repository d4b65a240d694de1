import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SortedItems } from './sorted-items.ts'

test('items that come and go in any order are read in theirs, as many as there are', () => {
  const change = fc.record({ value: fc.nat(2000), comes: fc.boolean() })
  const property = fc.property(
    fc.array(change, { maxLength: 3000, size: 'max' }),
    fc.nat(1500),
    fc.nat(900),
    (changes, offset, count) => {
      const sorted = new SortedItems<number>((a, b) => a - b)
      const known = new Set<number>()
      for (const { value, comes } of changes) {
        if (!comes) {
          sorted.remove(value)
          known.delete(value)
        } else if (!known.has(value)) {
          sorted.add(value)
          known.add(value)
        }
      }
      const expected = [...known].toSorted((a, b) => a - b)
      expect(sorted.size).toBe(expected.length)
      expect(sorted.slice(0, expected.length)).toEqual(expected)
      expect(sorted.slice(offset, count)).toEqual(expected.slice(offset, offset + count))
    },
  )
  fc.assert(property, { numRuns: 60 })
})

test('thousands of items, first to last and last to first, stay in order', () => {
  const ascending = Array.from({ length: 5000 }, (_, at) => at)
  const sorted = new SortedItems<number>((a, b) => a - b)
  for (const value of ascending) if (value % 2 === 0) sorted.add(value)
  for (const value of ascending.toReversed()) if (value % 2 === 1) sorted.add(value)
  expect(sorted.slice(0, 5000)).toEqual(ascending)
  for (const value of ascending) if (value % 3 !== 0) sorted.remove(value)
  expect(sorted.slice(0, 5000)).toEqual(ascending.filter((value) => value % 3 === 0))
})
