import { expect, test } from 'vitest'
import { drawKinds, randomFrom } from './draw.ts'
import { EVENT_KINDS } from './events.rules.ts'

test('the same seed draws the same events, another one others', () => {
  const [first, again, other] = [7, 7, 8].map((seed) => drawKinds(20, randomFrom(seed)))
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
})

test('twenty events hold each of the eight kinds two or three times', () => {
  const kinds = drawKinds(20, randomFrom(1))
  expect(kinds).toHaveLength(20)
  for (const kind of EVENT_KINDS) {
    const count = kinds.filter((drawn) => drawn === kind).length
    expect([2, 3]).toContain(count)
  }
})
