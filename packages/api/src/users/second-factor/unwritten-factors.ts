/**
 * What the second step of a sign-in would have written while the disk of the database was full: this
 * process knows it until it ends, so that whoever has to make room can sign in, and a code counts once.
 */
import { isStorageFull } from '../../http/storage-fault.ts'
import type { ChallengePurpose, StoredChallenge } from './challenge.store.ts'

/** Nobody signs in so often while a disk is full; the oldest goes. */
const MOST_CHALLENGES = 1000

const challenges = new Map<string, { challenge: StoredChallenge; tries: number }>()
/** By app or passkey, so at most as many as accounts have. */
const lastUses = new Map<string, number>()
const wrongCodes = new Map<string, number>()

export function keepChallenge(challenge: StoredChallenge): void {
  challenges.set(challenge.id, { challenge, tries: 0 })
  const [oldest] = challenges.keys()
  if (challenges.size > MOST_CHALLENGES && oldest !== undefined) challenges.delete(oldest)
}

/** As `take` of challenge.store.ts; `undefined`: it is not known here. */
export function takeChallenge(
  id: string,
  { now, most, purpose }: { now: string; most: number; purpose: ChallengePurpose },
): StoredChallenge | null | undefined {
  const kept = challenges.get(id)
  if (kept === undefined) return undefined
  const { challenge } = kept
  if (challenge.purpose !== purpose || challenge.expiresAt <= now || kept.tries >= most) return null
  kept.tries += 1
  return challenge
}

export function challengeOwnerOf(id: string): string | null {
  return challenges.get(id)?.challenge.userId ?? null
}

/** Answers false when somebody else was faster, or it is not known here. */
export function endChallenge(id: string): boolean {
  return challenges.delete(id)
}

/**
 * Notes a use of an app or a passkey: by `write`, or here while there is no room. Answers false for one
 * that is not after the last. `use`: the step of its code, or its count of signatures; `last`: as stored.
 */
export async function noteUse(
  factor: string,
  { use, last }: { use: number; last: number },
  write: () => Promise<boolean>,
): Promise<boolean> {
  const isNew = () => use > (lastUses.get(factor) ?? -1)
  if (!isNew()) return false
  return unlessFull(write, () => {
    // Asked again: another sign-in may have been faster.
    if (use <= last || !isNew()) return false
    lastUses.set(factor, use)
    return true
  })
}

/** In a row, beside those that are stored. */
export function wrongCodesOf(userId: string): number {
  return wrongCodes.get(userId) ?? 0
}

export function countWrongCode(userId: string): void {
  wrongCodes.set(userId, wrongCodesOf(userId) + 1)
}

export function forgiveWrongCodes(userId: string): void {
  wrongCodes.delete(userId)
}

/** What `write` answers, or what `instead` does while nothing can be written. */
export async function unlessFull<T>(write: () => Promise<T>, instead: () => T): Promise<T> {
  return write().catch((error: unknown) => {
    if (!isStorageFull(error)) throw error
    return instead()
  })
}
