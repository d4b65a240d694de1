import { expect, test } from 'vitest'
import { nextToStart, runWeighted } from './schedule.mjs'

const piece = (name: string, weightCores: number) => ({ name, weightCores })

test('starts what fits beside what runs, in order, and lets a lighter one overtake', () => {
  const [heavy, light, media] = [piece('heavy', 2), piece('light', 1), piece('media', 0.4)]
  expect(nextToStart([heavy, light], [], 2)).toBe(heavy)
  expect(nextToStart([light, media], [heavy], 2)).toBeUndefined()
  expect(nextToStart([heavy, light], [media], 2)).toBe(light)
  expect(nextToStart([heavy], [light, media], 2)).toBeUndefined()
  expect(nextToStart([], [light], 2)).toBeUndefined()
})

test('weights that add up exactly to the cores fit', () => {
  const tenths = [piece('a', 0.1), piece('b', 0.2)]
  expect(nextToStart([piece('c', 1.7)], tenths, 2)).toBeDefined()
})

test('a job that is heavier than the machine runs alone', () => {
  const huge = piece('huge', 3)
  expect(nextToStart([huge], [piece('light', 0.1)], 2)).toBeUndefined()
  expect(nextToStart([huge], [], 2)).toBe(huge)
})

test('never loads more than the cores, and runs every piece once', async () => {
  const pieces = [2, 1, 0.4, 1, 0.4, 1.5, 0.1].map((cores, at) => piece(String(at), cores))
  const ran: string[] = []
  let load = 0
  let most = 0
  await runWeighted(pieces, 2, async ({ name, weightCores }) => {
    load += weightCores
    most = Math.max(most, load)
    await new Promise((resolve) => setImmediate(resolve))
    load -= weightCores
    ran.push(name)
  })
  expect(ran.toSorted()).toEqual(pieces.map(({ name }) => name))
  expect(most).toBeGreaterThan(1.5)
  expect(most).toBeLessThanOrEqual(2 + 1e-9)
})
