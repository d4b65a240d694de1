/**
 * An agent comes with a code. Nobody is signed in here: the proof of the code stands for that, and
 * guesses are slowed by the means of sign-in. Every refusal is in the record of activity.
 */
import { timingSafeEqual } from 'node:crypto'
import { MINUTE_MS } from '@trunkline/contract/durations'
import type { enrolHost } from '@trunkline/contract/enrolment/enrolment.calls'
import {
  answerText,
  CLOCKS_DIFFER_AT_MOST_MINUTES,
  requestText,
  type EnrolmentRequest,
  type LinkOpener,
} from '@trunkline/contract/enrolment/enrolment.schema'
import type { ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context } from '../context.ts'
import { conflict, invalid, tooMany, unauthenticated, type AppError } from '../errors.ts'
import * as hostIdentityService from '../hosts/certificates/host-identity.service.ts'
import * as hostIdentityStore from '../hosts/certificates/host-identity.store.ts'
import { addressText } from '../hosts/host-address.ts'
import { parsePublicKey } from '../security/certificates/public-key.ts'
import { dialInAuthorityOf, siteAuthorityOf } from '../security/certificates/site-authority.ts'
import type { Actor } from '../security/actor.ts'
import { signInLimitOf, waitOf } from '../security/sign-in-limit.ts'
import * as userService from '../users/user.service.ts'
import { proofOf } from './code-proof.rules.ts'
import * as enrolmentStore from './enrolment.store.ts'
import type { EnrolmentCode } from './enrolment.store.ts'

export const ENROL_CALL = 'enrolment.enrol'
/** All codes are one account to the limit of tries: a guess is at any of them. */
const GUESSED = 'enrolment code'
const NOT_VALID =
  'This code is not valid. Check it against the console, or make a new code there: a code is good for ten minutes, and once.'

/** Throws TooMany, Unauthenticated for a wrong code, Conflict for what the operator can put right. */
export async function enrol(
  ctx: Context,
  request: EnrolmentRequest,
  ip: string,
): Promise<ReplyOf<typeof enrolHost>> {
  const attempt = { email: GUESSED, ip, isKnownAddress: async () => Promise.resolve(false) }
  const turn = await signInLimitOf(ctx).take(attempt)
  if ('waitMs' in turn) {
    const { seconds, text } = waitOf(turn)
    if (turn.isFirst) await note(ctx, null, ip, `too many attempts; next attempt in ${text}`)
    throw tooMany(`Too many attempts to enrol. Try again in ${text}.`, seconds)
  }
  const code = await provenCode(ctx, request, ip)
  turn.forgive()
  const publicKey = parsePublicKey(request.publicKey)
  if (publicKey === null) throw invalid('publicKey', 'must be a P-256 key.')
  assertClocksAgree(ctx, Date.parse(request.clock))
  const seat = await seatFor(ctx, code, request)
  const openedBy = request.dialsOut === true ? 'host' : 'console'
  const linkAddresses = openedBy === 'host' ? linkAddressesOf(ctx) : undefined
  const authority = await (openedBy === 'host' ? dialInAuthorityOf(ctx) : siteAuthorityOf(ctx))
  const certificate = await giveCertificate(ctx, { code, publicKey, ip, openedBy })
  await hostIdentityService.publish(ctx, code.address)
  const answer = { certificate, authority: authority.certificate, seat, linkAddresses }
  const proof = proofOf(proofKeyOf(ctx, code), answerText(request, answer))
  return { status: true, data: { ...answer, proof } }
}

/** Known, proven, not used and not too old; each refusal is recorded, and looks the same from outside. */
async function provenCode(
  ctx: Context,
  request: EnrolmentRequest,
  ip: string,
): Promise<EnrolmentCode> {
  const code = await enrolmentStore.find(ctx.db, request.codeId)
  if (code === null) throw await refused(ctx, null, ip, 'unknown code')
  const { proof, ...proven } = request
  const wanted = proofOf(proofKeyOf(ctx, code), requestText(proven))
  if (!timingSafeEqual(Buffer.from(proof), Buffer.from(wanted))) {
    throw await refused(ctx, code, ip, 'the proof of the code is wrong')
  }
  if (code.usedAt !== null) throw await refused(ctx, code, ip, 'the code was used before')
  if (Date.parse(code.endsAt) <= ctx.clock()) {
    throw await refused(ctx, code, ip, 'the code is older than ten minutes')
  }
  return code
}

function proofKeyOf(ctx: Context, { proofKeySealed }: EnrolmentCode): Buffer {
  return Buffer.from(ctx.keys.open(proofKeySealed), 'hex')
}

