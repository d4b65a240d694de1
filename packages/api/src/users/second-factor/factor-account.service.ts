/** What every change of somebody's second factors does: whose account, recovery codes, a line of activity. */
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { REVOKED, unauthenticated } from '../../errors.ts'
import type { Actor } from '../../security/actor.ts'
import { fullNameOf } from '../user.service.ts'
import * as userStore from '../user.store.ts'
import type { UserRecord } from '../user.store.ts'
import * as secondFactorStore from './second-factor.store.ts'
import { newRecoveryCodes, recoveryHash } from './totp.ts'

/** An API token of a service is no person. */
export async function ownAccount(ctx: Context, { id }: Actor): Promise<UserRecord> {
  const user = await userStore.find(ctx.db, id)
  if (user === null) throw unauthenticated(REVOKED)
  return user
}

/** In place of those that the account has. */
export async function newCodesFor(trx: Db, userId: string): Promise<string[]> {
  const recoveryCodes = newRecoveryCodes()
  const hashes = recoveryCodes.map((each) => recoveryHash(each) ?? '')
  await secondFactorStore.insertRecoveryCodes(trx, userId, hashes)
  return recoveryCodes
}

/** `actor`: null for the administrator of the machine. `of`: the name of a passkey that was added, renamed or removed. */
export async function recordFactor(
  trx: Db,
  actor: Actor | null,
  call: string,
  user: UserRecord,
  of: { before?: { passkey: string }; after?: { passkey: string } } = {},
): Promise<void> {
  await auditService.record(trx, {
    actor,
    call,
    object: { kind: 'user', id: user.id, title: fullNameOf(user) },
    ...of,
  })
}
