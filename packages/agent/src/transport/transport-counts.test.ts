import type { TransportContent } from '@trunkline/contract/fleet/transport.schema'
import { SPANS_OF_MINUTE } from '@trunkline/contract/fleet/transport-history.rules'
import type { TransportMinute } from '@trunkline/contract/fleet/transport-history.schema'
import { expect, test } from 'vitest'
import { eventually, freeUdpPort, quietLog } from '../agent.fixture.ts'
import { TransportChecks, type MeasuredLink } from './transport-checks.ts'
import { TransportCounts } from './transport-counts.ts'
import { sendFaultyStream, VIDEO_PID } from './transport.fixture.ts'
import type { TransportWindow } from './transport-window.ts'

const SEAT = 'acants-0'
const MINUTE_MS = 60_000
const AT_MS = 1_800_000_000_000
const LEG = { ip: '239.255.94.1', port: 5000 }
const INPUT: MeasuredLink = { programId: 'input-a', owner: SEAT, leg: LEG }

/** Two seconds of a good stream, that end so long after the begin of the minute. */
function windowAt(endMs: number, more: Partial<TransportWindow> = {}): TransportWindow {
  return {
    startMs: AT_MS + endMs - 2000,
    endMs: AT_MS + endMs,
    packets: 1000,
    longestSilenceMs: 5,
    syncByteErrors: 0,
    syncLosses: 0,
    transportErrors: 0,
    crcErrors: 0,
    pat: { sections: 20, longestGapMs: 101.26 },
    programs: [
      { number: 3, pmtPid: 256, pcrPid: 512, sections: 20, longestGapMs: 102, streams: [] },
    ],
    pcrs: [pcr({})],
    pids: [pid(0)],
    pidCount: 1,
    ...more,
  }
}

function pcr(more: object) {
  const timing = { pid: 512, count: 100, longestIntervalMs: 20, over40Ms: 0, over100Ms: 0 }
  return { ...timing, jumps: 0, jitterMs: 1.5, ...more }
}

function pid(continuityErrors: number) {
  return { pid: 512, packets: 900, continuityErrors, scrambledPackets: 0 }
}

const SAMPLED = { mode: 'sampled', everyMs: 30_000, content: null } as const
const FOLLOWED = { mode: 'continuous', everyMs: null, content: null } as const

/** All that this seat has to answer, from the beginning. */
function allOf(counts: TransportCounts, seat = SEAT): TransportMinute[] {
  const { run } = counts.read(seat, { run: null, after: 0 })
  return counts.read(seat, { run, after: 0 }).minutes
}

test('a minute of a sampled link adds up its samples, and says how long it was observed', () => {
  const counts = new TransportCounts(MINUTE_MS)
  counts.add([INPUT], windowAt(10_000, { pids: [pid(2)], transportErrors: 1 }), SAMPLED)
  const worse = { pids: [pid(15)], pcrs: [pcr({ jitterMs: 7.77 })] }
  counts.add([INPUT], windowAt(40_000, worse), SAMPLED)
  expect(allOf(counts)).toEqual([])
  counts.closeEnded(AT_MS + MINUTE_MS)
  const [minute, ...others] = allOf(counts)
  expect(others).toEqual([])
  expect(minute).toMatchObject({
    programId: 'input-a',
    atMs: AT_MS,
    lookedMs: 4000,
    followedMs: 0,
    continuityErrors: 17,
    transportErrors: 1,
    patGapMs: 101.3,
    pmtGapMs: 102,
    pcrIntervalMs: 20,
    pcrJitterMs: 7.8,
  })
  const continuity = { kind: 'continuity', pid: 512, longestMs: null }
  expect(minute?.errors).toMatchObject([
    {
      fromMs: AT_MS + 8000,
      toMs: AT_MS + 10_000,
      lookedMs: 2000,
      everyMs: 30_000,
      faults: [
        { ...continuity, count: 2 },
        { kind: 'transport-error', count: 1 },
      ],
    },
    { toMs: AT_MS + 40_000, faults: [{ ...continuity, count: 15 }] },
  ])
})

test('errors in windows that follow each other are one span, and never more than a minute keeps', () => {
  const counts = new TransportCounts(MINUTE_MS)
  const bad = { pids: [pid(1)] }
  for (const endMs of [2000, 4000]) counts.add([INPUT], windowAt(endMs, bad), FOLLOWED)
  for (let endMs = 8000; endMs < 58_000; endMs += 4000) {
    counts.add([INPUT], windowAt(endMs - 2000), FOLLOWED)
    counts.add([INPUT], windowAt(endMs, bad), FOLLOWED)
  }
  counts.closeEnded(AT_MS + MINUTE_MS)
  const [minute] = allOf(counts)
  const errors = minute?.errors ?? []
  expect(errors).toHaveLength(SPANS_OF_MINUTE)
  expect([minute?.followedMs, minute?.continuityErrors]).toEqual([56_000, 15])
  // Whatever is joined, all of it is still counted.
  const counted = errors.flatMap(({ faults }) => faults.map(({ count }) => count ?? 0))
  expect(counted.reduce((all, count) => all + count, 0)).toBe(15)
  expect(errors.reduce((all, { lookedMs }) => all + lookedMs, 0)).toBe(30_000)
})

