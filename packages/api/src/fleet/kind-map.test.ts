import { expect, test } from 'vitest'
import { KindMap } from './kind-map.ts'

test('a map by kind finds, lists and deletes like a single map', () => {
  const map = new KindMap<number>()
  const ids = ['encoder-1', 'feeder-1', 'encoder-2', 'output 3']
  for (const [at, id] of ids.entries()) map.set(id, at)
  map.set('encoder-1', 7)
  expect([map.size, map.get('encoder-1'), map.has('feeder-2')]).toEqual([4, 7, false])
  expect([...map.entries()]).toEqual([
    ['encoder-1', 7],
    ['encoder-2', 2],
    ['feeder-1', 1],
    ['output 3', 3],
  ])
  expect([map.delete('feeder-1'), map.delete('feeder-1'), map.delete('input-1')]).toEqual([
    true,
    false,
    false,
  ])
  expect([...map.keys()]).toEqual(['encoder-1', 'encoder-2', 'output 3'])
  expect([...map.values()]).toEqual([7, 2, 3])
  map.clear()
  expect([map.size, map.get('encoder-2')]).toEqual([0, undefined])
})
