/** Whether a code of somebody's second factor is right. Each is taken once, by whichever process. */
import type { Context, Db } from '../../context.ts'
import { refused, tooMany } from '../../errors.ts'
import { signInLimitOf, waitOf, type Turn } from '../../security/sign-in-limit.ts'
import { hasSignedInFrom } from '../known-address.service.ts'
import type { UserRecord } from '../user.store.ts'
import * as secondFactorStore from './second-factor.store.ts'
import type { StoredFactor } from './second-factor.store.ts'
import { recoveryHash, stepOf } from './totp.ts'
import {
  countWrongCode,
  forgiveWrongCodes,
  noteUse,
  unlessFull,
  wrongCodesOf,
} from './unwritten-factors.ts'

/**
 * In a row, whoever entered them: three codes in a million are right at a time, so all of these
 * guesses together succeed with 1 in 3,000 (NIST SP 800-63B, 3.2.2 allows as many).
 */
const WRONG_CODES_AT_MOST = 100
const WRONG_CODE =
  'This code is wrong, has expired or was used already. Enter the code that the app shows now.'
const TOO_MANY_WRONG =
  'Too many wrong codes were entered for this account. Use a recovery code, or ask an admin to reset the second factor. If it was not you, somebody knows your password: change it.'

/** Of the account; null while sign-in asks for no code of an app. */
export async function appOf(db: Db, userId: string): Promise<StoredFactor | null> {
  const factor = await secondFactorStore.find(db, userId)
  return factor === null || factor.confirmedAt === null ? null : factor
}

/** Counts towards the limits on sign-in, like a password. Throws TooMany. */
export async function takeTurn(ctx: Context, user: UserRecord, ip: string): Promise<Turn> {
  const isKnownAddress = async () => hasSignedInFrom(ctx, user.id, ip)
  const turn = await signInLimitOf(ctx).take({ email: user.email, ip, isKnownAddress })
  if (!('waitMs' in turn)) return turn
  const { seconds, text } = waitOf(turn)
  throw tooMany(`Too many attempts to sign in. Try again in ${text}.`, seconds)
}

/**
 * Takes the code of the app; where `mayRecover`, a recovery code too. `app`: null where only that can
 * be right. Throws 422 for a wrong one, which is counted, so call this outside of a transaction. A
 * recovery code needs room on the disk: it could not be crossed out otherwise.
 */
export async function assertCode(
  ctx: Context,
  { userId, app }: { userId: string; app: StoredFactor | null },
  code: string,
  { mayRecover }: { mayRecover: boolean },
): Promise<void> {
  const hash = mayRecover ? recoveryHash(code) : null
  if (hash !== null) {
    const take = async (trx: Db) => secondFactorStore.takeRecoveryCode(trx, userId, hash)
    if (await ctx.db.transaction().execute(take)) return
  } else if (app !== null) {
    const wrong = app.wrongCodes + wrongCodesOf(userId)
    if (wrong >= WRONG_CODES_AT_MOST) throw refused(TOO_MANY_WRONG, FIELD)
    if (await isFirstUse(ctx, app, code)) return forgiveWrongCodes(userId)
  }
  await unlessFull(
    async () => secondFactorStore.countWrongCode(ctx.db, userId),
    () => countWrongCode(userId),
  )
  throw refused(WRONG_CODE, FIELD)
}

/** False for a wrong code, too. */
async function isFirstUse(ctx: Context, app: StoredFactor, code: string): Promise<boolean> {
  const step = stepOf(ctx.keys.open(app.secretSealed), code, ctx.clock())
  if (step === null) return false
  const write = async () => secondFactorStore.advanceStep(ctx.db, app, step)
  return noteUse(app.secretSealed, { use: step, last: app.lastStep }, write)
}

const FIELD = { field: 'code' }
