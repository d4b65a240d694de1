/** A host gets certificates by a one-use code, and is reached over mutual TLS from then on (ADR 0053). */
import { z } from 'zod'
import { HostKind } from '../fleet/fleet.schema.ts'
import { Sentence } from '../sentence.schema.ts'

export const ENROLMENT_CODE_MINUTES = 10
/** A console and a host whose clocks differ by more get no certificate that both take for valid. */
export const CLOCKS_DIFFER_AT_MOST_MINUTES = 60

/**
 * key: the record's API key, and nothing is encrypted. waiting: it has a certificate and has not used
 * it yet. enrolled: mutual TLS. revoked: cut off until it is enrolled again.
 */
export const HostSecurity = z.enum(['key', 'waiting', 'enrolled', 'revoked'])
export type HostSecurity = z.infer<typeof HostSecurity>

/** Who opens the connection between a host and the console: a host behind NAT cannot be dialled. */
export const LinkOpener = z.enum(['console', 'host'])
export type LinkOpener = z.infer<typeof LinkOpener>

export const HostEnrolment = z.object({
  kind: HostKind,
  id: z.string(),
  security: HostSecurity,
  /** As it was enrolled last; 'console' for a host that never was. */
  openedBy: LinkOpener,
  /** Whether hosts can connect to this console (TRUNKLINE_AGENT_LISTEN). */
  takesHosts: z.boolean(),
  /** When this began, ISO; null for 'key'. */
  since: z.string().nullable(),
  /** Of the newest certificate, ISO; null where there is none. */
  certificateEndsAt: z.string().nullable(),
  /** Of a code that is still good; null: there is none. */
  codeEndsInMs: z.number().nullable(),
  /** Why this host cannot be enrolled, a sentence; '' for one that can. */
  obstacle: Sentence,
})
export type HostEnrolment = z.infer<typeof HostEnrolment>

const Hex = z.string().regex(/^[0-9a-f]+$/, 'must be hexadecimal.')
const HASH_CHARACTERS = 64
export const CODE_ID_CHARACTERS = 32

/** 'acants:8010': kind and port of a seat. */
const SeatName = z
  .string()
  .regex(/^(encoder|acants):[0-9]{1,5}$/, 'must be encoder: or acants: and a port.')

/** 'console.example:7443', or ':7443'. */
export const LinkAddress = z
  .string()
  .regex(/^([A-Za-z0-9.-]{1,253})?:[1-9][0-9]{0,4}$/, 'must be a host, a colon and a port.')
export const MAX_LINK_ADDRESSES = 16

/** What an agent sends. It proves that it knows the code, and does not show it. */
export const EnrolmentRequest = z.strictObject({
  codeId: Hex.length(CODE_ID_CHARACTERS, 'must have 32 characters.'),
  /** SubjectPublicKeyInfo of a P-256 key, DER in base64. */
  publicKey: z.string().max(200, 'must be at most 200 characters long.'),
  /** Those that may be meant; several where the operator named none. */
  seats: z.array(SeatName).min(1, 'must name a seat.').max(64, 'must name at most 64 seats.'),
  /** What the clock of the host shows, ISO. */
  clock: z.iso.datetime('must be a date and time, such as 2026-05-03T14:01:29Z.'),
  /** The host connects to the console, and is not dialled; an older console refuses the field. */
  dialsOut: z.literal(true).optional(),
  /** HMAC-SHA-256 of requestText() by the key that follows from the code. */
  proof: Hex.length(HASH_CHARACTERS, 'must have 64 characters.'),
})
export type EnrolmentRequest = z.infer<typeof EnrolmentRequest>

export const EnrolmentAnswer = z.object({
  /** PEM. */
  certificate: z.string(),
  /** PEM. */
  authority: z.string(),
  /** Which of the seats it is for. */
  seat: SeatName,
  /**
   * Of a host that dials out: where it connects to, 'console.example:7443' each; without a name,
   * ':7443', at the name by which it reached the console.
   */
  linkAddresses: z.array(LinkAddress).min(1).max(MAX_LINK_ADDRESSES).optional(),
  /** HMAC-SHA-256 of answerText(). */
  proof: z.string(),
})
export type EnrolmentAnswer = z.infer<typeof EnrolmentAnswer>

/** What the proof of a request covers: nothing of it can be changed on the way. */
export function requestText(request: Omit<EnrolmentRequest, 'proof'>): string {
  const parts = [request.codeId, request.publicKey, request.seats.join(' '), request.clock]
  const direction = request.dialsOut === true ? ['dials out'] : []
  return ['trunkline enrolment request 1', ...parts, ...direction].join('\n')
}

/** What the proof of an answer covers: also which request it answers. */
export function answerText(
  request: EnrolmentRequest,
  { certificate, authority, seat, linkAddresses }: Omit<EnrolmentAnswer, 'proof'>,
): string {
  const places = linkAddresses === undefined ? [] : [linkAddresses.join(' ')]
  const parts = [request.proof, certificate, authority, seat, ...places]
  return ['trunkline enrolment answer 1', ...parts].join('\n')
}
