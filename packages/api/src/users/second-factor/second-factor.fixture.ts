/** Second factors for tests: turned on straight in the database, their codes, and the walk over every change. */
import {
  passkeySetUpStep,
  passkeyStep,
  secondStep,
  setUpStep,
} from '@trunkline/contract/session/second-step.calls'
import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
} from '@trunkline/contract/users/passkey.calls'
import { saveRequiredFactor } from '@trunkline/contract/users/required-factor.calls'
import {
  beginSecondFactor,
  confirmSecondFactor,
  resetSecondFactor,
  turnOffSecondFactor,
} from '@trunkline/contract/users/second-factor.calls'
import type { Context } from '../../context.ts'
import type { Step } from '../../testing/change-walk.ts'
import { TEST_PASSWORD } from '../../testing/people.ts'
import type { TestSite } from '../../testing/test-site.ts'
import * as passkeyStore from '../passkeys/passkey.store.ts'
import * as userService from '../user.service.ts'
import * as challengeService from './challenge.service.ts'
import {
  addedPasskeyOf,
  begunPasskeyOf,
  begunPasskeySetUp,
  passkeyAnswerOf,
} from './passkey-walk.fixture.ts'
import * as secondFactorStore from './second-factor.store.ts'
import { newRecoveryCodes, newSecret, recoveryHash } from './totp.ts'
import { totpCode } from './totp-code.fixture.ts'

export interface TestFactor {
  secret: string
  recoveryCodes: string[]
}

/** Begun, and not confirmed. */
export async function beginTestFactor(ctx: Context, userId: string): Promise<string> {
  const secret = newSecret()
  await secondFactorStore.remove(ctx.db, userId)
  await secondFactorStore.removeRest(ctx.db, userId)
  await secondFactorStore.begin(ctx.db, userId, ctx.keys.seal(secret))
  return secret
}

/** As after its first code, which was of a step long ago. */
export async function turnOnTestFactor(ctx: Context, userId: string): Promise<TestFactor> {
  const secret = await beginTestFactor(ctx, userId)
  const factor = await secondFactorStore.find(ctx.db, userId)
  if (factor === null) throw new Error(`The user ${userId} has no second factor.`)
  await secondFactorStore.confirm(ctx.db, factor, new Date(ctx.clock()).toISOString())
  const recoveryCodes = newRecoveryCodes()
  const hashes = recoveryCodes.map((code) => recoveryHash(code) ?? '')
  await secondFactorStore.insertRecoveryCodes(ctx.db, userId, hashes)
  return { secret, recoveryCodes }
}

/** What the app shows so many steps of 30 s from now. */
export function codeOf(ctx: Context, secret: string, steps = 0): string {
  return totpCode(secret, ctx.clock() + steps * 30_000)
}

async function codeNow(ctx: Context, userId: string, steps = 0): Promise<string> {
  const factor = await secondFactorStore.find(ctx.db, userId)
  return codeOf(ctx, ctx.keys.open(factor?.secretSealed ?? ''), steps)
}

/** As after a right password of somebody whose role needs a factor. Answers the challenge. */
export async function begunSetUp(ctx: Context, userId: string): Promise<string> {
  await beginTestFactor(ctx, userId)
  const user = await userService.find(ctx, userId)
  return user === null ? '' : challengeService.begin(ctx, user, 'setUp')
}

export async function walkSecondFactor({ ctx, people }: TestSite, step: Step): Promise<void> {
  const { id } = people.superadmin
  const currentPassword = TEST_PASSWORD
  await step(beginSecondFactor, 'neither', { body: { currentPassword } })
  await step(confirmSecondFactor, 'neither', { body: { code: await codeNow(ctx, id, -1) } })
  const user = await userService.find(ctx, id)
  const challenge = user === null ? '' : await challengeService.begin(ctx, user, 'signIn')
  await step(secondStep, 'neither', { body: { challenge, code: await codeNow(ctx, id) } })
  const code = await codeNow(ctx, id, 1)
  await step(turnOffSecondFactor, 'neither', { body: { currentPassword, code } })
  await step(beginPasskey, 'neither', { body: { currentPassword } })
  await step(addPasskey, 'after', { body: await begunPasskeyOf(ctx, id) })
  await step(passkeyStep, 'neither', { body: await passkeyAnswerOf(ctx, id) })
  const { passkey } = await addedPasskeyOf(ctx, id)
  await step(renamePasskey, 'before and after', { body: { passkeyId: passkey.id, name: 'Safe' } })
  await step(removePasskey, 'before', { body: { passkeyId: passkey.id, currentPassword } })
  // Those that are left would be asked for by the sign-in that follows.
  await passkeyStore.removeAll(ctx.db, id)
  await step(saveRequiredFactor, 'before and after', { body: { roles: [] } })
  const setUp = { challenge: await begunSetUp(ctx, id), code: await codeNow(ctx, id) }
  await step(setUpStep, 'neither', { body: setUp })
  await step(passkeySetUpStep, 'neither', { body: await begunPasskeySetUp(ctx, id) })
  await passkeyStore.removeAll(ctx.db, id)
  await turnOnTestFactor(ctx, people.northEditor.id)
  await step(resetSecondFactor, 'neither', { params: { id: people.northEditor.id } })
}
