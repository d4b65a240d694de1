import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { PAUSED } from '@trunkline/contract/program-state'
import { expect, test } from 'vitest'
import { inputAnswer, troubleOf, type InputFacts } from './input-answer.ts'

const NOW = Date.UTC(2026, 10, 23, 12)

function program(more: Partial<ProgramReport> = {}): ProgramReport {
  return {
    programId: 'p',
    state: 'running',
    wanted: 'running',
    sinceMs: 0,
    startedAtMs: NOW - 1_200_000,
    pid: 1,
    cause: '',
    restarts: 0,
    hasFarEnd: true,
    peer: 'connected',
    observed: null,
    appliedRevision: '',
    runningRevision: '',
    changedByHand: '',
    reading: null,
    ...more,
  }
}

function reading(agoMs: number, bitrateKbps = 1850): LinkReading {
  const counters = { packets: 0, lostPackets: 0, retransmittedPackets: 0, droppedPackets: 0 }
  const atMs = NOW - agoMs
  return {
    kind: 'link',
    protocol: 'srt',
    direction: 'receive',
    atMs,
    bitrateKbps,
    rttMs: 1,
    ...counters,
  }
}

/** Its last picture came two seconds ago. */
function factsOf(more: Partial<InputFacts> = {}): InputFacts {
  return {
    url: 'srt://:7016',
    priority: null,
    isStreamOff: false,
    isCurrent: true,
    isSelected: false,
    isWell: false,
    isListening: true,
    sinceMs: NOW - 2000,
    shownSinceMs: NOW - 600_000,
    ingest: program(),
    packager: program(),
    refusal: '',
    newestAtMs: NOW - 3000,
    bitrateKbps: null,
    tracks: [],
    packaged: [],
    nowMs: NOW,
    ...more,
  }
}

const MOVING = {
  peerSinceMs: 0,
  peerFacts: null,
  media: 'moving',
  mediaSinceMs: 0,
  warning: '',
  warningSinceMs: 0,
} as const
const AWAITED = 'Data arrives; waiting for the first picture.'
const UNREAD = 'Data arrives, but no picture can be decoded'
const SENDS_NONE = 'The far end is connected, but sends no picture.'

test.each([
  ['a report from before the cut', NOW - 2000, reading(2500), SENDS_NONE],
  ['the report that counts what came before the cut', NOW - 2000, reading(100), SENDS_NONE],
  ['an old report of one that was never read', NOW - 60_000, reading(5000), SENDS_NONE],
  ['a report of nothing', NOW - 60_000, reading(100, 0), SENDS_NONE],
  ['data long after the last picture', NOW - 60_000, reading(100), UNREAD],
] as const)(
  'CHAN-12 the first cause shown for an outage is correct: %s',
  (_what, sinceMs, last, words) => {
    expect(troubleOf(factsOf({ sinceMs, ingest: program({ reading: last }) }))).toContain(words)
  },
)

test.each([
  ['data came back just now', NOW - 4000, NOW - 600_000, AWAITED],
  ['its packager was started just now', NOW - 600_000, NOW - 4000, AWAITED],
  ['a picture had the time to come', NOW - 12_000, NOW - 12_000, UNREAD],
] as const)(
  'CHAN-12 data of which no picture came is not blamed on its format too early: %s',
  (_what, mediaSinceMs, startedAtMs, words) => {
    const observed = { ...MOVING, mediaSinceMs }
    const ingest = program({ reading: reading(100), observed })
    const facts = factsOf({ sinceMs: NOW - 60_000, ingest, packager: program({ startedAtMs }) })
    expect(troubleOf(facts)).toContain(words)
  },
)

test.each([
  ['its caller came just now', {}, 'The far end is connected; waiting for the first picture.'],
  ['no caller is needed', { hasFarEnd: false, peer: '' }, 'Waiting for the first picture.'],
] as const)(
  'CHAN-12 a picture is awaited before its sender is blamed: %s',
  (_what, more, words) => {
    const seen = (peerAgoMs: number, startedAgoMs: number, newestAtMs: number | null) => {
      const observed = { ...MOVING, peerSinceMs: NOW - peerAgoMs }
      const packaging = program({ startedAtMs: NOW - startedAgoMs })
      return troubleOf(
        factsOf({ ingest: program({ observed, ...more }), packager: packaging, newestAtMs }),
      )
    }
    expect(seen(4000, 4000, null)).toBe(words)
    expect(seen(60_000, 4000, NOW - 30_000)).toBe(words)
    expect(seen(4000, 4000, NOW - 3000)).not.toBe(words)
    expect(seen(60_000, 60_000, null)).not.toBe(words)
  },
)

test.each<[string, Partial<InputFacts>, true | undefined]>([
  ['its receiver is paused', { ingest: program({ cause: PAUSED, peer: '' }) }, true],
  ['its packager is paused', { packager: program({ cause: PAUSED }) }, true],
  ['its listener cannot be started', { ingest: program({ state: 'backoff' }) }, true],
  ['its host refuses it', { ingest: null, refusal: 'Port 7016 is taken.' }, true],
  ['its caller is away', { ingest: program({ peer: 'disconnected' }) }, undefined],
  ['it starts', { ingest: program({ state: 'starting' }) }, undefined],
  [
    'what it calls is away',
    { isListening: false, ingest: program({ state: 'backoff' }) },
    undefined,
  ],
  ['it is well', { isWell: true }, undefined],
])('CHAN-12 an input says whether the fault is on its own host: %s', (_what, more, expected) => {
  expect(inputAnswer(factsOf(more)).stats?.receiver_down).toBe(expected)
})

test('CHAN-12 a listener distinguishes a caller that left from no caller yet', () => {
  const away = { peer: 'disconnected' } as const
  const never = factsOf({ ingest: program(away), newestAtMs: null })
  expect(troubleOf(never)).toBe('No caller yet.')
  for (const facts of [
    factsOf({ ingest: program(away) }),
    factsOf({ ingest: program({ ...away, reading: reading(60_000) }), newestAtMs: null }),
  ]) {
    expect(troubleOf(facts)).toBe('The caller has left, and no caller is connected.')
  }
})

test('CHAN-25 a source is active since it is shown and healthy, not since its program started', () => {
  const stats = (more: Partial<InputFacts>) => inputAnswer(factsOf({ isWell: true, ...more })).stats
  expect(stats({ sinceMs: NOW - 900_000, shownSinceMs: NOW - 5000 })).toMatchObject({
    since: NOW - 900_000,
    active_since: NOW - 5000,
    opened_at: NOW - 1_200_000,
  })
  expect(stats({ sinceMs: NOW - 4000 })).toMatchObject({ active_since: NOW - 4000 })
  expect(stats({ shownSinceMs: null })).not.toHaveProperty('active_since')
  expect(stats({ isWell: false })).not.toHaveProperty('active_since')
})
