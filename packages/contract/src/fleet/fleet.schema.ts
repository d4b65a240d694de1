/** What a browser is told live about the fleet, and the Server-Sent Events that carry it. */
import { z } from 'zod'
import { StreamDetail } from '../channels/stream.schema.ts'
import { ProgramState } from '../program-state.ts'
import { Observed } from './observed.schema.ts'
import { Reading } from './reading.schema.ts'

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
  cause: z.string(),
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
  changedByHand: z.string(),
  /** When the host last confirmed this; null when it never did. */
  readAtMs: z.number().nullable(),
})
export type ProgramStatus = z.infer<typeof ProgramStatus>

/** refused: no connection, whatever stands in its way. */
export const HostFaultKind = z.enum(['refused', 'timeout', 'wrong-key', 'not-an-agent'])
export type HostFaultKind = z.infer<typeof HostFaultKind>

/** Of a host that answers. */
export const HostProblem = z.object({
  /** command-lines-readable is a notice, for admin-level only: nothing is broken. */
  kind: z.enum([
    'disk-low',
    'disk-full',
    'disk-unreadable',
    'supervisor-silent',
    'command-lines-readable',
  ]),
  /** What is wrong, what it means for programs there, what to do. */
  sentence: z.string(),
})
export type HostProblem = z.infer<typeof HostProblem>

export const HostStatus = z.object({
  /** Server id, or encoder id for an encoder's host. */
  id: z.string(),
  kind: z.enum(['server', 'encoder']),
  online: z.boolean(),
  sinceMs: z.number(),
  /** When this host last answered, API clock; null: never since the API started. */
  heardAtMs: z.number().nullable(),
  /** `cause` in one word, for a row of a table; null when online. Admin-level only, else null. */
  fault: HostFaultKind.nullable(),
  /** Why it is away, a sentence; '' when online. Admin-level only, else ''. */
  cause: z.string(),
  /** Absent while there is none, and of a host that does not answer. The worst one where there are several. */
  problem: HostProblem.optional(),
})
export type HostStatus = z.infer<typeof HostStatus>

/** A channel's stream as its media server last answered; `stream` null when it did not. */
export const StreamStatus = z.object({
  serverId: z.string(),
  streamName: z.string(),
  stream: StreamDetail.nullable(),
  readAtMs: z.number().nullable(),
  /** Why there is no stream: the server is silent, or knows no such stream. '' otherwise. */
  cause: z.string(),
})
export type StreamStatus = z.infer<typeof StreamStatus>

/** A death nobody asked for. Never coalesced away (decisions.md 20). */
export const RestartRecord = z.object({
  kind: ProgramKind,
  id: z.string(),
  atMs: z.number(),
  restarts: z.number(),
  cause: z.string(),
})
export type RestartRecord = z.infer<typeof RestartRecord>

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
] as const
export const ObjectKind = z.enum(OBJECT_KINDS)
export type ObjectKind = z.infer<typeof ObjectKind>

/** Everything this user may see, sent first on every connection. */
export const LiveSnapshot = z.object({
  atMs: z.number(),
  programs: z.array(ProgramStatus),
  hosts: z.array(HostStatus),
  streams: z.array(StreamStatus),
})
export type LiveSnapshot = z.infer<typeof LiveSnapshot>

/** What its viewer may see no longer: it is gone, or other people's. */
export const UnseenThings = z.object({
  programs: z.array(ProgramStatus.pick({ kind: true, id: true })),
  hosts: z.array(HostStatus.pick({ kind: true, id: true })),
  streams: z.array(StreamStatus.pick({ serverId: true, streamName: true })),
})
export type UnseenThings = z.infer<typeof UnseenThings>

/**
 * The events of `GET /api/live`. SSE `event:` is the type, `data:` the JSON of the object's `data`.
 * - program, host, stream: replaces the known status of that id
 * - unseen: these are to be forgotten
 * - restart: a death nobody asked for
 * - object: a record was added, changed or removed by somebody; lists of that kind are stale
 * - beat: every 2 s, so that a silent connection is known to be broken
 * - gone: the session was revoked; sign in again
 */
export const LiveEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('snapshot'), data: LiveSnapshot }),
  z.object({ event: z.literal('program'), data: ProgramStatus }),
  z.object({ event: z.literal('host'), data: HostStatus }),
  z.object({ event: z.literal('stream'), data: StreamStatus }),
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
  z.object({ event: z.literal('gone'), data: z.object({ error: z.string() }) }),
])
export type LiveEvent = z.infer<typeof LiveEvent>

export const LIVE_PATH = '/api/live'
export const LIVE_BEAT_MS = 2000
