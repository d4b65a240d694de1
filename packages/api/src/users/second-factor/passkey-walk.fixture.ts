/** Passkeys for the walks over every change and every role: made straight in the database. */
import type { BodyOf } from '@trunkline/contract/route'
import type { passkeySetUpStep, passkeyStep } from '@trunkline/contract/session/second-step.calls'
import type { addPasskey } from '@trunkline/contract/users/passkey.calls'
import type { Context } from '../../context.ts'
import { newId } from '../../id.ts'
import * as passkeyStore from '../passkeys/passkey.store.ts'
import type { StoredPasskey } from '../passkeys/passkey.store.ts'
import { SoftwareAuthenticator, TEST_ORIGIN } from '../passkeys/software-authenticator.fixture.ts'
import { checkNewPasskey, creationFor, requestFor } from '../passkeys/verify-passkey.ts'
import * as userStore from '../user.store.ts'
import type { UserRecord } from '../user.store.ts'
import * as challengeService from './challenge.service.ts'
import type { ChallengePurpose } from './challenge.store.ts'
import * as secondFactorStore from './second-factor.store.ts'

const PARTY = { id: 'localhost', origin: TEST_ORIGIN }

async function userOf(ctx: Context, userId: string): Promise<UserRecord> {
  const user = await userStore.find(ctx.db, userId)
  if (user === null) throw new Error(`There is no user ${userId}.`)
  return user
}

/** For `addPasskey`. */
export async function begunPasskeyOf(
  ctx: Context,
  userId: string,
  purpose: ChallengePurpose = 'passkey',
): Promise<BodyOf<typeof addPasskey>> {
  const user = await userOf(ctx, userId)
  const challenge = await challengeService.begin(ctx, user, purpose)
  const credential = new SoftwareAuthenticator().create(creationFor(user, PARTY, challenge, []))
  return { challenge, name: 'Key', credential }
}

/** For `passkeySetUpStep`: the account has no factor then. */
export async function begunPasskeySetUp(
  ctx: Context,
  userId: string,
): Promise<BodyOf<typeof passkeySetUpStep>> {
  await secondFactorStore.remove(ctx.db, userId)
  await passkeyStore.removeAll(ctx.db, userId)
  return begunPasskeyOf(ctx, userId, 'setUp')
}

export async function addedPasskeyOf(ctx: Context, userId: string) {
  const authenticator = new SoftwareAuthenticator()
  const creation = creationFor(await userOf(ctx, userId), PARTY, 'AAAA', [])
  const made = await checkNewPasskey(authenticator.create(creation), PARTY, 'AAAA')
  if (made === null) throw new Error('The passkey was not accepted.')
  const passkey: StoredPasskey = {
    ...made,
    id: newId(),
    userId,
    transports: [],
    name: 'Key',
    site: PARTY.id,
    createdAt: new Date(ctx.clock()).toISOString(),
    lastUsedAt: null,
  }
  await passkeyStore.insert(ctx.db, passkey)
  return { authenticator, passkey }
}

/** For `passkeyStep`. */
export async function passkeyAnswerOf(
  ctx: Context,
  userId: string,
): Promise<BodyOf<typeof passkeyStep>> {
  const { authenticator, passkey } = await addedPasskeyOf(ctx, userId)
  const challenge = await challengeService.begin(ctx, await userOf(ctx, userId), 'signIn')
  const request = requestFor([passkey], PARTY, challenge)
  if (request === null) throw new Error('The passkey does not work here.')
  return { challenge, credential: authenticator.get(request) }
}
