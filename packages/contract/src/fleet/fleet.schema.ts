/** The live events about the fleet for a browser, and the Server-Sent Events that carry it. */
import { z } from 'zod'
import { OpenAlarms } from '../alarms/open-alarms.schema.ts'
import { StreamDetail } from '../channels/stream.schema.ts'
import { OnAirMarks } from '../on-air/on-air.schema.ts'
import { ProgramState } from '../program-state.ts'
import { wholeNumber } from '../text.schema.ts'
import { Observed } from './observed.schema.ts'
import { Reading } from './reading.schema.ts'
import { FAMILIES } from './state-view.rules.ts'
import { TransportReport } from './transport.schema.ts'
import { WATCHED_AT_MOST } from './watch-key.rules.ts'
import { Sentence } from '../sentence.schema.ts'

export const PROGRAM_KINDS = ['encoder', 'feeder', 'input', 'output'] as const
export const ProgramKind = z.enum(PROGRAM_KINDS)
export type ProgramKind = z.infer<typeof ProgramKind>

/** Observed and wanted state of one encoder, feeder, input or output. Times: milliseconds since 1970, API clock. */
export const ProgramStatus = z.object({
  kind: ProgramKind,
  /** The object's id; a feeder's is its name. */
  id: z.string(),
  state: ProgramState,
  wanted: z.enum(['running', 'stopped']),
  /** When this state began; null where nobody saw that, as of one that has never run. */
  sinceMs: z.number().nullable(),
  /** When the running process started; null while none runs. */
  startedAtMs: z.number().nullable(),
  pid: z.number().nullable(),
  /** Why it is not well, in the words of its log, redacted; '' when all is well. */
  cause: Sentence,
  /** Deaths nobody asked for since the last command by a person. */
  restarts: z.number(),
  peer: z.enum(['connected', 'disconnected', '']),
  /** The far end, the media and a warning, each with its own beginning; null while no process runs. */
  observed: Observed.nullable(),
  reading: Reading.nullable(),
  /** The host has not taken the saved settings yet (it is away). */
  waitsForHost: z.boolean(),
  /** The running process was started with older settings than the saved ones. */
  waitsForRestart: z.boolean(),
  /** What somebody changed on the host itself, a sentence; '' for nothing. A restart puts it right. */
  changedByHand: Sentence,
  /** When the host last confirmed this; null when it never did. */
  readAtMs: z.number().nullable(),
})
export type ProgramStatus = z.infer<typeof ProgramStatus>

/**
 * refused: no connection, whatever stands in its way. certificate: one of the two ends does not take
 * the certificate of the other, or the host was revoked. not-connected: a host that opens the
 * connection by itself has not, or has lost it.
 */
export const HostFaultKind = z.enum([
  'refused',
  'timeout',
  'wrong-key',
  'not-an-agent',
  'certificate',
  'not-connected',
])
export type HostFaultKind = z.infer<typeof HostFaultKind>

/** Of a host that answers. */
export const HostProblem = z.object({
  /** command-lines-readable is a notice, for admin-level only: nothing is broken. */
  kind: z.enum([
    'disk-low',
    'disk-full',
    'disk-unreadable',
    'supervisor-silent',
    'supervisor-lost',
    'command-lines-readable',
  ]),
  /** What is wrong, what it means for programs there, what to do. */
  sentence: Sentence,
})
export type HostProblem = z.infer<typeof HostProblem>

export const HostKind = z.enum(['server', 'encoder'])
export type HostKind = z.infer<typeof HostKind>

export const HostStatus = z.object({
  /** Server id, or encoder id for an encoder's host. */
  id: z.string(),
  kind: HostKind,
  online: z.boolean(),
  sinceMs: z.number(),
  /** When this host last answered, API clock; null: never since the API started. */
  heardAtMs: z.number().nullable(),
  /** `cause` in one word, for a row of a table; null when online. Admin-level only, else null. */
  fault: HostFaultKind.nullable(),
  /** Why it is away, a sentence; '' when online. Admin-level only, else ''. */
  cause: Sentence,
  /** Absent while there is none, and of a host that does not answer. The worst one where there are several. */
  problem: HostProblem.optional(),
  /**
   * Whether the connection to the host's agent is encrypted. Admin-level only; absent for others, and
   * of a media server, whose address says it.
   */
  isEncrypted: z.boolean().optional(),
})
export type HostStatus = z.infer<typeof HostStatus>

/** A channel's stream as its media server last answered; `stream` null when it did not. */
export const StreamStatus = z.object({
  serverId: z.string(),
  streamName: z.string(),
  stream: StreamDetail.nullable(),
  readAtMs: z.number().nullable(),
  /** Why there is no stream: the server is silent, or knows no such stream. '' otherwise. */
  cause: Sentence,
})
export type StreamStatus = z.infer<typeof StreamStatus>

/** A death nobody asked for. Never coalesced away (decisions.md 20). */
export const RestartRecord = z.object({
  kind: ProgramKind,
  id: z.string(),
  atMs: z.number(),
  restarts: z.number(),
  cause: Sentence,
})
export type RestartRecord = z.infer<typeof RestartRecord>

