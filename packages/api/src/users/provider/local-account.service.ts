/** What only local accounts have: a password, and an e-mail that is changed here. */
import type { Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import type { UserRecord } from '../user.store.ts'

/** Throws Conflict with `field` for somebody from the sign-in provider. */
export function assertLocal(ctx: Context, user: UserRecord, field: string): void {
  if (user.provider === null) return
  const name = ctx.config.oidc?.name ?? 'the sign-in provider'
  throw conflict(
    `${user.firstName} ${user.lastName} signs in with ${name} and has no password here. E-mail, password and second factor are set there.`,
    { field },
  )
}
