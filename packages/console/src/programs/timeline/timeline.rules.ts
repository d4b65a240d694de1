/** What a line of a timeline reads, and how lines are filtered and put under their days. Pure. */
import { HOUR_MS } from '@trunkline/contract/durations'
import {
  EVENT_KINDS,
  type EventKind,
  type TimelineEvent,
} from '@trunkline/contract/events/event.schema'
import type { ProgramStatus, StreamStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Family, Shape } from '@trunkline/contract/fleet/state-view.rules'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import {
  DISABLE_WORDS,
  ENABLE_WORDS,
  wordsOfCall,
  wordsOfCommand,
} from '../../shared/activity/activity.messages.ts'
import { clockExactText, durationText } from '../../shared/format.ts'
import { DATE_LOCALE } from '../../lib/locale/language.ts'
import { clockIso } from '../../lib/locale/time-zone.ts'

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
  return { ...lookOf(event), text: textOf(kind, event), detail: detailOf(event), by }
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

const STATE_WORDS: Readonly<Record<string, string>> = {
  up: 'running',
  down: 'not running',
  off: 'stopped',
}

function textOf(object: ObservedKind, event: TimelineEvent): string {
  const { kind, state } = event
  switch (kind) {
    case 'up':
      return object === 'server' ? 'Reachable' : object === 'channel' ? 'Live' : 'Running'
    case 'down':
      return object === 'channel' ? 'No media' : 'Down'
    case 'off':
      return object === 'channel' ? 'Switched off' : 'Stopped'
    case 'unreachable':
      return object === 'server' ? 'Unreachable' : 'Host unreachable'
    case 'reachable': {
      if (object === 'server') return 'Reachable again'
      const word = object === 'channel' && state === 'up' ? 'live' : STATE_WORDS[state]
      return word === undefined ? 'Host reachable again' : `Host reachable again, ${word}`
    }
    case 'connected':
      return state === '' ? 'Peer connected' : `Peer connected: ${state}`
    case 'disconnected':
      return 'Peer disconnected'
    case 'restarted':
      return `Unexpected restart, ${state} since the last command`
    case 'source':
      return `Switched to source ${state}`
    case 'air':
      return state === 'on' ? 'On air' : 'Off air'
    case 'schedule':
      return `Scheduled ${scheduledText(state)}`
    case 'alarm':
      return `Alarm ${ALARM_WORDS[state] ?? state}`
    case 'unwatched':
      return `Not watched${lengthOf(event)}`
    case 'omitted':
      return `${state} more events${lengthOf(event)}`
    case 'saved':
    case 'command':
      return deedText(object, event)
  }
}

const ALARM_WORDS: Readonly<Record<string, string>> = {
  raised: 'raised',
  cleared: 'cleared',
  acknowledged: 'acknowledged',
}

const COMMAND_WORDS: Readonly<Record<string, string>> = {
  start: 'start',
  stop: 'stop',
  restart: 'restart',
  switch: 'switch',
}

const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  running: 'running',
  done: 'done',
  failed: 'failed',
  refused: 'refused',
  missed: 'missed',
}

/** 'stop missed': a command and how it went. */
function scheduledText(state: string): string {
  const [command = '', outcome = ''] = state.split(' ')
  return `${COMMAND_WORDS[command] ?? command} ${OUTCOME_WORDS[outcome] ?? outcome}`.trim()
}

function lengthOf({ at, since }: TimelineEvent): string {
  if (since === null) return ''
  return ` for ${durationText(Date.parse(at) - Date.parse(since))}`
}

/** A feeder has no record of its own: its commands are the encoder's. */
function deedText(object: ObservedKind, { state, call, result }: TimelineEvent): string {
  const at = result === 'done' ? 0 : 1
  const enabling = { enable: ENABLE_WORDS, disable: DISABLE_WORDS }[state]
  const words = enabling ?? wordsOfCommand(state) ?? wordsOfCall(call)
  const whose = object === 'encoder' && call === 'contributions.action' ? ' feeder' : ''
  const text = `${words?.[at] ?? call}${whose}`
  return result === 'done' ? text : `${text}: failed`
}

function detailOf({ kind, cause }: TimelineEvent): string {
  if (kind === 'unwatched') return 'Trunkline was not running.'
  if (kind === 'omitted') return 'Only the first events of a minute are kept.'
  return cause
}

export interface TimelineDay {
  /** '2026-11-25'. */
  day: string
  events: readonly TimelineEvent[]
}

/** Newest first, by day. */
export function byDay(events: readonly TimelineEvent[]): TimelineDay[] {
  const days = Map.groupBy(events, ({ at }) => dayOf(Date.parse(at)))
  return [...days].map(([day, some]) => ({ day, events: some }))
}

function dayOf(atMs: number): string {
  return clockIso(atMs).slice(0, 10)
}

/** 'Today', 'Yesterday', 'Wed 25 Nov 2026'. */
export function dayText(day: string, nowMs: number): string {
  const today = Date.parse(dayOf(nowMs))
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
