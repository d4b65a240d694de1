/**
 * Whoever changes their own password or e-mail types their current password: an open session alone,
 * left at a desk or copied, must not become the account.
 */
import type { Context } from '../context.ts'
import { invalid, refused, tooMany } from '../errors.ts'
import { isPassword } from '../security/password.ts'
import { signInLimitOf, waitOf } from '../security/sign-in-limit.ts'
import { hasSignedInFrom } from './known-address.service.ts'
import { assertLocal } from './provider/local-account.service.ts'
import type { UserRecord } from './user.store.ts'

const FIELD = 'currentPassword'
const WHY_TOO_SOON = {
  pair: 'Too many wrong passwords for this account from your address.',
  address: 'Too many attempts to sign in from your address.',
  account: 'Others are guessing the password of this account from many addresses.',
} as const

/**
 * Counts towards the limits on sign-in, which are about guesses wherever they are made. Throws 400
 * for none, 422 for a wrong one, 409 for an account without one, all with the field, and TooMany.
 */
export async function assertCurrentPassword(
  ctx: Context,
  user: UserRecord,
  password: string | undefined,
  ip: string,
): Promise<void> {
  assertLocal(ctx, user, FIELD)
  if (password === undefined) {
    throw invalid(FIELD, 'is missing. Enter your current password to change password or e-mail.')
  }
  const isKnownAddress = async () => hasSignedInFrom(ctx, user.id, ip)
  const turn = await signInLimitOf(ctx).take({ email: user.email, ip, isKnownAddress })
  if ('waitMs' in turn) {
    const { seconds, text } = waitOf(turn)
    throw tooMany(`${WHY_TOO_SOON[turn.limit]} Try again in ${text}.`, seconds)
  }
  if (!(await isPassword(user.passwordHash, password))) {
    throw refused('This is not your current password. Nothing was changed.', { field: FIELD })
  }
  turn.forgive()
}
