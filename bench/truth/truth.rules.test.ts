import { expect, test } from 'vitest'
import { factsOf, ROWS, type Happened } from './events.rules.ts'
import { ageErrorMs, compare, type Fact, type Figures, type Shown } from './truth.rules.ts'

const ROW = ROWS.srtReceiver
/** The break. */
const AT_MS = 100_000
const NO_FIGURES: Figures = { rate: null, rtt: null, target: null, quoted: '', verdict: '' }
const FLOWING: Figures = { ...NO_FIGURES, rate: 1850, rtt: 1, target: 'CONNECTED' }

function factOf(fromMs: number, states: readonly string[], parts: Partial<Fact> = {}): Fact {
  const accepted = states.map((text) => ({ text, since: null }))
  return { row: ROW, event: 'cut', fromMs, accepted, allowedMs: 0, ...parts }
}

function shownOf(fromMs: number, untilMs: number, state: string, parts: Partial<Shown> = {}) {
  const figures = state === 'Running' ? FLOWING : NO_FIGURES
  return { row: ROW, fromMs, untilMs, state, ageS: null, figures, ...parts }
}

const CUT = [factOf(0, ['Running']), factOf(AT_MS, ['Running, no peer'])]

test('a state that follows within 2 s is right', () => {
  const shown = [
    shownOf(90_000, AT_MS + 2000, 'Running'),
    shownOf(AT_MS + 2000, AT_MS + 9000, 'Running, no peer'),
  ]
  expect(compare(CUT, shown)).toEqual({ states: [], ages: [], figures: [] })
})

test('a state that follows later is reported with how long it was wrong', () => {
  const shown = [
    shownOf(90_000, AT_MS + 3500, 'Running'),
    shownOf(AT_MS + 3500, AT_MS + 9000, 'Running, no peer'),
  ]
  expect(compare(CUT, shown).states).toEqual([
    {
      event: 'cut',
      row: ROW,
      shown: 'Running',
      truth: 'Running, no peer',
      atMs: AT_MS,
      ms: 3500,
    },
  ])
})

test('a missing row is wrong', () => {
  const shown = [
    shownOf(AT_MS, AT_MS + 1000, 'Running, no peer'),
    shownOf(AT_MS + 1000, AT_MS + 4000, ''),
  ]
  expect(compare(CUT, shown).states).toMatchObject([{ shown: '', ms: 3000 }])
})

test('an allowance counts from the event, not for later errors', () => {
  const facts = [factOf(0, ['Running']), factOf(AT_MS, ['Running, no peer'], { allowedMs: 5000 })]
  const late = [
    shownOf(90_000, AT_MS + 6900, 'Running'),
    shownOf(AT_MS + 6900, AT_MS + 20_000, 'Running, no peer'),
  ]
  expect(compare(facts, late).states).toEqual([])
  const relapse = shownOf(AT_MS + 20_000, AT_MS + 23_000, 'Running')
  expect(compare(facts, [...late, relapse]).states).toMatchObject([{ ms: 3000 }])
})

test('a new true state gives new time, the end of an exception does not', () => {
  const losing = shownOf(AT_MS, AT_MS + 3000, 'Running, losing packets')
  const aftermath = factOf(0, ['Running', 'Running, slower than real time'])
  const over = factOf(AT_MS + 1500, ['Running'])
  expect(compare([aftermath, over], [losing]).states).toMatchObject([{ ms: 3000 }])
  const stopped = factOf(AT_MS + 1500, ['Stopped'])
  expect(compare([aftermath, stopped], [losing]).states).toEqual([])
})

test('a number of seconds is valid up to the next', () => {
  const since = [AT_MS, AT_MS] as const
  expect(ageErrorMs(42, AT_MS + 42_900, since)).toBe(0)
  expect(ageErrorMs(42, AT_MS + 41_500, since)).toBe(500)
  expect(ageErrorMs(42, AT_MS + 45_000, since)).toBe(2000)
  expect(ageErrorMs(42, AT_MS + 45_000, [AT_MS, AT_MS + 2000])).toBe(0)
})

