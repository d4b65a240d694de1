/** What the history of a link draws and says, from its kept steps alone. */
import type { LinkPoint } from '@trunkline/contract/contributions/history.calls'
import { fineText, numberText, UNKNOWN, clockTimeText } from '../../shared/format.ts'
import { ZONE_WORD } from '../../lib/locale/time-zone.ts'

/** `T`: what was measured within a step. */
export interface History<T = LinkPoint> {
  fromMs: number
  toMs: number
  stepMs: number
  points: readonly T[]
}

/** One place for every step of the span; null where nothing was measured, which is a gap. */
export interface HistoryGrid<T = LinkPoint> {
  atMs: readonly number[]
  points: readonly (T | null)[]
}

/** The newest steps are still under way, or on their way to the database. */
const UNDER_WAY_STEPS = 3

export function gridOf<T extends { atMs: number }>({
  fromMs,
  toMs,
  stepMs,
  points,
}: History<T>): HistoryGrid<T> {
  const byStart = new Map(points.map((point) => [point.atMs, point]))
  const lastMs = points.at(-1)?.atMs ?? fromMs
  const isCurrent = toMs - lastMs <= UNDER_WAY_STEPS * stepMs
  const firstMs = Math.ceil(fromMs / stepMs) * stepMs
  const endMs = isCurrent ? lastMs : Math.floor(toMs / stepMs) * stepMs
  const count = Math.max(0, Math.round((endMs - firstMs) / stepMs) + 1)
  const atMs = Array.from({ length: count }, (_, index) => firstMs + index * stepMs)
  return { atMs, points: atMs.map((at) => byStart.get(at) ?? null) }
}

/** A day with the minutes that are not summed up yet, out of the finer steps of the last ones. */
export function withPresent(day: History, recent: readonly LinkPoint[]): History {
  const nextMs = (day.points.at(-1)?.atMs ?? day.fromMs - day.stepMs) + day.stepMs
  const minutes = new Map<number, LinkPoint[]>()
  for (const point of recent) {
    const atMs = Math.floor(point.atMs / day.stepMs) * day.stepMs
    if (atMs >= nextMs) minutes.set(atMs, [...(minutes.get(atMs) ?? []), point])
  }
  const added = [...minutes].map(([atMs, points]) => summedUp(atMs, points))
  return added.length === 0 ? day : { ...day, points: [...day.points, ...added] }
}

function summedUp(atMs: number, points: readonly LinkPoint[]): LinkPoint {
  const sum = (pick: (point: LinkPoint) => number) =>
    points.reduce((total, point) => total + pick(point), 0)
  return {
    atMs,
    bitrateKbps: {
      min: lowest(points.map(({ bitrateKbps }) => bitrateKbps.min)) ?? 0,
      avg: average(points.map(({ bitrateKbps }) => bitrateKbps.avg)) ?? 0,
      max: highest(points.map(({ bitrateKbps }) => bitrateKbps.max)) ?? 0,
    },
    rttMs: highest(points.flatMap(({ rttMs }) => (rttMs === null ? [] : [rttMs]))),
    packets: sum(({ packets }) => packets),
    lostPackets: sumKnown(points.map(({ lostPackets }) => lostPackets)),
    retransmittedPackets: sum(({ retransmittedPackets }) => retransmittedPackets),
    droppedPackets: sumKnown(points.map(({ droppedPackets }) => droppedPackets)),
  }
}

/** Null when none of them is known. */
function sumKnown(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null)
  return known.length === 0 ? null : known.reduce((total, count) => total + count, 0)
}

/** Where the history begins, when that is within the span; null when it reaches further back. */
export function beginsAtMs({ fromMs, stepMs, points }: History<{ atMs: number }>): number | null {
  const [first] = points
  return first === undefined || first.atMs - fromMs <= 2 * stepMs ? null : first.atMs
}

/** `14:02:10 UTC: 4,488 kbit/s (4,441 to 4,541), RTT 86.0 ms, 2 dropped, 8 resent`. */
export function pointText(atMs: number, point: LinkPoint | null): string {
  const at = `${clockTimeText(atMs)} ${ZONE_WORD}`
  if (point === null) return `${at}: no reading`
  const { min, avg, max } = point.bitrateKbps
  return [
    `${at}: ${numberText(avg)} kbit/s (${numberText(min)} to ${numberText(max)})`,
    `RTT ${rttText(point.rttMs)}`,
    ...(point.droppedPackets === null ? [] : [`${numberText(point.droppedPackets)} dropped`]),
    `${numberText(point.retransmittedPackets)} retransmitted`,
  ].join(', ')
}

function rttText(rttMs: number | null): string {
  return rttMs === null ? UNKNOWN : `${fineText(rttMs)} ms`
}

export interface SummaryRow {
  name: string
  unit: string
  lowest: string
  average: string
  highest: string
  total: string
}

/** The span in four lines: what the charts show, for whoever cannot see them. */
export function summaryOf(points: readonly LinkPoint[]): readonly SummaryRow[] {
  const bitrates = points.map((point) => point.bitrateKbps)
  const roundTrips = points.flatMap(({ rttMs }) => (rttMs === null ? [] : [rttMs]))
  return [
    {
      name: 'Bitrate',
      unit: 'kbit/s',
      lowest: numberText(lowest(bitrates.map(({ min }) => min))),
      average: numberText(average(bitrates.map(({ avg }) => avg))),
      highest: numberText(highest(bitrates.map(({ max }) => max))),
      total: UNKNOWN,
    },
    {
      name: 'RTT',
      unit: 'ms',
      lowest: fineText(lowest(roundTrips)),
      average: fineText(average(roundTrips)),
      highest: fineText(highest(roundTrips)),
      total: UNKNOWN,
    },
    countRow(
      'Dropped',
      points.map((point) => point.droppedPackets),
    ),
    countRow(
      'Retransmitted',
      points.map((point) => point.retransmittedPackets),
    ),
  ]
}

function countRow(name: string, counted: readonly (number | null)[]): SummaryRow {
  const counts = counted.filter((count) => count !== null)
  return {
    name,
    unit: 'packets per interval',
    lowest: numberText(lowest(counts)),
    average: fineText(average(counts)),
    highest: numberText(highest(counts)),
    total: numberText(sumKnown(counted)),
  }
}

function lowest(values: readonly number[]): number | null {
  return values.reduce<number | null>(
    (least, value) => (least === null || value < least ? value : least),
    null,
  )
}

function highest(values: readonly number[]): number | null {
  return values.reduce<number | null>(
    (most, value) => (most === null || value > most ? value : most),
    null,
  )
}

function average(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
