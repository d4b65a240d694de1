import { expect, test } from 'vitest'
import { watchIdle } from './idle-cores.mjs'
import { nextToStart, runWeighted } from './schedule.mjs'

const piece = (
  name: string,
  weightCores: number,
  more: { waits?: boolean; fills?: boolean } = {},
) => ({
  name,
  weightCores,
  ...more,
})
type Piece = ReturnType<typeof piece>
const NONE: ReadonlySet<Piece> = new Set()
/** No core is ever idle. */
const BUSY = {
  isSpare: () => false,
  begin: () => undefined,
  look: () => new Promise<void>(() => {}),
}

test('starts what fits beside what runs, in order', () => {
  const [heavy, light, media] = [piece('heavy', 2), piece('light', 1), piece('media', 0.4)]
  expect(nextToStart([heavy, light], [], 2, NONE)).toBe(heavy)
  expect(nextToStart([light, media], [heavy], 2, NONE)).toBeUndefined()
  expect(nextToStart([light, heavy], [media], 2, NONE)).toBe(light)
  expect(nextToStart([heavy, light], [media], 2, NONE)).toBeUndefined()
  expect(nextToStart([heavy], [light, media], 2, NONE)).toBeUndefined()
  expect(nextToStart([], [light], 2, NONE)).toBeUndefined()
})

test('weights that add up exactly to the cores fit', () => {
  const tenths = [piece('a', 0.1), piece('b', 0.2)]
  expect(nextToStart([piece('c', 1.7)], tenths, 2, NONE)).toBeDefined()
})

test('a job that is heavier than the machine runs alone', () => {
  const huge = piece('huge', 3)
  expect(nextToStart([huge], [piece('light', 0.1)], 2, NONE)).toBeUndefined()
  expect(nextToStart([huge], [], 2, NONE)).toBe(huge)
})

test('never loads more than the cores, and runs every piece once', async () => {
  const pieces = [2, 1, 0.4, 1, 0.4, 1.5, 0.1].map((cores, at) => piece(String(at), cores))
  const ran: string[] = []
  let load = 0
  let most = 0
  await runWeighted(pieces, 2, BUSY, async ({ name, weightCores }) => {
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

test('what fills starts before its turn where what waits leaves much idle, and what needs all cores waits for its end', async () => {
  const pieces = [
    piece('lint', 1),
    piece('media', 2, { waits: true }),
    piece('agent', 1, { waits: true }),
    piece('whole', 2),
    piece('rules', 1, { fills: true }),
    piece('more', 1, { fills: true }),
  ]
  const events: string[] = []
  const ends = new Map<string, () => void>()
  let isSpare = false
  let looked = Promise.withResolvers<void>()
  const idle = {
    isSpare: () => isSpare,
    begin: () => (isSpare = false),
    look: () => looked.promise,
  }
  const look = async (isIdle: boolean) => {
    isSpare = isIdle
    looked.resolve()
    looked = Promise.withResolvers()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const done = runWeighted(pieces, 2, idle, async ({ name }) => {
    events.push(name)
    await new Promise<void>((resolve) => ends.set(name, resolve))
    events.push(`${name} ends`)
  })
  await look(true)
  expect(events).toEqual(['lint'])
  await end('lint')
  expect(events.slice(1)).toEqual(['lint ends', 'media'])
  await look(true)
  expect(events.slice(3)).toEqual(['rules'])
  await look(false)
  await end('media')
  expect(events.slice(4)).toEqual(['media ends', 'agent'])
  await end('agent')
  expect(events.slice(6)).toEqual(['agent ends'])
  await end('rules')
  expect(events.slice(7)).toEqual(['rules ends', 'whole'])
  await end('whole')
  expect(events.slice(9)).toEqual(['whole ends', 'more'])
  await end('more')
  await done
})

test('much is idle where it was so for some time, since the last start', () => {
  let now = { idleMs: 0, atMs: 0 }
  const pass = (seconds: number, idleCores: number) => {
    now = { idleMs: now.idleMs + seconds * 1000 * idleCores, atMs: now.atMs + seconds * 1000 }
  }
  const idle = watchIdle(() => now)
  pass(50, 2)
  expect(idle.isSpare()).toBe(false)
  pass(10, 0.5)
  expect(idle.isSpare()).toBe(true)
  pass(90, 0.4)
  expect(idle.isSpare()).toBe(false)
  pass(45, 2)
  idle.begin()
  pass(45, 2)
  expect(idle.isSpare()).toBe(false)
})
