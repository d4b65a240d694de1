import { expect, test } from 'vitest'
import { bestFirst } from './rank.rules.ts'

test('the whole text comes before its beginning, a word before a part, a port alone last', () => {
  const candidates = [
    { id: 'e', search: 'encoder9\nstudio 5' },
    { id: 'd', search: 'encoder1\nolympia marathons' },
    { id: 'c', search: 'encoder1\nthe marathon' },
    { id: 'b', search: 'encoder1\nmarathon km 30' },
    { id: 'a', search: 'encoder1\nmarathon' },
    { id: 'f', search: 'encoder1\nultramarathon' },
  ]
  expect(bestFirst('marathon', candidates).map(({ id }) => id)).toEqual([
    'a',
    'b',
    'd',
    'c',
    'f',
    'e',
  ])
})

test('of those that match alike the lower number is first', () => {
  const candidates = [
    { id: 'a', search: 'camera 10\n192.0.2.1' },
    { id: 'b', search: 'camera 9\n192.0.2.2' },
  ]
  expect(bestFirst('camera', candidates).map(({ id }) => id)).toEqual(['b', 'a'])
})

test('the object of that id is first', () => {
  const candidates = [
    { id: 'a1', search: 'abc12345' },
    { id: 'abc1', search: 'zebra' },
  ]
  expect(bestFirst('abc1', candidates)[0]?.id).toBe('abc1')
})
