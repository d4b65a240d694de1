/**
 * The WebSocket between the API and a host: the API dials `ws://host:port/link` with
 * `Authorization: Bearer <key of the record>`, or `wss://` with certificates once the host is enrolled,
 * and asks; the agent answers and tells. A host that cannot be dialled opens it from its side, to the
 * port for agents of the API; the messages are the same.
 */
import { z } from 'zod'
import { Reading } from '../fleet/reading.schema.ts'
import { TransportReport } from '../fleet/transport.schema.ts'
import { Ipv4, HostText } from '../text.schema.ts'
import { Capabilities } from './capability.schema.ts'
import { HostHealth } from './host-health.schema.ts'
import { CallLinkTest, LinkTestRef, LinkTestReport, OpenLinkTest } from './link-test.messages.ts'
import {
  ApplyProgram,
  ControlProgram,
  FollowTransports,
  ProgramId,
  ProgramReport,
  ReadThumbnail,
  ReadTransportMinutes,
  RemoveProgram,
  TailAnswer,
  TailProgram,
  ThumbnailAnswer,
  TransportMinutes,
} from './program.messages.ts'

export const LINK_PATH = '/link'
/**
 * Header of an agent's refusal over TLS: why it does not take the console's certificate, in a word of
 * Node's (`CERT_HAS_EXPIRED`), or TLS_ONLY; and `LINK_CLOCK_HEADER`, what its clock shows.
 */
export const LINK_REFUSAL_HEADER = 'trunkline-refusal'
export const LINK_CLOCK_HEADER = 'trunkline-clock-ms'
/** The host is enrolled, and was asked without TLS. */
export const TLS_ONLY = 'TLS_ONLY'
/** Close code for a wrong key, so that the API can tell it from a host that is down. */
export const CLOSE_WRONG_KEY = 4401
/** The seat is enrolled to connect to its console by itself, and takes no connections. */
export const DIALS_OUT = 'DIALS_OUT'
/** Refusal at the API's port for agents: another API process has this host. Try the next address. */
export const OTHER_PROCESS = 'OTHER_PROCESS'
/** Of a link that the host opened: a newer one of the same seat has taken its place. */
export const CLOSE_REPLACED = 4409
const NAME_CHARACTERS = 32
/**
 * The server name (SNI) by which a host that connects by itself asks for its console, before TLS is set up: the API
 * has places for those whose key it knows. It is sent in the clear, so it proves nothing.
 * `keyHash`: SHA-256 of its public key, hexadecimal.
 */
export function serverNameOf(keyHash: string): string {
  return `${keyHash.slice(0, NAME_CHARACTERS)}.agent.trunkline.invalid`
}
/** The agent pings at this pace; two missed answers end the link. */
export const LINK_BEAT_MS = 5000
/**
 * At this pace the agent sends a pong that nobody asked for (RFC 6455, 5.5.3: a heartbeat in one direction).
 * The API asks with a ping what has been silent for longer than that, as an older agent is in between.
 */
export const SIGN_OF_LIFE_MS = 1000

/** What may be asked, its parameters and its answer. */
export const hostCalls = {
  applyProgram: { params: ApplyProgram, answer: ProgramReport },
  controlProgram: { params: ControlProgram, answer: ProgramReport },
  removeProgram: { params: RemoveProgram, answer: z.object({ removed: z.boolean() }) },
  tailProgram: { params: TailProgram, answer: TailAnswer },
  readThumbnail: { params: ReadThumbnail, answer: ThumbnailAnswer },
  /** Only of a host whose capabilities say that it has the checks: an older one ends the link. */
  followTransports: { params: FollowTransports, answer: z.object({ followed: z.number() }) },
  /** Only of a host whose capabilities say that it counts them. */
  readTransportMinutes: { params: ReadTransportMinutes, answer: TransportMinutes },
  readCapabilities: { params: z.strictObject({}), answer: Capabilities },
  /**
   * `free`: no socket of this host has the UDP port. `groupFree`, when a group is named: no program of
   * this host has joined it. A host of an older version refuses the question with a group.
   */
  probePort: {
    params: z.strictObject({ port: z.number().int(), group: Ipv4.optional() }),
    answer: z.object({ free: z.boolean(), groupFree: z.boolean().optional() }),
  },
  /** These four only of a host whose capabilities say that it tests links. */
  openLinkTest: { params: OpenLinkTest, answer: z.object({ port: z.number() }) },
  callLinkTest: { params: CallLinkTest, answer: z.object({ called: z.boolean() }) },
  readLinkTest: { params: LinkTestRef, answer: LinkTestReport },
  /**
   * These two only over TLS. The host makes a key for its next certificate, the same until it gets
   * that one; `publicKey`: SubjectPublicKeyInfo, DER in base64.
   */
  makeCertificateKey: { params: z.strictObject({}), answer: z.object({ publicKey: z.string() }) },
  /** From now on the host shows this one (PEM) to whoever connects; open links stay open. */
  useCertificate: {
    params: z.strictObject({ certificate: z.string() }),
    answer: z.object({ used: z.boolean() }),
  },
  endLinkTest: { params: LinkTestRef, answer: z.object({ ended: z.boolean() }) },
} as const
export type HostCallName = keyof typeof hostCalls
export type HostCallParams<N extends HostCallName> = z.output<(typeof hostCalls)[N]['params']>
export type HostCallAnswer<N extends HostCallName> = z.output<(typeof hostCalls)[N]['answer']>

