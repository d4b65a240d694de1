/** The first second factor of somebody whose role needs one: an app or a passkey, set up in place of a session (ADR 0070). */
import type { BodyOf } from '@trunkline/contract/route'
import type { passkeySetUpStep } from '@trunkline/contract/session/second-step.calls'
import type { SecondFactorAsked } from '@trunkline/contract/users/second-factor.schema'
import type { Context } from '../../context.ts'
import { newPasskey, partyFor } from '../passkeys/passkey.service.ts'
import * as passkeyStore from '../passkeys/passkey.store.ts'
import { relyingPartyOf } from '../passkeys/relying-party.rules.ts'
import { creationFor } from '../passkeys/verify-passkey.ts'
import type { UserRecord } from '../user.store.ts'
import type { StoredChallenge } from './challenge.store.ts'
import * as challengeService from './challenge.service.ts'
import { newCodesFor } from './factor-account.service.ts'
import { assertCode } from './factor-code.service.ts'
import { factorsOf } from './factors.service.ts'
import * as secondFactorStore from './second-factor.store.ts'
import { newSecret, uriOf } from './totp.ts'

/** What is asked for. A secret that was begun before is not good any more. `origin`: of the API, as the guest named it. */
export async function begin(
  ctx: Context,
  user: UserRecord,
  origin: string,
): Promise<SecondFactorAsked> {
  const secret = newSecret()
  await secondFactorStore.begin(ctx.db, user.id, ctx.keys.seal(secret))
  const challenge = await challengeService.begin(ctx, user, 'setUp')
  const party = relyingPartyOf(ctx.config, origin)
  const passkey = 'refusal' in party ? null : creationFor(user, party, challenge, [])
  const setUp = { secret, uri: uriOf(secret, user.email), passkey }
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

/** As `confirm`, by a passkey. Throws 422 for what is not made for this challenge here. */
export async function confirmPasskey(
  ctx: Context,
  user: UserRecord,
  challenge: StoredChallenge,
  { origin, ...made }: BodyOf<typeof passkeySetUpStep> & { origin: string },
): Promise<string[] | null> {
  if ((await factorsOf(ctx.db, user.id)) !== null) return null
  const passkey = await newPasskey(ctx, user.id, partyFor(ctx, origin), made)
  return ctx.db.transaction().execute(async (trx) => {
    if (!(await challengeService.use(trx, challenge))) return null
    await passkeyStore.insert(trx, passkey)
    return newCodesFor(trx, user.id)
  })
}
