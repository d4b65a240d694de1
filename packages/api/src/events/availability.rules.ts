/** How long an object was up, down, or not known, from its events. Pure. */
import { DAY_MS } from '@trunkline/contract/durations'
import type { DayAvailability } from '@trunkline/contract/events/event.schema'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import type { ObjectEvent } from './event.rules.ts'

/** off: not wanted, or not there yet. */
type Condition = 'up' | 'down' | 'off' | 'unknown'

interface Span {
  fromMs: number
  toMs: number
  condition: Condition
}

export interface Watched {
  kind: ObservedKind
  /** Those about its state, in order of time. */
  events: readonly ObjectEvent[]
  /** In which nobody watched, or events were left out. */
  gaps: readonly ObjectEvent[]
  /** The condition before the first event. */
  before: 'off' | 'unknown'
}

interface Day {
  fromMs: number
  toMs: number
}

/** So long after the API's start each host has answered, or counts as unreachable. */
const HEARD_WITHIN_MS = 60_000

/** A host watches its programs while no API runs: a state that it still has was never interrupted. */
function isWatchedByHost(kind: ObservedKind): boolean {
  return kind !== 'server' && kind !== 'channel'
}

/** Without what was counted. */
export function availabilityByDay(
  watched: Watched,
  days: readonly Day[],
): Omit<DayAvailability, 'counted'>[] {
  const spans = spansOf(watched)
  return days.map(({ fromMs, toMs }) => {
    const total = { up: 0, down: 0, off: 0, unknown: 0 }
    for (const span of spans) {
      const length = Math.min(toMs, span.toMs) - Math.max(fromMs, span.fromMs)
      if (length > 0) total[span.condition] += length
    }
    return { fromMs, toMs, upMs: total.up, downMs: total.down, unknownMs: total.unknown }
  })
}

function spansOf({ kind, events, gaps, before }: Watched): Span[] {
  let spans: Span[] = []
  let [fromMs, condition] = [0, before as Condition]
  for (const event of events) {
    spans.push({ fromMs, toMs: event.atMs, condition })
    fromMs = event.atMs
    condition = conditionOf(kind, event)
  }
  spans.push({ fromMs, toMs: Number.MAX_SAFE_INTEGER, condition })
  for (const gap of gaps) {
    const unknown = unknownIn(kind, events, gap)
    if (unknown !== null)
      spans = changed(spans, unknown, (was) => (was === 'off' ? was : 'unknown'))
  }
  for (const event of events) {
    if (event.kind !== 'reachable' || event.sinceMs === null) continue
    const held = conditionOf(kind, event)
    const place = { fromMs: event.sinceMs, toMs: event.atMs }
    spans = changed(spans, place, (was) => (was === 'unknown' ? held : was))
  }
  return spans
}

function conditionOf(kind: ObservedKind, { kind: event, state }: ObjectEvent): Condition {
  if (event === 'up' || event === 'down' || event === 'off') return event
  if (event === 'unreachable') return kind === 'server' ? 'down' : 'unknown'
  return state === 'up' || state === 'down' || state === 'off' ? state : 'unknown'
}

/** The part of a gap in which the condition is unknown; null for none. */
function unknownIn(
  kind: ObservedKind,
  events: readonly ObjectEvent[],
  gap: ObjectEvent,
): Day | null {
  const fromMs = gap.sinceMs ?? gap.atMs
  const next = events.find(({ atMs }) => atMs > fromMs)
  if (next !== undefined && next.atMs <= gap.atMs) return { fromMs, toMs: next.atMs }
  if (gap.kind === 'omitted') return null
  // Its first event after the gap differs: it changed at an unknown time within the gap.
  if (next !== undefined && next.atMs - gap.atMs < HEARD_WITHIN_MS) {
    return { fromMs, toMs: next.atMs }
  }
  return isWatchedByHost(kind) ? null : { fromMs, toMs: gap.atMs }
}

function changed(
  spans: readonly Span[],
  { fromMs, toMs }: Day,
  change: (was: Condition) => Condition,
): Span[] {
  return spans.flatMap((span) => {
    const [from, to] = [Math.max(span.fromMs, fromMs), Math.min(span.toMs, toMs)]
    if (from >= to) return [span]
    return [
      { ...span, toMs: from },
      { fromMs: from, toMs: to, condition: change(span.condition) },
      { ...span, fromMs: to },
    ].filter((part) => part.fromMs < part.toMs)
  })
}

/** So many days up to now, the newest first; today ends now. */
export function daysUntil(nowMs: number, count: number, aheadOfUtcMs: number): Day[] {
  const todayMs = Math.floor((nowMs + aheadOfUtcMs) / DAY_MS) * DAY_MS - aheadOfUtcMs
  return Array.from({ length: count }, (_, ago) => {
    const fromMs = todayMs - ago * DAY_MS
    return { fromMs, toMs: Math.min(nowMs, fromMs + DAY_MS) }
  })
}