/** Those that change something on the host: it asks for a confirmation before it carries one out. */
export const CHANGING_CALLS: ReadonlySet<HostCallName> = new Set([
  'applyProgram',
  'controlProgram',
  'removeProgram',
])

export const HostRequest = z.object({
  id: z.number().int(),
  call: z.enum(Object.keys(hostCalls) as [HostCallName, ...HostCallName[]]),
  params: z.unknown(),
  /** The host sends `confirm` first, and carries it out only when a HostConfirmation allows it. */
  confirm: z.boolean().optional(),
  /** Of the person's call that it is made for: stands in the logs of both ends. */
  requestId: z.string().max(64).optional(),
})
export type HostRequest = z.infer<typeof HostRequest>

/**
 * The API's reply to `confirm`. A call may reach the host long after it was sent, as when the agent
 * was stopped: its caller has got a failure by then. No clocks are compared: the host
 * counts `remainingMs` from its own question on.
 */
export const HostConfirmation = z.object({
  confirmed: z.number().int(),
  /** How much longer the answer is waited for; 0 for a call that is over: it must not be carried out. */
  remainingMs: z.number(),
})
export type HostConfirmation = z.infer<typeof HostConfirmation>

/**
 * not_found: no such program. refused: an operator's sentence says why. failed: the host could not.
 * timeout: its supervisor does not answer; the sentence says what became of the command.
 */
export const HostFailure = z.object({
  /** That of a newer agent may be unknown here: its sentence counts all the same. */
  code: z.enum(['not_found', 'refused', 'invalid', 'failed', 'timeout']).catch('failed'),
  message: HostText,
})
export type HostFailure = z.infer<typeof HostFailure>

export const HostMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('answer'), id: z.number().int(), result: z.unknown() }),
  z.object({ type: z.literal('failure'), id: z.number().int(), failure: HostFailure }),
  /** First message of every link: everything this host runs for this seat's record. */
  z.object({
    type: z.literal('hello'),
    seatKind: z.enum(['encoder', 'acants', 'channel']),
    nowMs: z.number(),
    capabilities: Capabilities,
    programs: z.array(ProgramReport),
    /** It sends `confirm` for the calls that ask for it; older agents do not. */
    confirmsCalls: z.boolean().optional(),
    /** Older agents do not tell; a newer health must not make the hello invalid. */
    health: HostHealth.optional().catch(undefined),
  }),
  z.object({ type: z.literal('health'), health: HostHealth }),
  z.object({ type: z.literal('confirm'), id: z.number().int() }),
  z.object({ type: z.literal('program'), nowMs: z.number(), report: ProgramReport }),
  z.object({ type: z.literal('removed'), programId: ProgramId }),
  z.object({
    type: z.literal('restart'),
    programId: ProgramId,
    atMs: z.number(),
    restarts: z.number(),
    cause: HostText,
  }),
  /**
   * Readings of the last moments, at most one per program. An invalid reading does not affect the
   * others.
   */
  z.object({
    type: z.literal('readings'),
    nowMs: z.number(),
    readings: z
      .array(z.object({ programId: ProgramId, reading: Reading }).nullable().catch(null))
      .transform((readings) => readings.filter((reading) => reading !== null)),
    /**
     * Transport streams that were measured since, and after a hello all that are known; null of one
     * that is measured no longer. Older agents measure none.
     */
    transports: z
      .array(
        z
          .object({ programId: ProgramId, report: TransportReport.nullable() })
          .nullable()
          .catch(null),
      )
      .transform((transports) => transports.filter((transport) => transport !== null))
      .optional(),
  }),
])
export type HostMessage = z.infer<typeof HostMessage>
