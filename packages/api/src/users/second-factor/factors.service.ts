/** Every second factor of an account, and a passkey of it as the second step. */
import type { CredentialAnswer, PasskeyRequest } from '@trunkline/contract/users/passkey.schema'
import type { Context, Db } from '../../context.ts'
import { refused } from '../../errors.ts'
import * as passkeyStore from '../passkeys/passkey.store.ts'
import type { StoredPasskey } from '../passkeys/passkey.store.ts'
import { relyingPartyOf } from '../passkeys/relying-party.rules.ts'
import { checkSignature, requestFor } from '../passkeys/verify-passkey.ts'
import { appOf } from './factor-code.service.ts'
import type { StoredFactor } from './second-factor.store.ts'
import { noteUse, unlessFull } from './unwritten-factors.ts'

const NOT_ACCEPTED =
  'This passkey was not accepted: it is not of this account, was removed, or answered another sign-in or address. Try again, or use a recovery code.'
const WENT_BACK =
  'This passkey was not accepted: it has counted fewer signatures than before, so there may be a copy of it. Use another factor or a recovery code, and remove the passkey.'

export interface Factors {
  userId: string
  /** Null while sign-in takes no code of an app. */
  app: StoredFactor | null
  passkeys: readonly StoredPasskey[]
}

/** Null while the password alone signs in. */
export async function factorsOf(db: Db, userId: string): Promise<Factors | null> {
  const app = await appOf(db, userId)
  const passkeys = await passkeyStore.list(db, userId)
  return app === null && passkeys.length === 0 ? null : { userId, app, passkeys }
}

/** For the browser; null when none of them works where the guest is. */
export function passkeyRequestOf(
  { config }: Context,
  passkeys: readonly StoredPasskey[],
  { challenge, origin }: { challenge: string; origin: string },
): PasskeyRequest | null {
  return requestFor(passkeys, relyingPartyOf(config, origin), challenge)
}

/** Throws 422 for an answer that is not by a passkey of these factors, of this challenge, here. */
export async function assertPasskey(
  ctx: Context,
  { passkeys }: Factors,
  answer: CredentialAnswer,
  { challenge, origin }: { challenge: string; origin: string },
): Promise<void> {
  const passkey = passkeys.find(({ credentialId }) => credentialId === answer.id)
  const party = relyingPartyOf(ctx.config, origin)
  if (passkey === undefined || 'refusal' in party || passkey.site !== party.id) {
    throw refused(NOT_ACCEPTED)
  }
  const counter = await checkSignature(passkey, answer, party, challenge)
  if (counter === null) throw refused(NOT_ACCEPTED)
  const at = new Date(ctx.clock()).toISOString()
  const write = async () => passkeyStore.advance(ctx.db, passkey, { counter, at })
  const isAfterLast =
    counter === 0
      ? await unlessFull(write, () => passkey.counter === 0)
      : await noteUse(passkey.id, { use: counter, last: passkey.counter }, write)
  if (!isAfterLast) throw refused(WENT_BACK)
}
