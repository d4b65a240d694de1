/**
 * What the API asks of a host about its programs. Typed configuration only: no command line
 * crosses the network. The agent refuses what it does not know.
 */
import { z } from 'zod'
import { AdvancedParameters } from '../contributions/link.schema.ts'
import { EncoderConfig } from '../encoders/encoder-config.schema.ts'
import { ProgramState } from '../program-state.ts'
import { Observed } from '../fleet/observed.schema.ts'
import { Reading } from '../fleet/reading.schema.ts'
import { TransportMinute } from '../fleet/transport-history.schema.ts'
import { HostName, Ipv4, Passphrase, Port, RemotePort, HostText } from '../text.schema.ts'

/** The only text of ours that stands in a supervisord file. */
export const ProgramId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/)
export type ProgramId = z.infer<typeof ProgramId>

const TRANSPORT_RUN_CHARACTERS = 80
export const TRANSPORT_MINUTES_AT_ONCE = 500
/** Of a column of 32 bits. */
const MAX_INTEGER = 2 ** 31 - 1

const Key = z.object({ passphrase: Passphrase, bits: z.union([z.literal(128), z.literal(256)]) })

/** A leg on the host itself: a multicast group or a loopback address, and the port. */
export const LocalLeg = z.strictObject({
  ip: Ipv4,
  port: Port,
  ttl: z.number().int().min(0).max(255),
})
export type LocalLeg = z.infer<typeof LocalLeg>

const outerLeg = {
  mode: z.enum(['listen', 'call']),
  /** Listen: our address, '' for any. Call: the other end. */
  host: z.union([z.literal(''), HostName]),
  port: RemotePort,
  /** Outer adapter's IP, '' for any. */
  adapterIp: z.union([z.literal(''), Ipv4]),
  key: Key.nullable(),
}
export const SrtLeg = z.strictObject({
  protocol: z.literal('srt'),
  ...outerLeg,
  latencyMs: z.number().int(),
  maxBandwidthBytes: z.number().int(),
  advanced: AdvancedParameters,
})
export type SrtLeg = z.infer<typeof SrtLeg>
export const RistLeg = z.strictObject({
  protocol: z.literal('rist'),
  ...outerLeg,
  profile: z.enum(['simple', 'main']),
  bufferMs: z.number().int(),
  bandwidthKbps: z.number().int(),
  reorderBufferMs: z.number().int().nullable(),
  rttMinMs: z.number().int().nullable(),
  statIntervalMs: z.number().int(),
  /** The same packets once more on another way; callers only. */
  secondPath: z
    .strictObject({ host: HostName, port: RemotePort, adapterIp: z.union([z.literal(''), Ipv4]) })
    .optional(),
})
export type RistLeg = z.infer<typeof RistLeg>
export const Leg = z
  .discriminatedUnion('protocol', [SrtLeg, RistLeg])
  .refine((leg) => leg.mode === 'call' || Port.safeParse(leg.port).success, {
    path: ['port'],
    message: 'must be a port between 1024 and 65535: the tools listen without root.',
  })
export type Leg = z.infer<typeof Leg>

export const ProgramSpec = z.discriminatedUnion('kind', [
  /** `feederLegs`: where feeders of this encoder read, beside the configured outputs. */
  z.strictObject({
    kind: z.literal('encoder'),
    config: EncoderConfig,
    feederLegs: z.array(LocalLeg),
  }),
  /** Reads `local`, sends over `outer`. Feeders and outputs. */
  z.strictObject({ kind: z.literal('sender'), local: LocalLeg, outer: Leg }),
  /** Receives over `outer`, re-emits on `local`. Inputs. */
  z.strictObject({ kind: z.literal('receiver'), local: LocalLeg, outer: Leg }),
])
export type ProgramSpec = z.infer<typeof ProgramSpec>

export const Wanted = z.enum(['running', 'stopped'])

