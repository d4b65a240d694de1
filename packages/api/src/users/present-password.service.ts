/**
 * Whoever changes their own password or e-mail types their present password: an open session alone,
 * left at a desk or copied, must not become the account.
 */
import type { Context } from '../context.ts'
import { invalid, refused, tooMany } from '../errors.ts'
import { isPassword } from '../security/password.ts'
import { signInLimitOf, waitForTurn, waitOf } from '../security/sign-in-limit.ts'
import type { UserRecord } from './user.store.ts'

const FIELD = 'currentPassword'

/**
 * Counts towards the limits on sign-in, which are about guesses wherever they are made. Throws 400
 * for none, 422 for a wrong one, both with the field, and TooMany.
 */
export async function assertPresentPassword(
  ctx: Context,
  user: UserRecord,
  password: string | undefined,
  ip: string,
): Promise<void> {
  if (password === undefined) {
    throw invalid(FIELD, 'is missing. Enter your present password to change password or e-mail.')
  }
  const limit = signInLimitOf(ctx)
  const { email } = user
  const isKnownAddress = async () => Promise.resolve(false)
  await waitForTurn(await limit.take({ email, ip, isKnownAddress }), (tooSoon) => {
    const { seconds, text } = waitOf(tooSoon)
    return tooMany(`Too many wrong passwords. Try again in ${text}.`, seconds)
  })
  if (!(await isPassword(user.passwordHash, password))) {
    throw refused('This is not your present password. Nothing was changed.', { field: FIELD })
  }
  limit.forgive(email, ip)
}
