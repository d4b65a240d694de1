import { expect, test } from 'vitest'
import { foldCase } from './fold.rules.ts'
import { compareKeys, titleKey } from './title-key.rules.ts'

function inOrder(titles: readonly string[]): string[] {
  return titles.toSorted((a, b) => compareKeys(titleKey(a), titleKey(b)))
}

test.each([
  [
    ['Camera 10', 'camera 9', 'Camera 1'],
    ['Camera 1', 'camera 9', 'Camera 10'],
  ],
  [
    ['Élan 2', 'Elan 10', 'Echo'],
    ['Echo', 'Élan 2', 'Elan 10'],
  ],
  [
    ['km 30 cam 2', 'km 4 cam 11', 'km 4 cam 2'],
    ['km 4 cam 2', 'km 4 cam 11', 'km 30 cam 2'],
  ],
  [
    ['Camera 10', 'Camera 09', 'Camera 9', 'Camera 8'],
    ['Camera 8', 'Camera 9', 'Camera 09', 'Camera 10'],
  ],
  [
    ['1080p50', '720p50', '1080i25'],
    ['720p50', '1080i25', '1080p50'],
  ],
  [
    ['20261128123000', '1', '20261128122959'],
    ['1', '20261128122959', '20261128123000'],
  ],
])('%j are ordered by their numbers', (titles, ordered) => {
  expect(inOrder(titles)).toEqual(ordered)
})

test('a title without digits is its folded text', () => {
  expect(titleKey('Élan')).toBe('elan')
})

test('titles that differ have keys that differ', () => {
  const parts = ['', '0', '00', '1', '01', '10', '010', '011', '0110', '100', 'a', ' ']
  const titles = parts.flatMap((a) => parts.flatMap((b) => parts.map((c) => a + b + c)))
  const folded = new Set(titles.map(foldCase))
  expect(new Set([...folded].map(titleKey)).size).toBe(folded.size)
})
