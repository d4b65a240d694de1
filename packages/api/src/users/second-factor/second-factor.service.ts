/** A person's second factor: turned on and off by themselves, reset by who may change them (ADR 0066). */
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
  resetSecondFactor,
  turnOffSecondFactor,
} from '@trunkline/contract/users/second-factor.calls'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { conflict, notFound, REVOKED, unauthenticated } from '../../errors.ts'
import type { Actor } from '../../security/actor.ts'
import { assertCurrentPassword } from '../current-password.service.ts'
import { actingNow, assertMayEdit, fullNameOf, load } from '../user.service.ts'
import * as userStore from '../user.store.ts'
import type { UserRecord } from '../user.store.ts'
import { assertCode, factorOf, takeTurn } from './factor-code.service.ts'
import * as secondFactorStore from './second-factor.store.ts'
import { newRecoveryCodes, newSecret, recoveryHash, uriOf } from './totp.ts'

const IS_ON = 'The second factor of this account is on already. Turn it off first.'
const IS_OFF = 'The second factor of this account is not on.'
const NOT_BEGUN = 'There is no second factor to confirm. Begin again.'

export async function read(
  ctx: Context,
  actor: Actor,
  userId: string,
): Promise<ReplyOf<typeof readSecondFactor>> {
  const user = await load(ctx.db, actor, userId)
  assertMayEdit(actor, user)
  const since = (await factorOf(ctx.db, userId))?.confirmedAt ?? null
  const recoveryCodesLeft = await secondFactorStore.countRecoveryCodes(ctx.db, userId)
  return { status: true, data: { isOn: since !== null, since, recoveryCodesLeft } }
}

export async function begin(
  ctx: Context,
  caller: Actor,
  { currentPassword }: BodyOf<typeof beginSecondFactor>,
  ip: string,
): Promise<ReplyOf<typeof beginSecondFactor>> {
  const user = await own(ctx, caller)
  if ((await factorOf(ctx.db, user.id)) !== null) throw conflict(IS_ON)
  await assertCurrentPassword(ctx, user, currentPassword, ip)
  const secret = newSecret()
  await ctx.db.transaction().execute(async (trx) => {
    const actor = await actingNow(trx, caller)
    const isBegun = await secondFactorStore.begin(trx, user.id, ctx.keys.seal(secret))
    if (!isBegun) throw conflict(IS_ON)
    await record(trx, actor, 'users.beginSecondFactor', user, ip)
  })
  return { status: true, secret, uri: uriOf(secret, user.email) }
}

/** From here on sign-in asks for a code. Sessions and API tokens go on. */
export async function confirm(
  ctx: Context,
  caller: Actor,
  { code }: BodyOf<typeof confirmSecondFactor>,
  ip: string,
): Promise<ReplyOf<typeof confirmSecondFactor>> {
  const user = await own(ctx, caller)
  const factor = await secondFactorStore.find(ctx.db, user.id)
  if (factor === null) throw conflict(NOT_BEGUN)
  if (factor.confirmedAt !== null) throw conflict(IS_ON)
  const turn = await takeTurn(ctx, user, ip)
  await assertCode(ctx, factor, code, { mayRecover: false })
  turn.forgive()
  const recoveryCodes = newRecoveryCodes()
  const hashes = recoveryCodes.map((each) => recoveryHash(each) ?? '')
  await ctx.db.transaction().execute(async (trx) => {
    const actor = await actingNow(trx, caller)
    const at = new Date(ctx.clock()).toISOString()
    if (!(await secondFactorStore.confirm(trx, factor, at))) throw conflict(NOT_BEGUN)
    await secondFactorStore.insertRecoveryCodes(trx, user.id, hashes)
    await record(trx, actor, 'users.confirmSecondFactor', user, ip)
  })
  return { status: true, recoveryCodes }
}

export async function turnOff(
  ctx: Context,
  caller: Actor,
  { currentPassword, code }: BodyOf<typeof turnOffSecondFactor>,
  ip: string,
): Promise<ReplyOf<typeof turnOffSecondFactor>> {
  const user = await own(ctx, caller)
  const factor = await factorOf(ctx.db, user.id)
  if (factor === null) throw conflict(IS_OFF)
  await assertCurrentPassword(ctx, user, currentPassword, ip)
  const turn = await takeTurn(ctx, user, ip)
  await assertCode(ctx, factor, code, { mayRecover: true })
  turn.forgive()
  await ctx.db.transaction().execute(async (trx) => {
    const actor = await actingNow(trx, caller)
    if (!(await secondFactorStore.remove(trx, user.id))) throw conflict(IS_OFF)
    await record(trx, actor, 'users.turnOffSecondFactor', user, ip)
  })
  return { status: true }
}

/** Of somebody else; one's own is turned off with password and code. */
export async function reset(
  ctx: Context,
  caller: Actor,
  userId: string,
  ip: string,
): Promise<ReplyOf<typeof resetSecondFactor>> {
  await ctx.db.transaction().execute(async (trx) => {
    const actor = await actingNow(trx, caller)
    const user = await load(trx, actor, userId)
    assertMayEdit(actor, user)
    if (user.id === actor.id) {
      throw conflict('Turn off your own second factor with your password and a code.')
    }
    if (!(await secondFactorStore.remove(trx, userId))) throw conflict(IS_OFF)
    await record(trx, actor, 'users.resetSecondFactor', user, ip)
  })
  return { status: true }
}

/** For the administrator of the machine. Answers false when that user has none; throws NotFound. */
export async function resetByCommand(ctx: Context, email: string): Promise<boolean> {
  const user = await userStore.findByEmail(ctx.db, email)
  if (user === null) throw notFound('user')
  return ctx.db.transaction().execute(async (trx) => {
    if (!(await secondFactorStore.remove(trx, user.id))) return false
    await record(trx, null, 'users.resetSecondFactor', user, '')
    return true
  })
}

/** An API token of a service is no person. */
async function own(ctx: Context, { id }: Actor): Promise<UserRecord> {
  const user = await userStore.find(ctx.db, id)
  if (user === null) throw unauthenticated(REVOKED)
  return user
}

async function record(
  trx: Db,
  actor: Actor | null,
  call: string,
  user: UserRecord,
  ip: string,
): Promise<void> {
  await auditService.record(trx, {
    actor,
    call,
    object: { kind: 'user', id: user.id, title: fullNameOf(user) },
    result: 'done',
    ip,
  })
}
