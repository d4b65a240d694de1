/** A person's second factors: the app turned on and off by themselves, all reset by who may change them (ADR 0066). */
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
  resetSecondFactor,
  turnOffSecondFactor,
} from '@trunkline/contract/users/second-factor.calls'
import type { Context, Db } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import type { Actor } from '../../security/actor.ts'
import { assertCurrentPassword } from '../current-password.service.ts'
import { wirePasskey } from '../passkeys/passkey.service.ts'
import * as passkeyStore from '../passkeys/passkey.store.ts'
import { relyingPartyOf } from '../passkeys/relying-party.rules.ts'
import { actingNow, assertMayEdit, load } from '../user.service.ts'
import * as userStore from '../user.store.ts'
import { newCodesFor, ownAccount, recordFactor } from './factor-account.service.ts'
import { appOf, assertCode, takeTurn } from './factor-code.service.ts'
import { factorsOf } from './factors.service.ts'
import { assertMayGoWithout } from './required-factor.service.ts'
import * as secondFactorStore from './second-factor.store.ts'
import { newSecret, uriOf } from './totp.ts'

const IS_ON = 'The second factor of this account is on already. Turn it off first.'
const IS_OFF = 'The second factor of this account is not on.'
const NOT_BEGUN = 'There is no second factor to confirm. Start again.'

export async function read(
  ctx: Context,
  actor: Actor,
  userId: string,
  origin: string,
): Promise<ReplyOf<typeof readSecondFactor>> {
  const user = await load(ctx.db, actor, userId)
  assertMayEdit(actor, user)
  const factors = await factorsOf(ctx.db, userId)
  const since = factors?.app?.confirmedAt ?? null
  const party = relyingPartyOf(ctx.config, origin)
  return {
    status: true,
    data: {
      isOn: since !== null,
      since,
      recoveryCodesLeft: await secondFactorStore.countRecoveryCodes(ctx.db, userId),
      passkeys: (factors?.passkeys ?? []).map(wirePasskey),
      passkeysRefused: 'refusal' in party ? party.refusal : null,
    },
  }
}

export async function begin(
  ctx: Context,
  caller: Actor,
  { currentPassword }: BodyOf<typeof beginSecondFactor>,
): Promise<ReplyOf<typeof beginSecondFactor>> {
  const user = await ownAccount(ctx, caller)
  if ((await appOf(ctx.db, user.id)) !== null) throw conflict(IS_ON)
  await assertCurrentPassword(ctx, user, currentPassword, caller.ip)
  const secret = newSecret()
  await ctx.db.transaction().execute(async (trx) => {
    const actor = await actingNow(trx, caller)
    const isBegun = await secondFactorStore.begin(trx, user.id, ctx.keys.seal(secret))
    if (!isBegun) throw conflict(IS_ON)
    await recordFactor(trx, actor, 'users.beginSecondFactor', user)
  })
  return { status: true, secret, uri: uriOf(secret, user.email) }
}

/** From here on sign-in asks for a code. Sessions and API tokens go on. */
export async function confirm(
  ctx: Context,
  caller: Actor,
  { code }: BodyOf<typeof confirmSecondFactor>,
): Promise<ReplyOf<typeof confirmSecondFactor>> {
  const user = await ownAccount(ctx, caller)
  const factor = await secondFactorStore.find(ctx.db, user.id)
  if (factor === null) throw conflict(NOT_BEGUN)
  if (factor.confirmedAt !== null) throw conflict(IS_ON)
  const turn = await takeTurn(ctx, user, caller.ip)
  await assertCode(ctx, { userId: user.id, app: factor }, code, { mayRecover: false })
  turn.forgive()
  const recoveryCodes = await ctx.db.transaction().execute(async (trx) => {
    const actor = await actingNow(trx, caller)
    const at = new Date(ctx.clock()).toISOString()
    if (!(await secondFactorStore.confirm(trx, factor, at))) throw conflict(NOT_BEGUN)
    await recordFactor(trx, actor, 'users.confirmSecondFactor', user)
    return newCodesFor(trx, user.id)
  })
  return { status: true, recoveryCodes }
}

export async function turnOff(
  ctx: Context,
  caller: Actor,
  { currentPassword, code }: BodyOf<typeof turnOffSecondFactor>,
): Promise<ReplyOf<typeof turnOffSecondFactor>> {
  const user = await ownAccount(ctx, caller)
  const app = await appOf(ctx.db, user.id)
  if (app === null) throw conflict(IS_OFF)
  await assertCurrentPassword(ctx, user, currentPassword, caller.ip)
  const turn = await takeTurn(ctx, user, caller.ip)
  await assertCode(ctx, { userId: user.id, app }, code, { mayRecover: true })
  turn.forgive()
  await ctx.db.transaction().execute(async (trx) => {
    const actor = await actingNow(trx, caller)
    if (!(await secondFactorStore.remove(trx, user.id))) throw conflict(IS_OFF)
    await assertMayGoWithout(trx, user)
    if ((await factorsOf(trx, user.id)) === null) await secondFactorStore.removeRest(trx, user.id)
    await recordFactor(trx, actor, 'users.turnOffSecondFactor', user)
  })
  return { status: true }
}

/** Of somebody else; one's own is turned off with password and code. */
export async function reset(
  ctx: Context,
  caller: Actor,
  userId: string,
): Promise<ReplyOf<typeof resetSecondFactor>> {
  await ctx.db.transaction().execute(async (trx) => {
    const actor = await actingNow(trx, caller)
    const user = await load(trx, actor, userId)
    assertMayEdit(actor, user)
    if (user.id === actor.id) {
      throw conflict('Turn off your own second factor, and remove your passkeys, in your account.')
    }
    if (!(await removeEvery(trx, userId))) throw conflict(IS_OFF)
    await recordFactor(trx, actor, 'users.resetSecondFactor', user)
  })
  return { status: true }
}

/** For the administrator of the machine. Answers false when that user has none; throws NotFound. */
export async function resetByCommand(ctx: Context, email: string): Promise<boolean> {
  const user = await userStore.findByEmail(ctx.db, email)
  if (user === null) throw notFound('user')
  return ctx.db.transaction().execute(async (trx) => {
    if (!(await removeEvery(trx, user.id))) return false
    await recordFactor(trx, null, 'users.resetSecondFactor', user)
    return true
  })
}

/** Answers whether there was a factor. A secret that was begun goes too. */
async function removeEvery(trx: Db, userId: string): Promise<boolean> {
  const hadApp = await secondFactorStore.remove(trx, userId)
  const hadPasskeys = await passkeyStore.removeAll(trx, userId)
  await secondFactorStore.removeRest(trx, userId)
  return hadApp || hadPasskeys
}