/** A program as its host sees it now. Times: milliseconds since 1970, host clock. */
export const ProgramReport = z.object({
  programId: ProgramId,
  /** 'starting' also between the two processes of a commanded restart. */
  state: ProgramState,
  wanted: Wanted,
  /** When this state began; null of one that has never run, or whose end nobody saw. */
  sinceMs: z.number().nullable(),
  startedAtMs: z.number().nullable(),
  pid: z.number().nullable(),
  cause: HostText,
  restarts: z.number(),
  /** How often its far end could not be reached, or was lost, since it was there last. */
  retries: z.number().optional(),
  /** False of what sends to nobody in particular, or reads what anybody sends. */
  hasFarEnd: z.boolean().default(false),
  /** '' until it has come for the first time since the process started. */
  peer: z.enum(['connected', 'disconnected', '']),
  /** Null while no process runs. */
  observed: Observed.nullable().default(null),
  /** Revision of the spec in the unit file, and of the one the running process was started with. */
  appliedRevision: z.string(),
  runningRevision: z.string(),
  /** What somebody changed on the host itself, an operator's sentence; '' for nothing. */
  changedByHand: z.string().default(''),
  /** What is no reading is none: the host itself and its other programs are known all the same. */
  reading: Reading.nullable().catch(null),
})
export type ProgramReport = z.infer<typeof ProgramReport>

/**
 * Writes the program's unit; a running process keeps its old command until it is restarted.
 * `wanted` sets autostart; when it is 'running' and the program is not, it is started. Answers at
 * once with the report. Fails with 'refused' and an operator's sentence, changing nothing.
 */
export const ApplyProgram = z.strictObject({
  programId: ProgramId,
  revision: z.string().max(64),
  spec: ProgramSpec,
  wanted: Wanted,
})
/** Answers when the final state is reached, or after 2 s with 'starting' or 'stopping'. */
export const ControlProgram = z.strictObject({
  programId: ProgramId,
  command: z.enum(['start', 'stop', 'restart']),
})
export const RemoveProgram = z.strictObject({ programId: ProgramId })
/** The last `lines` lines of its log, each begun by its time in UTC, redacted; RIST events rewritten to connected/disconnected (M7). */
export const TailProgram = z.strictObject({
  programId: ProgramId,
  lines: z.number().int().min(1).max(1000),
})
/**
 * Measures the transport streams of these links without gaps for the next `forMs`; asked again while
 * somebody looks. `followed` in the answer: how many of them are, since a host follows only some at
 * once. Those that it does not have are passed over.
 */
export const FollowTransports = z.strictObject({
  programIds: z.array(ProgramId).max(100),
  forMs: z.number().int().min(0).max(60_000),
})
/**
 * What was counted of the transport streams of links since: minutes that are over, each with a number
 * that grows. `run`: of this agent since its start, as in its last answer; of another run, or null,
 * none are answered, only what the run is called.
 */
export const ReadTransportMinutes = z.strictObject({
  run: z.string().max(TRANSPORT_RUN_CHARACTERS).nullable(),
  /** The highest number that is stored already; 0: none is. */
  after: z.number().int().min(0),
})
export const TransportMinutes = z.object({
  run: z.string().min(1).max(TRANSPORT_RUN_CHARACTERS),
  /** All up to this number are answered, or not kept any more. */
  upTo: z.number().int().min(0).max(MAX_INTEGER),
  hasMore: z.boolean(),
  /** One that is invalid does not affect the others. */
  minutes: z
    .array(TransportMinute.extend({ programId: ProgramId }).nullable().catch(null))
    .max(TRANSPORT_MINUTES_AT_ONCE)
    .transform((minutes) => minutes.filter((minute) => minute !== null)),
})
export type TransportMinutes = z.infer<typeof TransportMinutes>

/** The picture of an encoder, when there is one taken after `newerThanMs`. */
export const ReadThumbnail = z.strictObject({ programId: ProgramId, newerThanMs: z.number() })
export const Thumbnail = z.object({
  /** At most 320 pixels wide. */
  jpegBase64: z.string().max(200_000),
  takenAtMs: z.number(),
})
export type Thumbnail = z.infer<typeof Thumbnail>
export const ThumbnailAnswer = z.object({ picture: Thumbnail.nullable() })
export const TailAnswer = z.object({ lines: z.array(z.string()) })
