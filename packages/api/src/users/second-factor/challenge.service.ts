/** Right passwords that one more step follows: short, of one use, in the database. */
import { createHash, randomBytes } from 'node:crypto'
import { MINUTE_MS } from '@trunkline/contract/durations'
import type { Context, Db } from '../../context.ts'
import type { UserRecord } from '../user.store.ts'
import * as challengeStore from './challenge.store.ts'
import type { ChallengePurpose, StoredChallenge } from './challenge.store.ts'

/** Time to fetch a telephone. */
const CHALLENGE_MS = 5 * MINUTE_MS
/** Then the password is asked for again. */
const TRIES = 5
/** 192 bits, as API tokens have; WebAuthn asks for 128 at least (13.4.3). */
const RANDOM_BYTES = 24

/** Answers what the client sends back. `user`: as read before the password was checked. */
export async function begin(
  ctx: Context,
  user: Pick<UserRecord, 'id' | 'tokenVersion'>,
  purpose: ChallengePurpose,
): Promise<string> {
  const text = randomBytes(RANDOM_BYTES).toString('base64url')
  const nowMs = ctx.clock()
  const challenge: StoredChallenge = {
    id: idOf(text),
    userId: user.id,
    tokenVersion: user.tokenVersion,
    purpose,
    expiresAt: new Date(nowMs + CHALLENGE_MS).toISOString(),
  }
  await challengeStore.insert(ctx.db, challenge, new Date(nowMs).toISOString())
  return text
}

/** Null for one that never was or is over. */
export async function ownerOf(ctx: Context, text: string): Promise<string | null> {
  return challengeStore.ownerOf(ctx.db, idOf(text))
}

/** Counts a try at it. Null for one that never was, is over, or is for something else. */
export async function take(
  ctx: Context,
  text: string,
  purpose: ChallengePurpose,
): Promise<StoredChallenge | null> {
  const now = new Date(ctx.clock()).toISOString()
  return challengeStore.take(ctx.db, idOf(text), { now, most: TRIES, purpose })
}

/** Answers false when it was used meanwhile. */
export async function use(db: Db, { id }: StoredChallenge): Promise<boolean> {
  return challengeStore.remove(db, id)
}

function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
