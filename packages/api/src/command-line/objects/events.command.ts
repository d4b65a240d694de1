/** `trunkline events`. */
import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'
import {
  HISTORY_AT_ONCE,
  listAlarmHistory,
  listAlarms,
} from '@trunkline/contract/alarms/alarm.calls'
import { type MakeCall, readAll } from '@trunkline/contract/as-text/site.client'
import { MINUTE_MS, SECOND_MS } from '@trunkline/contract/durations'
import { EVENTS_AT_ONCE, listEvents } from '@trunkline/contract/events/event.calls'
import { eventDetail, eventText } from '@trunkline/contract/events/event-text.rules'
import type { TimelineEvent } from '@trunkline/contract/events/event.schema'
import { SiteKind, type ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { clientConfig } from '../../config.ts'
import { makeApiCall } from '../api.client.ts'
import { COMMAND_NAME, readArguments, UsageFault, type Command } from '../command.ts'
import { follow } from './follow.ts'
import { findObject, type Listed } from './listed-objects.ts'

const OPTIONS = { json: { type: 'boolean' }, follow: { type: 'boolean' } } as const

export const eventsCommand: Command = {
  noun: 'events',
  help: `  ${COMMAND_NAME} events [<kind> <title or id>] [--follow] [--json]
      What has happened to an encoder, feeder, input, output, channel or server, the newest last; of the
      whole site its alarms, raised and cleared. --follow goes on until it is interrupted, also while
      the API is restarted. With --json each line is an object.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, OPTIONS)
    const call = makeApiCall(clientConfig(), [])
    const read = await readerOf(call, positionals)
    const print = (happened: Happened) => {
      process.stdout.write(
        `${values.json === true ? JSON.stringify(happened) : lineOf(happened)}\n`,
      )
    }
    if (values.follow !== true) {
      for (const happened of await read()) print(happened)
      return ''
    }
    const over = new AbortController()
    const end = () => over.abort()
    process.once('SIGINT', end).once('SIGTERM', end)
    const seen = new Set<string>()
    const printNew = async () => {
      for (const happened of await read()) {
        if (!seen.has(happened.id)) print(happened)
        seen.add(happened.id)
      }
    }
    await follow(printNew, (sentence) => process.stderr.write(`${sentence}\n`), over.signal)
    return ''
  },
}

/** Of a program, channel or server an event of its timeline; of the site an alarm, raised or cleared. */
interface Happened {
  id: string
  /** ISO 8601, UTC. */
  at: string
  /** For programs: its kind, and what belongs to it. */
  event: string
  /** For people, as the timeline of the console has it. */
  text: string
  object: { kind: ObservedKind; id: string; title: string }
  cause: string
  /** '' for nobody, and for those who may not read the record of activity. */
  actor: string
}

async function readerOf(
  call: MakeCall,
  [kind, name, ...more]: readonly string[],
): Promise<() => Promise<Happened[]>> {
  if (kind === undefined) return alarmReader(call)
  const { data: known } = SiteKind.safeParse(kind)
  if (known === undefined) {
    throw new UsageFault(`There is no kind '${kind}'. Kinds are ${SiteKind.options.join(', ')}.`)
  }
  if (name === undefined || more.length > 0) {
    throw new UsageFault(`Name one ${known}, by its title in quotes or by its id.`)
  }
  const object = await findObject(call, known, name)
  return async () => timelineOf(call, object)
}

/**
 * Alarms that are first causes, as they are raised and cleared, oldest first. Asked again it also
 * answers the end of those that were open before and are no longer among the newest.
 */
function alarmReader(call: MakeCall): () => Promise<Happened[]> {
  let open = new Map<string, Alarm>()
  return async () => {
    const { data } = await call(listAlarmHistory, { query: { limit: HISTORY_AT_ONCE } })
    const newest = data.filter(({ causedBy }) => causedBy === null)
    const ids = new Set(newest.map(({ id }) => id))
    const older = await readAgain(
      call,
      [...open.values()].filter(({ id }) => !ids.has(id)),
    )
    const alarms = [...older, ...newest]
    open = new Map(
      alarms.filter(({ clearedAt }) => clearedAt === null).map((each) => [each.id, each]),
    )
    return alarms.flatMap(raisedAndCleared).toSorted((a, b) => a.at.localeCompare(b.at))
  }
}

/** As they are now. Alarms of objects that were deleted are not answered any more. */
async function readAgain(call: MakeCall, older: readonly Alarm[]): Promise<Alarm[]> {
  if (older.length === 0) return []
  const stillOpen = await readAll(async (page, rowsPerPage) => {
    const { data, total } = await call(listAlarms, { query: { page, rowsPerPage } })
    return { rows: data, total }
  })
  const ids = new Set(stillOpen.map(({ id }) => id))
  const ended: Alarm[] = []
  for (const { id, kind, objectId } of older.filter((alarm) => !ids.has(alarm.id))) {
    const { data } = await call(listAlarmHistory, { query: { kind, id: objectId } })
    ended.push(...data.filter((alarm) => alarm.id === id))
  }
  return [...older.filter(({ id }) => ids.has(id)), ...ended]
}

function raisedAndCleared(alarm: Alarm): Happened[] {
  const { id, kind, objectId, title, severity, sentence, raisedAt, clearedAt } = alarm
  const common = { object: { kind, id: objectId, title }, cause: sentence, actor: '' }
  const raised = {
    ...common,
    id: `${id} raised`,
    at: raisedAt,
    event: `alarm raised ${severity}`,
    text: `Alarm raised, ${severity}`,
  }
  if (clearedAt === null) return [raised]
  const cleared = { event: 'alarm cleared', text: 'Alarm cleared' }
  return [raised, { ...common, id: `${id} cleared`, at: clearedAt, ...cleared }]
}

/** Oldest first. */
async function timelineOf(call: MakeCall, { kind, id, title }: Listed): Promise<Happened[]> {
  const query = { kind, id, limit: EVENTS_AT_ONCE }
  const { data } = await call(listEvents, { query })
  return data.toReversed().map((event) => ({
    id: event.id,
    at: event.at,
    event: wordsOf(event),
    text: eventText(kind, event, lengthText),
    object: { kind, id, title },
    cause: eventDetail(event),
    actor: event.actor,
  }))
}

function wordsOf({ kind, state, call, result }: TimelineEvent): string {
  return [kind, state, call, result === 'failed' ? 'failed' : ''].filter(Boolean).join(' ')
}

function lineOf({ at, text, object, cause, actor }: Happened): string {
  const by = actor === '' ? '' : `by ${actor}`
  return [at, `${object.kind} ${object.title}`, text, cause, by].filter(Boolean).join('  ')
}

/** '42 s', '1 h 02 min'. */
function lengthText(lengthMs: number): string {
  const minutes = Math.floor(lengthMs / MINUTE_MS)
  if (minutes === 0) return `${Math.round(lengthMs / SECOND_MS)} s`
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}