test('a good stream has no error spans, and PCR intervals that receivers tolerate are no error', () => {
  const counts = new TransportCounts(MINUTE_MS)
  const slow = { pcrs: [pcr({ longestIntervalMs: 60, over40Ms: 5 })] }
  counts.add([INPUT], windowAt(10_000, slow), SAMPLED)
  counts.closeEnded(AT_MS + MINUTE_MS)
  expect(allOf(counts)).toMatchObject([{ pcrIntervalMs: 60, errors: [] }])
})

test('black picture and silence are errors of the windows in which they were decoded', () => {
  const counts = new TransportCounts(MINUTE_MS)
  const content: TransportContent = {
    atMs: AT_MS + 5000,
    everyMs: 60_000,
    picture: { kind: 'black', sinceMs: AT_MS },
    sound: { kind: 'silent', sinceMs: AT_MS },
    peakDbfs: -90,
  }
  counts.add([INPUT], windowAt(10_000), { ...SAMPLED, content })
  counts.add([INPUT], windowAt(40_000), { ...SAMPLED, content: { ...content, atMs: 0 } })
  counts.closeEnded(AT_MS + MINUTE_MS)
  const [minute] = allOf(counts)
  expect(minute?.errors.map(({ faults }) => faults.map(({ kind }) => kind))).toEqual([
    ['black', 'silent-audio'],
  ])
})

test('minutes are answered again until they are confirmed, and never after that', () => {
  const counts = new TransportCounts(MINUTE_MS)
  const links = [INPUT, { ...INPUT, programId: 'output-b', owner: 'acants-1' }]
  for (const minute of [0, 1, 2]) {
    counts.add(links, windowAt(minute * MINUTE_MS + 10_000), SAMPLED)
  }
  counts.closeEnded(AT_MS + 3 * MINUTE_MS)
  const { run, minutes } = counts.read(SEAT, { run: null, after: 0 })
  expect(minutes).toEqual([])
  const first = counts.read(SEAT, { run, after: 0 })
  expect(first.minutes.map(({ atMs }) => (atMs - AT_MS) / MINUTE_MS)).toEqual([0, 1, 2])
  expect(counts.read(SEAT, { run, after: 0 })).toEqual(first)
  expect(counts.read(SEAT, { run, after: first.upTo })).toEqual({ ...first, minutes: [] })
  counts.add(links, windowAt(3 * MINUTE_MS + 10_000), SAMPLED)
  counts.closeEnded(AT_MS + 4 * MINUTE_MS)
  expect(counts.read(SEAT, { run, after: first.upTo }).minutes).toHaveLength(1)
  // Another seat has its own, under a name of its own.
  expect(allOf(counts, 'acants-1').map(({ programId }) => programId)).toEqual(
    Array.from({ length: 4 }, () => 'output-b'),
  )
  expect(counts.read('acants-1', { run, after: 0 }).minutes).toEqual([])
})

test('many minutes are answered in parts', () => {
  const counts = new TransportCounts(MINUTE_MS)
  const links = Array.from({ length: 700 }, (_, at) => ({ ...INPUT, programId: `input-${at}` }))
  counts.add(links, windowAt(10_000), SAMPLED)
  counts.closeEnded(AT_MS + MINUTE_MS)
  const { run } = counts.read(SEAT, { run: null, after: 0 })
  const first = counts.read(SEAT, { run, after: 0 })
  expect([first.minutes.length, first.hasMore]).toEqual([500, true])
  const second = counts.read(SEAT, { run, after: first.upTo })
  expect([second.minutes.length, second.hasMore]).toEqual([200, false])
})

test('errors planted into a real stream are counted, each of them once', async () => {
  const leg = { ip: '239.255.94.2', port: await freeUdpPort() }
  let isFollowed = false
  await using checks = new TransportChecks({
    log: quietLog(),
    clock: Date.now,
    links: () => [{ ...INPUT, leg }],
    onReports: (_, reports) => {
      isFollowed ||= reports.some(
        ({ report }) => report?.state === 'measured' && report.mode === 'continuous',
      )
    },
    pace: {
      windowMs: 300,
      everyMs: 1000,
      lookMs: 50,
      settleMs: 0,
      suspectMs: 500,
      countedMs: 1000,
    },
  })
  checks.begin()
  await using stream = await sendFaultyStream(leg)
  const { run } = checks.minutes(SEAT, { run: null, after: 0 })
  const minutes: TransportMinute[] = []
  let after = 0
  const read = () => {
    const answer = checks.minutes(SEAT, { run, after })
    minutes.push(...answer.minutes)
    after = answer.upTo
  }
  const counted = () => minutes.reduce((all, { continuityErrors }) => all + continuityErrors, 0)
  checks.follow(SEAT, ['input-a'], 60_000)
  await eventually(() => expect(isFollowed).toBe(true))
  stream.isFaulty = true
  await eventually(() => expect(stream.planted).toBeGreaterThan(5))
  stream.isFaulty = false
  await eventually(() => {
    read()
    expect(counted()).toBe(stream.planted)
  })
  const minutesThen = minutes.length
  await eventually(() => {
    read()
    expect(minutes.length).toBeGreaterThan(minutesThen + 1)
  })
  expect(counted()).toBe(stream.planted)
  const spans = minutes.flatMap(({ errors }) => errors)
  const onVideo = spans.flatMap(({ faults }) =>
    faults.flatMap(({ kind, pid: at, count }) => (kind === 'continuity' ? [[at, count]] : [])),
  )
  expect(onVideo.every(([at]) => at === VIDEO_PID)).toBe(true)
  expect(onVideo.reduce((all, [, count]) => all + (count ?? 0), 0)).toBe(stream.planted)
})
