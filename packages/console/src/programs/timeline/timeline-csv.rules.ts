/** Events as CSV (RFC 4180), for a spreadsheet. Pure. */
import type { TimelineEvent } from '@trunkline/contract/events/event.schema'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { writeCsv } from '../../shared/csv/csv-file.rules.ts'
import { eventView } from './timeline.rules.ts'

const HEADS = [
  'time',
  'kind',
  'event',
  'state',
  'since',
  'cause',
  'call',
  'result',
  'actor',
  'object kind',
  'object',
  'object id',
] as const

export interface NamedObject {
  kind: ObservedKind
  id: string
  title: string
}

export function timelineCsv(object: NamedObject, events: readonly TimelineEvent[]): string {
  const rows = events.map((event) => [
    event.at,
    event.kind,
    eventView(object.kind, event).text,
    event.state,
    event.since ?? '',
    event.cause,
    event.call,
    event.call === '' ? '' : event.result,
    event.actor,
    object.kind,
    object.title,
    object.id,
  ])
  return writeCsv(HEADS, rows)
}

/** 'timeline-Marathon-km-30-2026-11-25.csv'. */
export function fileName(title: string, nowMs: number): string {
  const name = title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
  return `timeline-${name}-${new Date(nowMs).toISOString().slice(0, 10)}.csv`
}
