/**
 * Who is behind a session, remembered between calls so that not every call asks the database. Every
 * notice about people or groups empties it; and because another process may write too (a second
 * API, the password command), nothing is remembered for longer than a second: a session that has
 * ended is refused everywhere within that second.
 */
import type { Context } from '../context.ts'
import type { Actor } from '../security/actor.ts'
import * as apiTokenUseService from '../users/api-tokens/api-token-use.service.ts'
import * as userService from '../users/user.service.ts'
import * as userSessionService from '../users/sessions/user-session.service.ts'

const REMEMBERED_MS = 1000
const SESSIONS_LIMIT = 10_000

/** Who is calling, and since when by password; with an API token, since now. */
export interface SignedIn extends Actor {
  readonly signedInMs: number
}

interface Memory {
  /** By session, and by the hash of an API token. */
  actors: Map<string, { actor: SignedIn; untilMs: number }>
  /** Grows when the memory is emptied: what was read before that is not kept. */
  generation: number
}

interface Found {
  user: userService.UserRecord
  session: userSessionService.UserSession
  /** Without the address of the call: what is remembered serves many. */
  actor: SignedIn
}

const memories = new WeakMap<Context, Memory>()

/** Null when there is no such session any more. `ip`: of this call, for the note of the last use. */
export async function remembered(
  ctx: Context,
  sessionId: string,
  ip: string,
): Promise<SignedIn | null> {
  const known = rememberedNow(ctx, sessionId)
  if (known !== null) return known
  const memory = memoryOf(ctx)
  const { generation } = memory
  const found = await read(ctx, sessionId)
  if (found === null) return null
  if (memory.generation === generation) keep(memory, sessionId, found.actor)
  await userSessionService.touch(ctx, found.session, ip)
  return found.actor
}

/** Null when there is no such API token any more. `hash`: of the token; `ip`: of this call. */
export async function rememberedToken(
  ctx: Context,
  hash: string,
  ip: string,
): Promise<SignedIn | null> {
  const known = rememberedNow(ctx, hash)
  if (known !== null) return known
  const memory = memoryOf(ctx)
  const { generation } = memory
  const found = await apiTokenUseService.readByHash(ctx, hash)
  if (found === null) return null
  const actor = { ...found.actor, signedInMs: ctx.clock() }
  if (memory.generation === generation) keep(memory, hash, actor)
  await apiTokenUseService.touch(ctx, found.token, ip)
  return actor
}

/** As far as it is remembered, by session or hash of an API token; null: ask the database. */
export function rememberedNow(ctx: Context, key: string): SignedIn | null {
  const entry = memoryOf(ctx).actors.get(key)
  return entry !== undefined && entry.untilMs > performance.now() ? entry.actor : null
}

/** From the database; null when the session has ended. */
export async function read(ctx: Context, sessionId: string): Promise<Found | null> {
  const session = await userSessionService.find(ctx.db, sessionId)
  const user = session === null ? null : await userService.find(ctx, session.userId)
  if (session === null || user?.tokenVersion !== session.tokenVersion) return null
  const signedInMs = Date.parse(session.signedInAt)
  return {
    user,
    session,
    actor: { ...userService.actorOf(user, { sessionId, ip: '' }), signedInMs },
  }
}

function keep(memory: Memory, key: string, actor: SignedIn): void {
  if (memory.actors.size >= SESSIONS_LIMIT) memory.actors.clear()
  memory.actors.set(key, { actor, untilMs: performance.now() + REMEMBERED_MS })
}

function memoryOf(ctx: Context): Memory {
  const existing = memories.get(ctx)
  if (existing !== undefined) return existing
  const memory: Memory = { actors: new Map(), generation: 0 }
  memories.set(ctx, memory)
  ctx.notices.listen((notice) => {
    if (notice.kind !== 'user' && notice.kind !== 'group' && notice.kind !== 'gone') return
    memory.generation += 1
    memory.actors.clear()
  })
  return memory
}
