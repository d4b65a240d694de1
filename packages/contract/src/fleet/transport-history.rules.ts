/** How windows with errors are joined, so that however bad a stream is only so many are kept. */
import { TRANSPORT_FAULTS } from './transport.rules.ts'
import type { ErrorSpan, HistoryFault } from './transport-history.schema.ts'

/** What is kept of the time in which something was wrong: at most so many spans. */
export const SPANS_OF_MINUTE = 6
export const SPANS_OF_HOUR = 20
export const FAULTS_OF_SPAN = 8

/** The worst first: what the stream lacks, then what its picture and audio lack. */
export const HISTORY_FAULTS = [...TRANSPORT_FAULTS, 'black', 'frozen', 'silent-audio'] as const

/** Samples that follow each other are at most so far apart, but on hosts with very many links. */
const NEXT_SAMPLE_MS = 61_000
/** Windows without a gap between them. */
const NO_GAP_MS = 200

/** In order of time, those with the shortest times between them joined until there are `most`. */
export function joinSpans(spans: readonly ErrorSpan[], most: number): ErrorSpan[] {
  const joined = spans.toSorted((a, b) => a.fromMs - b.fromMs)
  while (joined.length > most) {
    const at = closestPair(joined)
    const [a, b] = joined.slice(at, at + 2)
    if (a === undefined || b === undefined) break
    joined.splice(at, 2, joinedSpan(a, b))
  }
  return joined
}

/** With one more window of a link that is read without gaps: it goes on where the last one ended. */
export function withSpan(spans: readonly ErrorSpan[], added: ErrorSpan, most: number): ErrorSpan[] {
  const last = spans.at(-1)
  const goesOn =
    last !== undefined &&
    last.everyMs === null &&
    added.everyMs === null &&
    added.fromMs - last.toMs <= NO_GAP_MS
  return goesOn
    ? [...spans.slice(0, -1), joinedSpan(last, added)]
    : joinSpans([...spans, added], most)
}

/** Spans that follow each other and have the same kinds of errors become one: a stream that lacks its PAT all night is one line. */
export function joinAlike(spans: readonly ErrorSpan[]): ErrorSpan[] {
  const joined: ErrorSpan[] = []
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1)
    if (last !== undefined && isAlike(last, span) && isNext(last, span)) {
      joined.splice(-1, 1, joinedSpan(last, span))
    } else joined.push(span)
  }
  return joined
}

function isNext(a: ErrorSpan, b: ErrorSpan): boolean {
  return b.fromMs - a.toMs <= Math.max(NEXT_SAMPLE_MS, b.everyMs ?? 0)
}

function isAlike(a: ErrorSpan, b: ErrorSpan): boolean {
  const keys = new Set(a.faults.map(keyOf))
  return a.faults.length === b.faults.length && b.faults.every((fault) => keys.has(keyOf(fault)))
}

function closestPair(spans: readonly ErrorSpan[]): number {
  let [closest, leastMs] = [0, Infinity]
  for (const [at, span] of spans.entries()) {
    const next = spans[at + 1]
    if (next === undefined || next.fromMs - span.toMs >= leastMs) continue
    closest = at
    leastMs = next.fromMs - span.toMs
  }
  return closest
}

function joinedSpan(a: ErrorSpan, b: ErrorSpan): ErrorSpan {
  return {
    fromMs: Math.min(a.fromMs, b.fromMs),
    toMs: Math.max(a.toMs, b.toMs),
    lookedMs: a.lookedMs + b.lookedMs,
    everyMs: null,
    faults: joinedFaults([...a.faults, ...b.faults]),
  }
}

function keyOf({ kind, pid }: HistoryFault): string {
  return `${kind} ${pid}`
}

function joinedFaults(faults: readonly HistoryFault[]): HistoryFault[] {
  const joined = new Map<string, HistoryFault>()
  for (const fault of faults) {
    const known = joined.get(keyOf(fault))
    joined.set(keyOf(fault), known === undefined ? fault : summed(known, fault))
  }
  const rank = ({ kind }: HistoryFault) => HISTORY_FAULTS.indexOf(kind)
  return [...joined.values()].sort((a, b) => rank(a) - rank(b)).slice(0, FAULTS_OF_SPAN)
}

function summed(a: HistoryFault, b: HistoryFault): HistoryFault {
  const either = (x: number | null, y: number | null, both: (x: number, y: number) => number) =>
    x === null ? y : y === null ? x : both(x, y)
  return {
    kind: a.kind,
    pid: a.pid,
    count: either(a.count, b.count, (x, y) => x + y),
    longestMs: either(a.longestMs, b.longestMs, Math.max),
  }
}
