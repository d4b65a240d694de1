import { expect, test } from 'vitest'
import { foldCase, likePattern, searchText } from './search.ts'

test('Q21 search knows neither case nor accents', () => {
  expect(foldCase('ÉLAN Straße Çelik ﬁx')).toBe('elan straße celik fix')
})

test('a search text is plain text, not a pattern', () => {
  expect(likePattern(' 50%_\\ ')).toBe('%50\\%\\_\\\\%')
})

test('parts stand on lines of their own', () => {
  expect(searchText(['One', 'TWO'])).toBe('one\ntwo')
})
