/** From where somebody signs in: guesses at their password from elsewhere do not hold them up there. */
import { DAY_MS } from '@trunkline/contract/durations'
import * as auditService from '../audit/audit.service.ts'
import type { Context } from '../context.ts'
import { networkOf } from '../security/network.rules.ts'

/** Their lines in the record of activity say from where somebody signed in. */
export const SIGN_IN_CALL = 'session.login'
export const SECOND_STEP_CALL = 'session.secondStep'
export const SET_UP_STEP_CALL = 'session.setUpStep'
export const PASSKEY_SET_UP_STEP_CALL = 'session.passkeySetUpStep'
export const PASSKEY_STEP_CALL = 'session.passkeyStep'

/** Each has a line when a password, a code or a passkey was not right. */
export const SIGN_IN_CALLS = [
  SIGN_IN_CALL,
  SECOND_STEP_CALL,
  SET_UP_STEP_CALL,
  PASSKEY_SET_UP_STEP_CALL,
  PASSKEY_STEP_CALL,
]

/** How long an address stays one of the account's own after a sign-in from there. */
const OWN_ADDRESS_MS = 30 * DAY_MS

export async function hasSignedInFrom(ctx: Context, userId: string, ip: string): Promise<boolean> {
  const since = new Date(ctx.clock() - OWN_ADDRESS_MS).toISOString()
  const own = await auditService.addressesOf(ctx, { actorId: userId, calls: SIGN_IN_CALLS, since })
  return own.some((each) => networkOf(each) === networkOf(ip))
}