async function refused(
  ctx: Context,
  code: EnrolmentCode | null,
  ip: string,
  reason: string,
): Promise<AppError> {
  await note(ctx, code, ip, reason)
  ctx.log.warn({ ip, reason, host: code && addressText(code.address) }, 'An enrolment was refused.')
  return unauthenticated(NOT_VALID)
}

async function note(
  ctx: Context,
  code: EnrolmentCode | null,
  ip: string,
  reason: string,
): Promise<void> {
  const object = code === null ? null : { kind: code.kind, id: code.objectId }
  const entry = { actor: null, call: ENROL_CALL, object, ip, reason, result: 'refused' as const }
  await auditService.recordIfRoom(ctx, entry)
}

/** A certificate that the host does not take for valid would cut it off. The code stays good. */
function assertClocksAgree(ctx: Context, hostMs: number): void {
  const minutes = Math.round((hostMs - ctx.clock()) / MINUTE_MS)
  if (Math.abs(minutes) <= CLOCKS_DIFFER_AT_MOST_MINUTES) return
  const far = `${Math.abs(minutes).toLocaleString('en')} minutes ${minutes < 0 ? 'behind' : 'ahead of'}`
  throw conflict(
    `The clock of this host is ${far} that of the console. Set it, by NTP, and run the command again: the code is still good.`,
    { field: 'clock' },
  )
}

/** Where a host that dials out connects to. The code stays good where the console takes none. */
function linkAddressesOf({ config }: Pick<Context, 'config'>): string[] {
  const { agentListen, agentAddresses } = config
  if (agentListen === null) {
    throw conflict(
      'This console takes no connections of hosts. Set TRUNKLINE_AGENT_LISTEN there and restart it, or enrol without --dial-out.',
      { field: 'dialsOut' },
    )
  }
  return agentAddresses.length > 0 ? [...agentAddresses] : [`:${agentListen.port}`]
}

async function seatFor(
  ctx: Context,
  { kind, objectId, address }: EnrolmentCode,
  { seats }: EnrolmentRequest,
): Promise<string> {
  const record = await enrolmentStore.findRecord(ctx.db, kind, objectId)
  if (record === null || addressText(record.address) !== addressText(address)) {
    throw conflict(
      'The host of this record was changed after the code was made. Make a new code in the console.',
    )
  }
  const fitting = seats.filter((seat) => seat.startsWith(`${record.seat}:`))
  const [only] = fitting
  const samePort = fitting.find((seat) => seat === `${record.seat}:${address.port}`)
  if (samePort !== undefined) return samePort
  if (only !== undefined && fitting.length === 1) return only
  if (only === undefined) {
    throw conflict(
      `This code is for ${record.title}, which needs a seat of kind ${record.seat}, and this agent offers none. Run the command on the host of ${record.title}.`,
      { field: 'seats' },
    )
  }
  throw conflict(
    `This agent has several ${record.seat} seats, and none on port ${address.port}. Name the seat: add --seat with one of the ports ${fitting.map((seat) => seat.split(':')[1]).join(', ')}.`,
    { field: 'seats' },
  )
}

interface Enrolling {
  code: EnrolmentCode
  publicKey: Buffer
  ip: string
  openedBy: LinkOpener
}

async function giveCertificate(
  ctx: Context,
  { code, publicKey, ip, openedBy }: Enrolling,
): Promise<string> {
  const { address, id, kind, objectId } = code
  const since = new Date(ctx.clock()).toISOString()
  const issued = await hostIdentityService.issue(ctx, { address, openedBy }, publicKey)
  const actor = await makerOf(ctx, code)
  const isGiven = await ctx.db.transaction().execute(async (trx) => {
    if (!(await enrolmentStore.use(trx, id, since))) return false
    const before = await hostIdentityStore.find(trx, address)
    // Until it has used its certificate a host that was reached by its key still is.
    const security = before === null || before.security === 'waiting' ? 'waiting' : 'enrolled'
    // Keys of the other direction are of another authority.
    const isOther = before !== null && before.openedBy !== openedBy
    if (isOther || before?.security === 'revoked') {
      await hostIdentityStore.removePins(trx, address, null)
    }
    await hostIdentityStore.put(trx, address, { security, since, openedBy })
    await hostIdentityStore.addPin(trx, address, issued.pin)
    const object = { kind, id: objectId }
    await auditService.record(trx, { actor, call: ENROL_CALL, object, ip })
    return true
  })
  if (!isGiven) throw await refused(ctx, code, ip, 'the code was used before')
  return issued.certificate
}

/** Who made the code answers for what it does; null when the account was removed since. */
async function makerOf(ctx: Context, { madeBy }: EnrolmentCode): Promise<Actor | null> {
  const user = await userService.find(ctx, madeBy)
  return user === null ? null : userService.actorOf(user)
}
