/** Right passwords that one more step follows: short, of one use, in the database. */
import { createHash, randomBytes } from 'node:crypto'
import { MINUTE_MS } from '@trunkline/contract/durations'
import type { Context, Db } from '../../context.ts'
import type { UserRecord } from '../user.store.ts'
import * as challengeStore from './challenge.store.ts'
import type { ChallengePurpose, StoredChallenge } from './challenge.store.ts'
import {
  challengeOwnerOf,
  endChallenge,
  keepChallenge,
  takeChallenge,
  unlessFull,
} from './unwritten-factors.ts'

export type { StoredChallenge } from './challenge.store.ts'

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
  const now = new Date(nowMs).toISOString()
  const write = async () => challengeStore.insert(ctx.db, challenge, now)
  await unlessFull(write, () => keepChallenge(challenge))
  return text
}

/** Null for one that never was or is over. */
export async function ownerOf(ctx: Context, text: string): Promise<string | null> {
  const id = idOf(text)
  return challengeOwnerOf(id) ?? challengeStore.ownerOf(ctx.db, id)
}

/**
 * Counts a try at it. Null for one that never was, is over, or is for something else; and for one of
 * before the disk was full, whose tries cannot be counted.
 */
export async function take(
  ctx: Context,
  text: string,
  purpose: ChallengePurpose,
): Promise<StoredChallenge | null> {
  const id = idOf(text)
  const limits = { now: new Date(ctx.clock()).toISOString(), most: TRIES, purpose }
  const unwritten = takeChallenge(id, limits)
  if (unwritten !== undefined) return unwritten
  return unlessFull(
    async () => challengeStore.take(ctx.db, id, limits),
    () => null,
  )
}

/** Answers false when it was used meanwhile. */
export async function use(db: Db, { id }: StoredChallenge): Promise<boolean> {
  return endChallenge(id) || challengeStore.remove(db, id)
}

function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
