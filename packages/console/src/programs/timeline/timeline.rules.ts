/** What a line of a timeline reads, and how lines are filtered and put under their days. Pure. */
import { HOUR_MS } from '@trunkline/contract/durations'
import {
  EVENT_KINDS,
  type EventKind,
  type TimelineEvent,
} from '@trunkline/contract/events/event.schema'
import { eventDetail, eventText } from '@trunkline/contract/events/event-text.rules'
import type { ProgramStatus, StreamStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Family, Shape } from '@trunkline/contract/fleet/state-view.rules'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { clockDateText, clockExactText, durationText } from '../../shared/format.ts'
import { DATE_LOCALE } from '../../lib/locale/language.ts'

export const TIMELINE_FILTERS = [
  'all',
  'states',
  'peer',
  'source',
  'air',
  'schedules',
  'changes',
  'alarms',
  'gaps',
] as const
export type TimelineFilter = (typeof TIMELINE_FILTERS)[number]

export const FILTER_LABELS: Readonly<Record<TimelineFilter, string>> = {
  all: 'All events',
  states: 'States',
  peer: 'Peer',
  source: 'Sources',
  air: 'On air',
  schedules: 'Schedules',
  changes: 'Changes and commands',
  alarms: 'Alarms',
  gaps: 'Not recorded',
}

const FILTER_KINDS: Readonly<Record<TimelineFilter, readonly EventKind[]>> = {
  all: EVENT_KINDS,
  states: ['up', 'down', 'off', 'unreachable', 'reachable', 'restarted'],
  peer: ['connected', 'disconnected'],
  source: ['source'],
  air: ['air'],
  schedules: ['schedule'],
  changes: ['saved', 'command'],
  alarms: ['alarm'],
  gaps: ['unwatched', 'omitted'],
}

/** As the call takes them; '' for all. */
export function kindsOf(filter: TimelineFilter): string {
  return filter === 'all' ? '' : FILTER_KINDS[filter].join(',')
}

/** Only a link has a peer, only a channel sources, and nobody's deeds name a feeder. Of the console there are alarms alone. */
export function filtersOf(kind: ObservedKind): readonly TimelineFilter[] {
  if (kind === 'console') return ['all']
  return TIMELINE_FILTERS.filter((filter) => {
    if (filter === 'peer') return kind === 'feeder' || kind === 'input' || kind === 'output'
    if (filter === 'source') return kind === 'channel'
    if (filter === 'air' || filter === 'schedules') return kind !== 'server'
    return filter !== 'changes' || kind !== 'feeder'
  })
}

export const TIMELINE_SPANS = ['all', '1h', '24h', '7d'] as const
export type TimelineSpan = (typeof TIMELINE_SPANS)[number]

export const SPAN_LABELS: Readonly<Record<TimelineSpan, string>> = {
  all: 'All times',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
}

const SPAN_MS: Readonly<Record<Exclude<TimelineSpan, 'all'>, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
}

/** Where the span begins, as the call takes it; '' for all. */
export function spanFrom(span: TimelineSpan, nowMs: number): string {
  return span === 'all' ? '' : new Date(nowMs - SPAN_MS[span]).toISOString()
}

export interface EventView {
  shape: Shape
  family: Family
  text: string
  /** Why, or more about it; '' for nothing. */
  detail: string
  /** Who did it; '' for nobody, or where that is not shown. */
  by: string
}

const LOOKS: Readonly<Record<EventKind, Pick<EventView, 'shape' | 'family'>>> = {
  up: { shape: 'disc', family: 'ok' },
  down: { shape: 'octagon', family: 'bad' },
  off: { shape: 'square', family: 'off' },
  unreachable: { shape: 'diamond-x', family: 'blind' },
  reachable: { shape: 'disc', family: 'ok' },
  connected: { shape: 'disc', family: 'ok' },
  disconnected: { shape: 'half-disc', family: 'warn' },
  restarted: { shape: 'triangle', family: 'warn' },
  source: { shape: 'arc', family: 'move' },
  air: { shape: 'disc', family: 'ok' },
  schedule: { shape: 'ring-dashed', family: 'off' },
  saved: { shape: 'ring-dashed', family: 'off' },
  command: { shape: 'ring-dashed', family: 'off' },
  alarm: { shape: 'octagon', family: 'bad' },
  unwatched: { shape: 'diamond-question', family: 'blind' },
  omitted: { shape: 'diamond-question', family: 'blind' },
}

export function eventView(kind: ObservedKind, event: TimelineEvent): EventView {
  const { actor: by } = event
  return {
    ...lookOf(event),
    text: eventText(kind, event, durationText),
    detail: eventDetail(event),
    by,
  }
}

function lookOf({ kind, state, result }: TimelineEvent): Pick<EventView, 'shape' | 'family'> {
  if (result === 'failed') return { shape: 'octagon', family: 'bad' }
  if (kind === 'alarm' && state !== 'raised') {
    return state === 'cleared' ? LOOKS.up : LOOKS.command
  }
  if (kind === 'air' && state === 'off') return LOOKS.off
  if (kind === 'schedule' && !state.endsWith('done')) return LOOKS.disconnected
  const isBackWith = kind === 'reachable' && (state === 'down' || state === 'off')
  return LOOKS[isBackWith ? state : kind]
}

export interface TimelineDay {
  /** '2026-11-25'. */
  day: string
  events: readonly TimelineEvent[]
}

/** Newest first, by day. */
export function byDay(events: readonly TimelineEvent[]): TimelineDay[] {
  const days = Map.groupBy(events, ({ at }) => clockDateText(Date.parse(at)))
  return [...days].map(([day, some]) => ({ day, events: some }))
}

/** 'Today', 'Yesterday', 'Wed 25 Nov 2026'. */
export function dayText(day: string, nowMs: number): string {
  const today = Date.parse(clockDateText(nowMs))
  const ago = (today - Date.parse(day)) / (24 * HOUR_MS)
  if (ago === 0) return 'Today'
  if (ago === 1) return 'Yesterday'
  return new Date(day)
    .toLocaleDateString(DATE_LOCALE, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    })
    .replace(',', '')
}

/** '2026-11-25 14:02:37.123 UTC', of a span both its ends. */
export function exactText({ at, since, kind }: TimelineEvent): string {
  const exact = (time: string) => clockExactText(Date.parse(time))
  const isSpan = since !== null && (kind === 'unwatched' || kind === 'omitted')
  return isSpan ? `${exact(since)} to ${exact(at)}` : exact(at)
}

/** What of a program makes an event when it changes. */
export function cueOfProgram(status: ProgramStatus | null): string {
  if (status === null) return ''
  const { state, wanted, pid, peer, restarts } = status
  return [state, wanted, pid, peer, restarts].join(' ')
}

export function cueOfStream(stream: StreamStatus['stream']): string {
  if (stream === null) return ''
  const source = stream.inputs.findIndex(({ stats }) => stats?.active === true)
  return [stream.disabled, stream.stats.alive, source].join(' ')
}
