/** The first second factor of somebody whose role needs one: an app, set up in place of a session (ADR 0070). */
import type { SecondFactorAsked } from '@trunkline/contract/users/second-factor.schema'
import type { Context } from '../../context.ts'
import type { UserRecord } from '../user.store.ts'
import type { StoredChallenge } from './challenge.store.ts'
import * as challengeService from './challenge.service.ts'
import { newCodesFor } from './factor-account.service.ts'
import { assertCode } from './factor-code.service.ts'
import { factorsOf } from './factors.service.ts'
import * as secondFactorStore from './second-factor.store.ts'
import { newSecret, uriOf } from './totp.ts'

/** What is asked for. A secret that was begun before is not good any more. */
export async function begin(ctx: Context, user: UserRecord): Promise<SecondFactorAsked> {
  const secret = newSecret()
  await secondFactorStore.begin(ctx.db, user.id, ctx.keys.seal(secret))
  const challenge = await challengeService.begin(ctx, user, 'setUp')
  const setUp = { secret, uri: uriOf(secret, user.email) }
  return { challenge, hasApp: false, passkey: null, setUp }
}

/**
 * Turns the app on by its first code. Answers the recovery codes; null when the account has a factor by
 * now, or the challenge was used meanwhile. Throws 422 for a wrong code.
 */
export async function confirm(
  ctx: Context,
  user: UserRecord,
  challenge: StoredChallenge,
  code: string,
): Promise<string[] | null> {
  const factor = await secondFactorStore.find(ctx.db, user.id)
  if (factor === null || (await factorsOf(ctx.db, user.id)) !== null) return null
  await assertCode(ctx, { userId: user.id, app: factor }, code, { mayRecover: false })
  return ctx.db.transaction().execute(async (trx) => {
    const at = new Date(ctx.clock()).toISOString()
    const isUsed = await challengeService.use(trx, challenge)
    if (!isUsed || !(await secondFactorStore.confirm(trx, factor, at))) return null
    return newCodesFor(trx, user.id)
  })
}