test('an age that is wrong by more than 1 s is reported once, with its largest error', () => {
  const accepted = [{ text: 'Running, no peer', since: [AT_MS, AT_MS] as const }]
  const facts = [factOf(0, ['Running']), { ...factOf(AT_MS, []), accepted }]
  const shownAt = (seconds: number, ageS: number) =>
    shownOf(AT_MS + seconds * 1000, AT_MS + (seconds + 1) * 1000, 'Running, no peer', { ageS })
  const right = Array.from({ length: 5 }, (_, at) => shownAt(at, at))
  expect(compare(facts, right).ages).toEqual([])
  const wrong = Array.from({ length: 5 }, (_, at) => shownAt(at, at + 60))
  const { ages } = compare(facts, wrong)
  expect(ages).toHaveLength(1)
  expect(ages[0]).toMatchObject({ shown: 'Running, no peer for 60 s', truth: 'for 0.0 s' })
  expect(ages[0]?.ms).toBe(60_000)
})

test.each<[string, string, Partial<Figures>]>([
  ['a rate without media', 'Running, no media', { rate: 10 }],
  ['a round trip without a peer', 'Running, no peer', { rtt: 20 }],
  ['CONNECTED without a peer', 'Running, connecting', { target: 'CONNECTED' }],
  ['DISCONNECTED while it runs', 'Running', { rate: 1850, target: 'DISCONNECTED' }],
  ['no rate while it runs', 'Running', { rate: 0 }],
  ['a line of before', 'Running, no peer', { quoted: '16:02:39 SRT target connected' }],
  ['a whole path to black', 'Online, black picture', { verdict: 'Every hop carries the picture.' }],
])('a figure that contradicts its state is reported: %s', (_, state, figures) => {
  const facts = [factOf(0, [state])]
  const shown = shownOf(AT_MS, AT_MS + 300, state, { figures: { ...NO_FIGURES, ...figures } })
  expect(compare(facts, [shown]).figures).toMatchObject([{ truth: `state: ${state}`, ms: 300 }])
  // Two drawings of the page may lie between a state and its figures.
  expect(compare(facts, [{ ...shown, untilMs: AT_MS + 200 }]).figures).toEqual([])
})

test('figures of a link that lost its peer and is blank contradict nothing', () => {
  const figures = {
    ...NO_FIGURES,
    rate: 0,
    target: 'DISCONNECTED',
    quoted: 'SRT target disconnected',
  }
  const shown = shownOf(AT_MS, AT_MS + 5000, 'Running, no peer', { figures })
  expect(compare(CUT, [shown]).figures).toEqual([])
})

const BLACK: Happened = {
  name: '1. black: channel Bench live',
  kind: 'black',
  victim: ROWS.channel,
  source: 'udp://239.255.78.1:20000',
  atMs: AT_MS,
  doneAtMs: AT_MS,
  repairedAtMs: AT_MS + 14_000,
  stoppedAtMs: {},
  flowsAtMs: {},
}

test('an event that a screen ignores is reported on each of its rows', () => {
  const shown: Shown[] = [ROWS.channel, ROWS.path].map((row) =>
    shownOf(AT_MS, AT_MS + 14_000, 'Online', { row }),
  )
  const { states } = compare(factsOf(BLACK), shown)
  expect(states.map(({ row }) => row)).toEqual([ROWS.channel, ROWS.path])
  expect(states[0]).toMatchObject({ truth: 'Online, black picture', ms: 14_000 })
})

test('black that is reported one segment after its two seconds is right', () => {
  const shown = [
    shownOf(AT_MS, AT_MS + 5900, 'Online', { row: ROWS.channel }),
    shownOf(AT_MS + 5900, AT_MS + 14_000, 'Online, black picture', {
      row: ROWS.channel,
      ageS: null,
    }),
  ]
  expect(compare(factsOf(BLACK), shown)).toEqual({ states: [], ages: [], figures: [] })
})
