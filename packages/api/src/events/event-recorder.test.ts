import { expect, test } from 'vitest'
import { EVENTS_A_MINUTE, EventRecorder } from './event-recorder.ts'
import type { Fact } from './event.rules.ts'

const INPUT = { kind: 'input', id: 'a' } as const

function run(value: string, atMs: number): Fact {
  return { facet: 'run', value, atMs, cause: '', reachableMs: null, detail: '' }
}

function flap(recorder: EventRecorder, times: number, fromMs = 1000): void {
  for (let at = 0; at < times; at += 1) {
    const value = at % 2 === 0 ? 'up 1' : 'down'
    recorder.see(INPUT, [run(value, fromMs + at * 10)], fromMs + at * 10)
  }
}

function take(recorder: EventRecorder, nowMs: number) {
  Array.from(recorder.endMinutes(nowMs))
  return recorder.takeOf(Number.POSITIVE_INFINITY)
}

test('what the database knows already is no event', () => {
  const recorder = new EventRecorder()
  recorder.load(INPUT, 'run', { value: 'up 1', atMs: 500 })
  recorder.see(INPUT, [run('up 1', 400)], 1000)
  expect(take(recorder, 1000)).toEqual([])
  recorder.see(INPUT, [run('down', 900)], 1000)
  expect(take(recorder, 1000).map(({ event }) => event?.kind)).toEqual(['down'])
})

test('an object that was never wanted leaves no trace', () => {
  const recorder = new EventRecorder()
  recorder.see(INPUT, [run('off', 900)], 1000)
  expect(take(recorder, 1000)).toEqual([])
  recorder.see(INPUT, [run('up 1', 1500)], 2000)
  recorder.see(INPUT, [run('off', 1800)], 2000)
  expect(take(recorder, 2000).map(({ event }) => event?.kind)).toEqual(['up', 'off'])
})

test('a flapping object has so many events a minute, then one that counts the others', () => {
  const recorder = new EventRecorder()
  flap(recorder, 100)
  const first = take(recorder, 2000)
  expect(first.filter(({ event }) => event !== null)).toHaveLength(EVENTS_A_MINUTE)
  const rest = take(recorder, 61_000).flatMap(({ event }) => event ?? [])
  expect(rest).toMatchObject([
    { kind: 'down', atMs: 1990 },
    { kind: 'omitted', atMs: 1990, sinceMs: 1200, state: '80' },
  ])
  expect(recorder.hasWork).toBe(false)
})

test('the next minute has events of its own', () => {
  const recorder = new EventRecorder()
  flap(recorder, 30)
  flap(recorder, 30, 100_000)
  const kinds = recorder.takeAll().flatMap(({ event }) => event?.kind ?? [])
  expect(kinds.filter((kind) => kind === 'omitted')).toHaveLength(2)
})

test('what could not be written is tried again in its order, up to a limit', () => {
  const recorder = new EventRecorder()
  flap(recorder, 4)
  const taken = take(recorder, 2000)
  expect(recorder.handBack(taken)).toBe(0)
  recorder.see(INPUT, [run('up 2', 1500)], 2000)
  const again = take(recorder, 2000)
  expect(again.map(({ value }) => value)).toEqual(['up 1', 'down', 'up 1', 'down', 'up 2'])
  expect(recorder.handBack(Array.from({ length: 10_003 }, () => again).flat())).toBe(
    10_003 * 5 - 10_000,
  )
})

test('a removed object has nothing left to write, and nothing of it is handed back', () => {
  const recorder = new EventRecorder()
  flap(recorder, 30)
  const taken = take(recorder, 2000)
  flap(recorder, 30, 3000)
  recorder.forget(INPUT)
  expect(recorder.handBack(taken)).toBe(0)
  expect([recorder.takeAll(), recorder.knows(INPUT)]).toEqual([[], false])
})

test('removing objects does not look at what is pending for the others', () => {
  const recorder = new EventRecorder()
  let looks = 0
  const inputs = Array.from({ length: 100 }, (_, at) => ({
    kind: 'input' as const,
    get id() {
      looks += 1
      return `input ${at}`
    },
  }))
  for (const input of inputs) recorder.see(input, [run('up 1', 900)], 1000)
  looks = 0
  for (const input of inputs) recorder.forget(input)
  expect(looks).toBe(inputs.length)
})

test('what waits is taken object by object, and in the order in which it came', () => {
  const recorder = new EventRecorder()
  const ids = ['a', 'b', 'c']
  for (const id of ids) recorder.see({ kind: 'input', id }, [run('down', 900)], 1000)
  expect(recorder.waitingObjects).toBe(3)
  expect(recorder.takeOf(2).map(({ object }) => object.id)).toEqual(['a', 'b'])
  expect(recorder.takeOf(2).map(({ object }) => object.id)).toEqual(['c'])
  expect(recorder.waitingObjects).toBe(0)
})

test('minutes end in their order, also after one of them has begun anew', () => {
  const recorder = new EventRecorder()
  const other = { kind: 'input', id: 'b' } as const
  recorder.see(INPUT, [run('down', 900)], 1000)
  for (let at = 0; at <= EVENTS_A_MINUTE; at += 1) {
    recorder.see(other, [run(at % 2 === 0 ? 'up 1' : 'down', 30_000 + at)], 30_000)
  }
  recorder.see(INPUT, [run('up 1', 62_000)], 62_000)
  take(recorder, 62_000)
  expect(take(recorder, 91_000).map(({ object, facet }) => `${object.id} ${facet}`)).toContain(
    'b omitted',
  )
})
