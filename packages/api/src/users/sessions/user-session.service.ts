/** The sessions of people: one per sign-in, so that each can be ended by itself. */
import { DAY_MS } from '@trunkline/contract/durations'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { isStorageFull } from '../../http/storage-fault.ts'
import { newId } from '../../id.ts'
import type { Actor } from '../../security/actor.ts'
import {
  endUnwritten,
  findUnwritten,
  keepUnwritten,
  touchUnwritten,
  unwrittenOf,
} from './unwritten-sessions.ts'
import type { UserRecord } from '../user.store.ts'
import * as userSessionStore from './user-session.store.ts'
import type { UserSession } from './user-session.store.ts'

export type { UserSession } from './user-session.store.ts'

/** A token that is not renewed for so long is refused, and its session over. */
export const SESSION_IDLE_MS = 12 * 3_600_000
/** How exactly the last use is known: one write in that time, however much a session is used. */
const TOUCH_MS = 5 * 60_000
/** Of one person; a program that signs in for every call must not fill the table. */
const SESSIONS_PER_PERSON = 100
const USER_AGENT_CHARACTERS = 256

export interface Client {
  ip: string
  /** As the browser names itself; '' when it does not. */
  userAgent: string
}

/** What is known of a session by its sign-in at the provider. */
export type ProviderProof = Pick<UserSession, 'idTokenSealed' | 'authenticatedAt'>

const BY_PASSWORD: ProviderProof = { idTokenSealed: null, authenticatedAt: null }

/**
 * `user`: as read before the password was checked, so that one changed meanwhile begins nothing.
 * Null when they were removed meanwhile. `proof`: of a sign-in at the provider.
 */
export async function begin(
  ctx: Context,
  user: Pick<UserRecord, 'id' | 'tokenVersion'>,
  { ip, userAgent }: Client,
  proof: ProviderProof = BY_PASSWORD,
): Promise<UserSession | null> {
  const nowMs = ctx.clock()
  const now = new Date(nowMs).toISOString()
  const session: UserSession = {
    id: newId(),
    userId: user.id,
    tokenVersion: user.tokenVersion,
    signedInAt: now,
    usedAt: now,
    address: ip,
    userAgent: userAgent.slice(0, USER_AGENT_CHARACTERS),
    ...proof,
  }
  const signedInBefore = new Date(nowMs - ctx.config.sessionDays * DAY_MS).toISOString()
  const write = ctx.db.transaction().execute(async (trx) => {
    await userSessionStore.insert(trx, session)
    const limits = { signedInBefore, most: SESSIONS_PER_PERSON, keptId: session.id }
    return (await userSessionStore.removeBeyond(trx, user, limits)) ? 'others ended' : 'begun'
  })
  const outcome = await write.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return 'no such user' as const
    if (!isStorageFull(error)) throw error
    keepUnwritten(session)
    return 'begun' as const
  })
  if (outcome === 'no such user') return null
  if (outcome === 'others ended') ctx.notices.tell({ kind: 'gone', userId: user.id })
  return session
}

/** Null when it was ended. Compare its `tokenVersion` with the account's, too. */
export async function find(db: Db, id: string): Promise<UserSession | null> {
  return (await userSessionStore.find(db, id)) ?? findUnwritten(id)
}

/** Of that account as it is, the last used first. */
export async function listOpen(
  ctx: Context,
  user: Pick<UserRecord, 'id' | 'tokenVersion'>,
): Promise<UserSession[]> {
  const since = (ms: number) => new Date(ctx.clock() - ms).toISOString()
  const signedInSince = since(ctx.config.sessionDays * DAY_MS)
  const usedSince = since(SESSION_IDLE_MS + TOUCH_MS)
  const written = await userSessionStore.list(ctx.db, user, { signedInSince, usedSince })
  const unwritten = unwrittenOf(user.id).filter(
    ({ tokenVersion, signedInAt, usedAt }) =>
      tokenVersion === user.tokenVersion && signedInAt >= signedInSince && usedAt >= usedSince,
  )
  return [...written, ...unwritten].toSorted((a, b) => (a.usedAt < b.usedAt ? 1 : -1))
}

/** Notes a use from `ip`, at most once in five minutes; never throws, for it is a note only. */
export async function touch(ctx: Context, session: UserSession, ip: string): Promise<void> {
  const nowMs = ctx.clock()
  if (nowMs - Date.parse(session.usedAt) < TOUCH_MS) return
  const usedAt = new Date(nowMs).toISOString()
  touchUnwritten(session.id, usedAt, ip)
  try {
    await userSessionStore.touch(ctx.db, session.id, usedAt, ip)
  } catch (error) {
    ctx.log.warn({ err: error }, 'The last use of a session could not be noted.')
  }
}

/** The last step in the transaction of whoever ends it: an unwritten one does not come back. Tell of it afterwards. */
export async function end(trx: Db, { userId, id }: UserSession): Promise<void> {
  await userSessionStore.end(trx, userId, id)
  endUnwritten(userId, id)
}

/** After a change that ended every session of an account: this one goes on. In the change's transaction. */
export async function keep(trx: Db, id: string, tokenVersion: number): Promise<void> {
  const unwritten = findUnwritten(id)
  if (await userSessionStore.keep(trx, id, tokenVersion)) return
  // There is room now. What was known without a row has the old version: it has ended by itself.
  if (unwritten !== null) await userSessionStore.insert(trx, { ...unwritten, tokenVersion })
}

/**
 * The caller's own session alone: its token, and every copy of it, is refused from then on. Answers it
 * as it was; null when somebody else has ended it.
 */
export async function endOwn(ctx: Context, actor: Actor): Promise<UserSession | null> {
  const unwritten = findUnwritten(actor.sessionId)
  const isUnwritten = endUnwritten(actor.id, actor.sessionId)
  // Asked first: on a full disk nothing is deleted, and an unwritten one has a row only if it was kept.
  const written = await userSessionStore.find(ctx.db, actor.sessionId)
  const isRowEnded =
    written !== null && (await userSessionStore.end(ctx.db, actor.id, actor.sessionId))
  const isEnded = isUnwritten || isRowEnded
  if (isEnded) {
    // The session ends, whether there is room for the line or not.
    await auditService.recordIfRoom(ctx, {
      actor,
      call: 'session.signOut',
      object: { kind: 'user', id: actor.id },
    })
  }
  ctx.notices.tell({ kind: 'gone', userId: actor.id })
  return isEnded ? (written ?? unwritten) : null
}
