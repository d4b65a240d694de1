/**
 * What takes the place of the current password for people of the sign-in provider: that they proved to it
 * a moment ago who they are. A session alone, also one that the provider has just continued without a
 * question, proves nothing of whoever sits there now.
 */
import { MINUTE_MS } from '@trunkline/contract/durations'
import type { Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import type { Actor } from '../../security/actor.ts'
import { assertCurrentPassword } from '../current-password.service.ts'
import * as userSessionService from '../sessions/user-session.service.ts'
import type { UserRecord } from '../user.store.ts'

/** Time to come back from there and fill in a form. */
const FRESH_MS = 10 * MINUTE_MS

/**
 * For what both kinds of people may do. Throws as `assertCurrentPassword` does for a local account, and
 * Conflict for a person of the provider whose sign-in there is too long ago, or of unknown time.
 */
export async function assertPresent(
  ctx: Context,
  user: UserRecord,
  { sessionId, ip }: Actor,
  password: string | undefined,
): Promise<void> {
  if (user.provider === null) {
    await assertCurrentPassword(ctx, user, password, ip)
    return
  }
  const session = await userSessionService.find(ctx.db, sessionId)
  // Not a number where it is unknown, and then nothing is fresh.
  const ageMs = ctx.clock() - Date.parse(session?.authenticatedAt ?? '')
  if (ageMs <= FRESH_MS) return
  const name = ctx.config.oidc?.name ?? 'The sign-in provider'
  throw conflict(
    `${name} did not ask within the last ten minutes who you are. Sign in with it again. If that does not help, it does not say when people sign in: ask an admin with a local account for a token of a service.`,
  )
}
