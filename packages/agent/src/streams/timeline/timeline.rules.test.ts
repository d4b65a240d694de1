import { expect, test } from 'vitest'
import {
  append,
  bitrateOf,
  cleared,
  emptyWindow,
  keepLast,
  nextOf,
  withoutLost,
  withTarget,
  type Listed,
  type Window,
} from './timeline.rules.ts'

const NOW_MS = Date.UTC(2026, 10, 20, 12)

/** Two seconds long, written `atS` seconds after the beginning. */
function listed(number: number, atS: number, more: Partial<Listed> = {}): Listed {
  const writtenAtMs = NOW_MS + atS * 1000
  return { number, durationsS: [2], isBreak: false, bytes: 1000, writtenAtMs, ...more }
}

/** Segments `first` and on, one every two seconds from `atS`. */
function run(first: number, count: number, atS: number): Listed[] {
  return Array.from({ length: count }, (_, at) => listed(first + at, atS + at * 2))
}

function windowOf(source: string, segments: readonly Listed[]): Window {
  return append(emptyWindow(NOW_MS), source, segments)
}

function shown(window: Window): string[] {
  return window.rows.map((row) => `${row.isBreak ? '!' : ''}${row.source}${row.number}`)
}

function following(window: Window, source: string, list: readonly Listed[], before: number | null) {
  return shown(append(window, source, nextOf(window, source, list, before)))
}

test('CHAN-32 a first look shows all that the packager lists, in one piece', () => {
  expect(following(emptyWindow(NOW_MS), 'a', run(7, 3, 0), 9)).toEqual(['a7', 'a8', 'a9'])
})

test('CHAN-32 the same packager continues: new segments are added once', () => {
  const window = windowOf('a', run(7, 3, 0))
  expect(following(window, 'a', run(7, 3, 0), null)).toEqual(['a7', 'a8', 'a9'])
  expect(following(window, 'a', run(8, 3, 2), null)).toEqual(['a7', 'a8', 'a9', 'a10'])
})

test('CHAN-32 a restarted packager, or one not read for long: a discontinuity, no repetition', () => {
  const window = windowOf('a', run(7, 3, 0))
  const anew = [listed(50, 10, { isBreak: true }), listed(51, 12)]
  expect(following(window, 'a', anew, null)).toEqual(['a7', 'a8', 'a9', '!a50', 'a51'])
  expect(following(window, 'a', run(12, 2, 10), null)).toEqual(['a7', 'a8', 'a9', '!a12', 'a13'])
  // Its first number may be one that it had before: segments may be shorter than a second.
  expect(following(window, 'a', [listed(8, 10), listed(60, 12)], null)).toEqual([
    'a7',
    'a8',
    'a9',
    '!a60',
  ])
})

test('CHAN-32 a packager’s own discontinuity is kept', () => {
  const window = windowOf('a', run(7, 1, 0))
  expect(following(window, 'a', [listed(7, 0), listed(8, 2, { isBreak: true })], null)).toEqual([
    'a7',
    '!a8',
  ])
})

test.each([
  ['standby ends half a segment later or more', [-3, -1, 1, 3], 4, ['!b3', 'b4']],
  ['standby ends a little later: twice the same picture for longer than half', [-2, 0.5], 2, []],
  ['standby has nothing new yet', [-5, -3], 2, []],
  ['standby has never listed anything', [], null, []],
])('CHAN-32 another input takes over: %s', (_what, ends, before, want) => {
  const window = windowOf('a', run(7, 2, -2))
  const list = ends.map((atS, at) => listed(at + 1, atS))
  expect(following(window, 'b', list, before)).toEqual(['a7', 'a8', ...want])
})

test('CHAN-32 what the standby lists after the switch is taken, whatever the host’s clock did', () => {
  const window = windowOf('a', run(7, 2, -2))
  const list = [listed(1, -4), listed(2, -2), listed(3, -3600), listed(4, -3598)]
  expect(following(window, 'b', list, 2)).toEqual(['a7', 'a8', '!b3', 'b4'])
  // Listed after the switch, and yet hardly later than the last one shown.
  expect(following(window, 'b', [listed(2, -2), listed(3, 0.3)], 2)).toEqual(['a7', 'a8'])
})

test('CHAN-32 a switch and back: two discontinuities, and segments of the first input from meanwhile are not shown late', () => {
  const first = windowOf('a', run(7, 2, 0))
  const second = append(first, 'b', run(1, 3, 4))
  expect(following(second, 'a', [...run(7, 5, 0), listed(12, 10)], 12)).toEqual([
    'a7',
    'a8',
    '!b1',
    'b2',
    'b3',
    '!a12',
  ])
})

test('the media sequence only rises, and removed discontinuities are counted', () => {
  const first = windowOf('a', run(1, 2, 0))
  const window = append(append(first, 'b', run(1, 2, 4)), 'a', run(4, 1, 8))
  const kept = keepLast(window, 2)
  expect(shown(kept)).toEqual(['b2', '!a4'])
  expect([kept.sequence - first.sequence, kept.breaksBefore]).toEqual([3, 1])
  const last = keepLast(kept, 0)
  expect([last.sequence - first.sequence, last.breaksBefore, last.rows.length]).toEqual([5, 2, 0])
  expect(keepLast(window, 9)).toBe(window)
})