/** The transport stream of one link; null while nothing has been measured, as of one that does not run. */
export const TransportStatus = z.object({
  kind: ProgramKind,
  id: z.string(),
  report: TransportReport.nullable(),
})
export type TransportStatus = z.infer<typeof TransportStatus>

export const OBJECT_KINDS = [
  'user',
  'group',
  'server',
  'encoder',
  'encoderTemplate',
  'channel',
  'input',
  'output',
  'destination',
  'maintenance',
  'alarmOverride',
  'notificationRule',
  'backup',
  'apiToken',
  'schedule',
] as const
export const ObjectKind = z.enum(OBJECT_KINDS)
export type ObjectKind = z.infer<typeof ObjectKind>

/** Everything this user may see, for clients that do not watch. */
export const LiveSnapshot = z.object({
  atMs: z.number(),
  programs: z.array(ProgramStatus),
  hosts: z.array(HostStatus),
  streams: z.array(StreamStatus),
})
export type LiveSnapshot = z.infer<typeof LiveSnapshot>

/** all: every program, stream and server together; a program that nobody wants to run is off. */
export const CountedKind = z.enum([...PROGRAM_KINDS, 'all'])
export type CountedKind = z.infer<typeof CountedKind>

export const WORST_LISTED = 8

/** How many of a kind are in which state, of those that this person may see. */
export const FleetCounts = z.object({
  kind: CountedKind,
  /** Of this group; '' for all groups. */
  group: z.string(),
  families: z.record(z.enum(FAMILIES), z.number()),
  total: z.number(),
  /** Ids of those that need attention, worst first; none for 'all', whose ids are of several kinds. */
  worst: z.array(z.string()).max(WORST_LISTED),
})
export type FleetCounts = z.infer<typeof FleetCounts>

/** What its viewer may see no longer: it is gone, or other people's. */
export const UnseenThings = z.object({
  programs: z.array(ProgramStatus.pick({ kind: true, id: true })),
  hosts: z.array(HostStatus.pick({ kind: true, id: true })),
  streams: z.array(StreamStatus.pick({ serverId: true, streamName: true })),
})
export type UnseenThings = z.infer<typeof UnseenThings>

const LONGEST_KEY = 400

/**
 * What a browser shows, all of it each time, so that the two ends cannot come to differ. Keys are
 * those of watch-key.rules.ts; one that the API does not know, or whose thing this person may not
 * see, brings nothing. An older set that comes late is passed over by its sequence.
 */
export const WatchedSet = z.object({
  sequence: wholeNumber(0, Number.MAX_SAFE_INTEGER, 'must be a whole number.'),
  keys: z.array(z.string().max(LONGEST_KEY)).max(WATCHED_AT_MOST),
})
export type WatchedSet = z.infer<typeof WatchedSet>

/**
 * The events of `POST /api/live`, whose body is the first WatchedSet. SSE `event:` is the type,
 * `data:` the JSON of the object's `data`.
 * - hello: first; `connection` is named when the set changes
 * - program, transport, host, stream, counts, alarms, air: replaces what was known of that one; sent when it begins to be
 *   watched, and whenever it changes
 * - watching: all that is known of this set has been sent; of a key without an event there is
 *   nothing that this person may see
 * - unseen: these are to be forgotten; they come again when they may be seen again
 * - restart: a death nobody asked for, of a program that is watched
 * - object: a record was added, changed or removed by somebody; lists of that kind are stale; id ''
 *   for any of them
 * - beat: every 2 s, so that a silent connection is known to be broken
 * - gone: the session was revoked; sign in again
 */
export const LiveEvent = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('hello'),
    data: z.object({ atMs: z.number(), connection: z.string() }),
  }),
  z.object({ event: z.literal('program'), data: ProgramStatus }),
  z.object({ event: z.literal('transport'), data: TransportStatus }),
  z.object({ event: z.literal('host'), data: HostStatus }),
  z.object({ event: z.literal('stream'), data: StreamStatus }),
  z.object({ event: z.literal('counts'), data: FleetCounts }),
  z.object({ event: z.literal('alarms'), data: OpenAlarms }),
  z.object({ event: z.literal('air'), data: OnAirMarks }),
  z.object({ event: z.literal('watching'), data: WatchedSet.pick({ sequence: true }) }),
  z.object({ event: z.literal('unseen'), data: UnseenThings }),
  z.object({ event: z.literal('restart'), data: RestartRecord }),
  z.object({
    event: z.literal('object'),
    data: z.object({
      kind: ObjectKind,
      id: z.string(),
      change: z.enum(['added', 'changed', 'removed']),
    }),
  }),
  z.object({ event: z.literal('beat'), data: z.object({ atMs: z.number() }) }),
  z.object({ event: z.literal('gone'), data: z.object({ error: Sentence }) }),
])
export type LiveEvent = z.infer<typeof LiveEvent>

export const LIVE_PATH = '/api/live'
export const LIVE_BEAT_MS = 2000
/** Of a whole set, in bytes. */
export const WATCHED_BODY_LIMIT = 1024 * 1024
