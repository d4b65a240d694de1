/** The passkeys of one's own account: added and removed with the password, renamed without (ADR 0070). */
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
} from '@trunkline/contract/users/passkey.calls'
import type { Passkey } from '@trunkline/contract/users/second-factor.calls'
import type { Context } from '../../context.ts'
import { conflict, notFound, refused } from '../../errors.ts'
import { newId } from '../../id.ts'
import type { Actor } from '../../security/actor.ts'
import { assertCurrentPassword } from '../current-password.service.ts'
import * as challengeService from '../second-factor/challenge.service.ts'
import { newCodesFor, ownAccount, recordFactor } from '../second-factor/factor-account.service.ts'
import { factorsOf } from '../second-factor/factors.service.ts'
import { assertMayGoWithout } from '../second-factor/required-factor.service.ts'
import * as secondFactorStore from '../second-factor/second-factor.store.ts'
import { actingNow } from '../user.service.ts'
import * as passkeyStore from './passkey.store.ts'
import type { StoredPasskey } from './passkey.store.ts'
import { relyingPartyOf, type RelyingParty } from './relying-party.rules.ts'
import { checkNewPasskey, creationFor } from './verify-passkey.ts'

/** More than anybody has, and no way to fill the database. */
const PASSKEYS_OF_PERSON = 20
const IS_OVER = 'Adding this passkey took too long, or was done already. Start again.'
const NOT_ACCEPTED =
  'This passkey was not accepted: it was not made at this address of the console, or for another sign-in. Start again.'

export interface Caller {
  /** Of the API, as the guest named it. */
  origin: string
}

export async function begin(
  ctx: Context,
  caller: Actor,
  { currentPassword }: BodyOf<typeof beginPasskey>,
  { origin }: Caller,
): Promise<ReplyOf<typeof beginPasskey>> {
  const party = partyFor(ctx, origin)
  const user = await ownAccount(ctx, caller)
  const passkeys = await passkeyStore.list(ctx.db, user.id)
  assertRoom(passkeys)
  await assertCurrentPassword(ctx, user, currentPassword, caller.ip)
  await ctx.db.transaction().execute(async (trx) => {
    const actor = await actingNow(trx, caller)
    await recordFactor(trx, actor, 'users.beginPasskey', user)
  })
  const challenge = await challengeService.begin(ctx, user, 'passkey')
  return { status: true, creation: creationFor(user, party, challenge, passkeys) }
}

/** From here on sign-in asks for it, or for another factor of the account. Sessions and API tokens go on. */
export async function add(
  ctx: Context,
  caller: Actor,
  { challenge: text, name, credential }: BodyOf<typeof addPasskey>,
  { origin }: Caller,
): Promise<ReplyOf<typeof addPasskey>> {
  const party = partyFor(ctx, origin)
  const user = await ownAccount(ctx, caller)
  const challenge = await challengeService.take(ctx, text, 'passkey')
  if (challenge?.userId !== user.id || challenge.tokenVersion !== user.tokenVersion) {
    throw conflict(IS_OVER)
  }
  const passkey = await newPasskey(ctx, user.id, party, { challenge: text, name, credential })
  const recoveryCodes = await ctx.db.transaction().execute(async (trx) => {
    const actor = await actingNow(trx, caller)
    if (!(await challengeService.use(trx, challenge))) throw conflict(IS_OVER)
    assertRoom(await passkeyStore.list(trx, user.id))
    await passkeyStore.insert(trx, passkey)
    await recordFactor(trx, actor, 'users.addPasskey', user, { after: { passkey: name } })
    const codesLeft = await secondFactorStore.countRecoveryCodes(trx, user.id)
    return codesLeft > 0 ? null : newCodesFor(trx, user.id)
  })
  return { status: true, recoveryCodes }
}

/** As it is to be stored. Throws 422 for what no authenticator made for this challenge and this console. */
export async function newPasskey(
  ctx: Context,
  userId: string,
  party: RelyingParty,
  { challenge, name, credential }: BodyOf<typeof addPasskey>,
): Promise<StoredPasskey> {
  const made = await checkNewPasskey(credential, party, challenge)
  if (made === null) throw refused(NOT_ACCEPTED)
  return {
    ...made,
    id: newId(),
    userId,
    transports: credential.transports,
    name,
    site: party.id,
    createdAt: new Date(ctx.clock()).toISOString(),
    lastUsedAt: null,
  }
}

export async function rename(
  ctx: Context,
  caller: Actor,
  { passkeyId, name }: BodyOf<typeof renamePasskey>,
): Promise<ReplyOf<typeof renamePasskey>> {
  const user = await ownAccount(ctx, caller)
  await ctx.db.transaction().execute(async (trx) => {
    const actor = await actingNow(trx, caller)
    const passkey = (await passkeyStore.list(trx, user.id)).find(({ id }) => id === passkeyId)
    if (passkey === undefined) throw notFound('passkey')
    await passkeyStore.rename(trx, passkey, name)
    await recordFactor(trx, actor, 'users.renamePasskey', user, {
      before: { passkey: passkey.name },
      after: { passkey: name },
    })
  })
  return { status: true }
}

export async function remove(
  ctx: Context,
  caller: Actor,
  { passkeyId, currentPassword }: BodyOf<typeof removePasskey>,
): Promise<ReplyOf<typeof removePasskey>> {
  const user = await ownAccount(ctx, caller)
  await assertCurrentPassword(ctx, user, currentPassword, caller.ip)
  await ctx.db.transaction().execute(async (trx) => {
    const actor = await actingNow(trx, caller)
    const name = await passkeyStore.remove(trx, user.id, passkeyId)
    if (name === null) throw notFound('passkey')
    await assertMayGoWithout(trx, user)
    if ((await factorsOf(trx, user.id)) === null) await secondFactorStore.removeRest(trx, user.id)
    await recordFactor(trx, actor, 'users.removePasskey', user, { before: { passkey: name } })
  })
  return { status: true }
}

export function wirePasskey(passkey: StoredPasskey): Passkey {
  const { id, name, createdAt, lastUsedAt, site } = passkey
  return { id, name, createdAt, lastUsedAt, site }
}

/** Throws 422 where no passkey works. */
export function partyFor({ config }: Context, origin: string): RelyingParty {
  const party = relyingPartyOf(config, origin)
  if ('refusal' in party) throw refused(party.refusal)
  return party
}

function assertRoom({ length }: readonly StoredPasskey[]): void {
  if (length < PASSKEYS_OF_PERSON) return
  throw conflict(
    `An account has ${PASSKEYS_OF_PERSON} passkeys at most. Remove one that is not used.`,
  )
}