test('an emptied window continues with a discontinuity, without the earlier segments', () => {
  const window = cleared(windowOf('a', run(1, 2, 0)))
  expect(following(window, 'a', run(1, 4, 0), 2)).toEqual(['!a3', 'a4'])
  expect(following(window, 'a', run(9, 1, 20), 2)).toEqual(['!a9'])
})

test('a lost window restarts above every earlier sequence number', () => {
  const before = windowOf('a', run(1, 100, 0))
  const highest = before.sequence + before.rows.length
  expect(emptyWindow(NOW_MS + 100 * 1000).sequence).toBeGreaterThan(highest)
  expect(emptyWindow(0).sequence).toBe(0)
})

test('segments whose files are missing are removed with all before them', () => {
  const window = windowOf('a', run(1, 4, 0))
  const after = withoutLost(window, (row) => row.number !== 2)
  expect(shown(after)).toEqual(['a3', 'a4'])
  expect(after.sequence).toBe(window.sequence + 2)
  expect(withoutLost(window, () => true)).toBe(window)
  expect(shown(withoutLost(window, () => false))).toEqual([])
})

test('CHAN-32 times are continuous until they differ too much from the clock', () => {
  const jitter = windowOf('a', [listed(1, 2), listed(2, 4.7), listed(3, 5.9)])
  expect(jitter.rows.map((row) => (row.startsAtMs - NOW_MS) / 1000)).toEqual([0, 2, 4])
  expect(shown(jitter)).toEqual(['a1', 'a2', 'a3'])
})

test.each([
  ['the encoder was away for four seconds', 8, 6],
  ['it was away for two', 6, 4],
  ['the clock of the host was set back by an hour', -3600, -3602],
])('CHAN-32 time never jumps without a discontinuity: %s', (_what, writtenAtS, startsAtS) => {
  const { rows } = windowOf('a', [listed(1, 2), listed(2, writtenAtS)])
  expect((rows[1]?.startsAtMs ?? 0) - NOW_MS).toBe(startsAtS * 1000)
  expect(rows[1]?.isBreak).toBe(true)
})

test('CHAN-32 many short absences do not add up to a playlist that is behind its clock', () => {
  // A second is lost before each segment, and the packager joins what it gets.
  const segments = Array.from({ length: 20 }, (_, at) => listed(at + 1, 3 * at))
  const { rows } = windowOf('a', segments)
  for (const row of rows) {
    const offMs = row.writtenAtMs - 2000 - row.startsAtMs
    expect(Math.abs(offMs)).toBeLessThanOrEqual(1500)
  }
  const jumps = rows.filter((row, at) => at > 0 && row.startsAtMs !== endOf(rows[at - 1]))
  expect(jumps.length).toBeGreaterThan(0)
  expect(jumps.every((row) => row.isBreak)).toBe(true)
})

function endOf(row: Window['rows'][number] | undefined): number {
  return (row?.startsAtMs ?? 0) + (row?.durationsS[0] ?? 0) * 1000
}

test('CHAN-32 a segment that spans an outage is left out, and the target duration stays', () => {
  const window = withTarget(emptyWindow(NOW_MS), 2)
  const long = listed(3, 10.7, { durationsS: [6.7] })
  const grown = append(window, 'a', [...run(1, 2, 2), long, listed(4, 12.7)])
  expect(shown(grown)).toEqual(['a1', 'a2', '!a4'])
  expect(grown.targetDurationS).toBe(3)
  // It comes alone first, and is no reason to wait either.
  const first = append(append(window, 'a', run(1, 2, 2)), 'a', [long])
  expect(shown(append(first, 'a', [long, listed(4, 12.7)]))).toEqual(['a1', 'a2', '!a4'])
})

test('CHAN-32 where key frames come every five seconds the target duration is five, for good', () => {
  const five = [1, 2, 3].map((at) => listed(at, at * 5, { durationsS: [4.8] }))
  const started = append(withTarget(emptyWindow(NOW_MS), 2), 'a', five.slice(0, 1))
  expect([shown(started), started.targetDurationS]).toEqual([['a1'], 5])
  const grown = append(started, 'a', five.slice(1))
  expect([shown(grown), grown.targetDurationS]).toEqual([['a1', 'a2', 'a3'], 5])
  expect(cleared(grown).targetDurationS).toBe(5)
  // The source is changed to one with fewer key frames while it is shown.
  const changed = append(withTarget(windowOf('a', run(1, 2, 0)), 2), 'a', [
    listed(3, 7.8, { durationsS: [4.8] }),
    listed(4, 12.6, { durationsS: [4.8] }),
  ])
  expect([shown(changed).length, changed.targetDurationS]).toEqual([4, 5])
})

test('the rate over the window', () => {
  expect(bitrateOf(windowOf('a', run(1, 3, 0)))).toBe(4000)
  expect(bitrateOf(emptyWindow(NOW_MS))).toBeNull()
})
