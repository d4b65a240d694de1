/**
 * Sessions that began while the disk of the database was full: this process knows them until it ends,
 * so that whoever has to make room can sign in. Their ids are random, so one map is enough.
 */
import type { UserSession } from './user-session.store.ts'

/** Nobody signs in so often while a disk is full; the oldest goes. */
const MOST = 1000

const known = new Map<string, UserSession>()

export function keepUnwritten(session: UserSession): void {
  known.set(session.id, session)
  const [oldest] = known.keys()
  if (known.size > MOST && oldest !== undefined) known.delete(oldest)
}

/** Of that person, in order of sign-in. */
export function unwrittenOf(userId: string): UserSession[] {
  return [...known.values()].filter((session) => session.userId === userId)
}

export function touchUnwritten(id: string, usedAt: string, address: string): void {
  const session = known.get(id)
  if (session !== undefined) known.set(id, { ...session, usedAt, address })
}

export function findUnwritten(id: string): UserSession | null {
  return known.get(id) ?? null
}

/** Answers false when that person has no such session. */
export function endUnwritten(userId: string, id: string): boolean {
  return known.get(id)?.userId === userId && known.delete(id)
}
