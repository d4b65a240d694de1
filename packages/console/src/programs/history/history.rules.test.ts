import type { LinkPoint } from '@trunkline/contract/contributions/history.calls'
import { MINUTE_MS } from '@trunkline/contract/durations'
import { expect, test } from 'vitest'
import {
  beginsAtMs,
  gridOf,
  type History,
  pointText,
  summaryOf,
  withPresent,
} from './history.rules.ts'

const STEP_MS = 10_000
const FROM_MS = Date.UTC(2026, 10, 20, 14, 0, 5)

function pointAt(index: number, parts: Partial<LinkPoint> = {}): LinkPoint {
  return {
    atMs: FROM_MS + 5000 + index * STEP_MS,
    bitrateKbps: { min: 4400, avg: 4488.4, max: 4600 },
    rttMs: 86,
    packets: 4000,
    lostPackets: 10,
    retransmittedPackets: 8,
    droppedPackets: 2,
    ...parts,
  }
}

function historyOf(points: readonly LinkPoint[]): History {
  return { fromMs: FROM_MS, toMs: FROM_MS + 300_000, stepMs: STEP_MS, points }
}

test('every interval of the period has its place, and an interval without a reading is a gap', () => {
  const points = [pointAt(0), pointAt(1), pointAt(4), pointAt(28)]
  const grid = gridOf(historyOf(points))
  expect(grid.atMs).toHaveLength(29)
  const measured = grid.points.flatMap((point, index) => (point === null ? [] : [index]))
  expect(measured).toEqual([0, 1, 4, 28])
})

test('the newest steps may be under way; a link that fell silent has a gap up to now', () => {
  expect(gridOf(historyOf([pointAt(27)])).atMs.at(-1)).toBe(pointAt(27).atMs)
  expect(gridOf(historyOf([pointAt(20)])).atMs.at(-1)).toBe(FROM_MS + 295_000)
  expect(gridOf(historyOf([])).points.every((point) => point === null)).toBe(true)
})

test('the begin of the history is shown when it does not fill the period', () => {
  expect(beginsAtMs(historyOf([pointAt(0)]))).toBeNull()
  expect(beginsAtMs(historyOf([pointAt(10)]))).toBe(pointAt(10).atMs)
  expect(beginsAtMs(historyOf([]))).toBeNull()
})

test('a moment as text, with its units; a missing reading is not zero', () => {
  expect(pointText(FROM_MS, pointAt(0))).toBe(
    '14:00:05 UTC: 4,488 kbit/s (4,400 to 4,600), RTT 86 ms, 2 dropped, 8 retransmitted',
  )
  expect(pointText(FROM_MS, pointAt(0, { rttMs: 0.4 }))).toContain('RTT 0.4 ms')
  expect(pointText(FROM_MS, pointAt(0, { rttMs: null }))).toContain('RTT –')
  expect(pointText(FROM_MS, null)).toBe('14:00:05 UTC: no reading')
})

test('the summary keeps a burst and a drop of a single reading', () => {
  const drop = pointAt(1, { bitrateKbps: { min: 0, avg: 2000, max: 9000 }, rttMs: null })
  expect(summaryOf([pointAt(0), drop])).toMatchObject([
    { name: 'Bitrate', lowest: '0', average: '3,244', highest: '9,000', total: '–' },
    { name: 'RTT', lowest: '86', average: '86', highest: '86' },
    { name: 'Dropped', lowest: '2', average: '2.0', highest: '2', total: '4' },
    { name: 'Retransmitted', total: '16' },
  ])
  expect(summaryOf([])).toMatchObject([{ lowest: '–', average: '–', highest: '–' }, {}, {}, {}])
})

test('a day reaches to the present: minutes not summed up yet come from the finer intervals', () => {
  const dayMs = Date.UTC(2026, 10, 20, 13, 0)
  const kept = pointAt(0, { atMs: dayMs + 10 * MINUTE_MS })
  const day = { fromMs: dayMs, toMs: dayMs + 13 * MINUTE_MS, stepMs: MINUTE_MS, points: [kept] }
  const fine = (afterMs: number, max: number) =>
    pointAt(0, {
      atMs: kept.atMs + afterMs,
      bitrateKbps: { min: max / 2, avg: max / 2, max },
      rttMs: max,
      droppedPackets: 1,
    })
  const shown = withPresent(day, [
    fine(50_000, 9),
    fine(60_000, 100),
    fine(70_000, 300),
    fine(120_000, 20),
  ])
  expect(shown.points.map(({ atMs }) => atMs - kept.atMs)).toEqual([0, 60_000, 120_000])
  expect(shown.points[1]).toMatchObject({
    bitrateKbps: { min: 50, avg: 100, max: 300 },
    rttMs: 300,
    droppedPackets: 2,
  })
  expect(withPresent(day, [fine(0, 9)])).toBe(day)
})
