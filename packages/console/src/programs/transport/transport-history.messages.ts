/** Sentences of the history of a transport stream. */
import type { TransportPoint } from '@trunkline/contract/contributions/transport-history.calls'
import type { ErrorSpan, HistoryFault } from '@trunkline/contract/fleet/transport-history.schema'
import type { TransportPid } from '@trunkline/contract/fleet/transport.schema'
import {
  durationText,
  fineText,
  numberText,
  clockDayText,
  clockTimeText,
} from '../../shared/format.ts'
import { beginsAtMs } from '../history/history.rules.ts'
import {
  followedSinceMs,
  lookedMsOf,
  otherErrorsOf,
  type TransportHistoryData,
} from './transport-history.rules.ts'
import { CONTENT_TEXT, countText, faultText, secondsText } from './transport.messages.ts'
import { ZONE_WORD } from '../../lib/locale/time-zone.ts'

export const TRANSPORT_HISTORY_LABEL = 'History of the transport stream'
export const TRANSPORT_HISTORY_FAILED = 'The history of this transport stream could not be read.'
export const TRANSPORT_HISTORY_NONE =
  'No figures in this period. The history begins with the first sample of a running link; each minute is shown when it is over.'
export const TRANSPORT_HISTORY_CLEAN = 'No errors in the time that was checked.'

/**
 * 'Checked 4:00 of 1:00:00 (7 %): errors between two samples are not seen.', of a history that begins
 * within the span from its begin on.
 */
export function coverageText(history: TransportHistoryData): string {
  const { toMs, points } = history
  const beginMs = beginsAtMs(history)
  const lengthMs = toMs - (beginMs ?? history.fromMs)
  const lookedMs = lookedMsOf(points)
  const percent = fineText(Math.min(100, (lookedMs / lengthMs) * 100))
  const begin = beginMs === null ? '' : ` since ${momentText(beginMs, toMs)} ${ZONE_WORD}`
  const looked = `Checked ${durationText(lookedMs)} of ${durationText(lengthMs)}${begin} (${percent} %)`
  const sinceMs = followedSinceMs(history)
  return sinceMs === null
    ? `${looked}: errors between two samples are not seen.`
    : `${looked}, without gaps since ${momentText(sinceMs, toMs)} ${ZONE_WORD}.`
}

/** `14:02:00 UTC: 17 continuity errors, PCR jitter 2.4 ms, …, checked 4 s of 1:00`. */
export function transportPointText(
  atMs: number,
  point: TransportPoint | null,
  { stepMs, toMs }: Pick<TransportHistoryData, 'stepMs' | 'toMs'>,
): string {
  const at = `${momentText(atMs, toMs)} ${ZONE_WORD}`
  if (point === null) return `${at}: not checked`
  const others = otherErrorsOf(point)
  return [
    `${at}: ${countText(point.continuityErrors, 'continuity error', 'continuity errors')}`,
    ...(others > 0 ? [countText(others, 'other error', 'other errors')] : []),
    `PCR jitter ${millisecondsText(point.pcrJitterMs)}`,
    `PCR interval ${millisecondsText(point.pcrIntervalMs)}`,
    `PAT interval ${millisecondsText(point.patGapMs)}`,
    `PMT interval ${millisecondsText(point.pmtGapMs)}`,
    `checked ${spanText(point.lookedMs)} of ${spanText(stepMs)}`,
  ].join(', ')
}

/** '14:02:10 to 14:02:12', with the day where that is not today. */
export function spanTimeText({ fromMs, toMs }: ErrorSpan, nowMs: number): string {
  const isSameDay = clockDayText(fromMs) === clockDayText(toMs)
  return `${momentText(fromMs, nowMs)} to ${isSameDay ? clockTimeText(toMs) : momentText(toMs, nowMs)}`
}

/** '2 s of 30 s': of the time that a sample stands for, or of that from begin to end. */
export function spanLookedText({ fromMs, toMs, lookedMs, everyMs }: ErrorSpan): string {
  return `${spanText(lookedMs)} of ${spanText(everyMs ?? toMs - fromMs)}`
}

const CONTENT_FAULT_TEXT = {
  black: CONTENT_TEXT.black,
  frozen: CONTENT_TEXT.frozen,
  'silent-audio': CONTENT_TEXT.silent,
} as const

function isContentFault(kind: HistoryFault['kind']): kind is keyof typeof CONTENT_FAULT_TEXT {
  return kind in CONTENT_FAULT_TEXT
}

/** `pids`: what is known of them now. */
export function historyFaultText(fault: HistoryFault, pids: readonly TransportPid[]): string {
  const { kind } = fault
  return isContentFault(kind) ? `${CONTENT_FAULT_TEXT[kind]}.` : faultText({ ...fault, kind }, pids)
}

export function olderText(shown: number, all: number): string {
  return `The newest ${numberText(shown)} of ${numberText(all)} times with errors; older ones are in the chart.`
}

function momentText(atMs: number, nowMs: number): string {
  const day = clockDayText(atMs)
  return day === clockDayText(nowMs) ? clockTimeText(atMs) : `${day} ${clockTimeText(atMs)}`
}

/** Seconds below a minute, then a duration. */
function spanText(ms: number): string {
  if (ms >= 60_000) return durationText(ms)
  return ms < 10_000 ? secondsText(ms) : `${Math.round(ms / 1000)} s`
}

function millisecondsText(value: number | null): string {
  return value === null ? 'not known' : `${fineText(value)} ms`
}
