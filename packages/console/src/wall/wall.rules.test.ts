import { describe, expect, test } from 'vitest'
import { firstTiles, GAP_PX, idsOf, inOldOrder, layoutOf, MAX_TILES, moved } from './wall.rules.ts'

const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)
/** What is left of 1440x900 below header and head of the page. */
const DESK = { widthPx: 1392, heightPx: 784 }
const PHONE = { widthPx: 358, heightPx: 600 }

test.each([
  ['few of each', 2, 1, 2, 1],
  ['many channels leave room for three encoders', 20, 20, 6, 3],
  ['no encoders', 20, 0, 9, 0],
  ['no channels', 0, 20, 0, 9],
  ['nothing', 0, 0, 0, 0],
])('the first wall: %s', (_, channels, encoders, shownChannels, shownEncoders) => {
  const keys = firstTiles(names(channels), names(encoders))
  expect(idsOf('channel', keys)).toEqual(names(shownChannels))
  expect(idsOf('encoder', keys)).toEqual(names(shownEncoders))
})

test('a tile moves by one place and stops at the ends', () => {
  expect(moved(['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 'b', 1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b'], 'a', -1)).toEqual(['a', 'b'])
  expect(moved(['a', 'b'], 'b', 1)).toEqual(['a', 'b'])
  expect(moved(['a', 'b'], 'x', 1)).toEqual(['a', 'b'])
})

test('what stays keeps its place, what is new follows', () => {
  expect(inOldOrder(['c', 'a', 'b'], ['a', 'c', 'd', 'e'])).toEqual(['c', 'a', 'd', 'e'])
})

describe('layout', () => {
  test.each([
    [1, 1],
    [2, 2],
    [4, 2],
    [6, 3],
    [9, 3],
    [MAX_TILES, 4],
  ])('%s tiles on a desk screen stand in %s columns and do not scroll', (count, columns) => {
    expect(layoutOf(count, DESK)).toEqual({ columns, tilePx: expect.any(Number) as number })
  })

  test('a wide and low screen has more columns', () => {
    expect(layoutOf(4, { widthPx: 1900, heightPx: 300 }).columns).toBe(4)
  })

  test('each tile is a picture of 16 to 9 and its line, and all fit the wall', () => {
    for (let count = 1; count <= MAX_TILES; count += 1) {
      const { columns, tilePx } = layoutOf(count, DESK)
      const rows = Math.ceil(count / columns)
      const tile = ((tilePx ?? 0) - 4) * (9 / 16) + 4 + 30
      expect(rows * tile + (rows - 1) * GAP_PX).toBeLessThanOrEqual(DESK.heightPx)
      expect(columns * (tilePx ?? 0) + (columns - 1) * GAP_PX).toBeLessThanOrEqual(DESK.widthPx)
    }
  })

  test('a phone has one or two columns and scrolls', () => {
    expect(layoutOf(4, PHONE)).toEqual({ columns: 1, tilePx: null })
    expect(layoutOf(9, PHONE)).toEqual({ columns: 2, tilePx: null })
  })

  test('where pictures would be too small they scroll instead', () => {
    expect(layoutOf(MAX_TILES, { widthPx: 700, heightPx: 300 }).tilePx).toBeNull()
  })
})
