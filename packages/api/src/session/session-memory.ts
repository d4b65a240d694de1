/**
 * Who is behind a token, remembered between calls so that not every call asks the database. Every
 * notice about people or groups empties it; and because another process may write too (a second
 * API, the password command), nothing is remembered for longer than a second: a revoked token is
 * refused everywhere within that second.
 */
import type { Context } from '../context.ts'
import type { Actor } from '../security/actor.ts'
import * as userService from '../users/user.service.ts'

const REMEMBERED_MS = 1000
const PEOPLE_LIMIT = 10_000

interface Memory {
  people: Map<string, { actor: Actor; untilMs: number }>
  /** Grows when the memory is emptied: what was read before that is not kept. */
  generation: number
}

const memories = new WeakMap<Context, Memory>()

/** Null when there is no such user any more. */
export async function remembered(ctx: Context, userId: string): Promise<Actor | null> {
  const memory = memoryOf(ctx)
  const entry = memory.people.get(userId)
  if (entry !== undefined && entry.untilMs > performance.now()) return entry.actor
  const { generation } = memory
  const user = await userService.find(ctx, userId)
  if (user === null) return null
  const actor = userService.actorOf(user)
  if (memory.generation === generation) keep(memory, actor)
  return actor
}

function keep(memory: Memory, actor: Actor): void {
  if (memory.people.size >= PEOPLE_LIMIT) memory.people.clear()
  memory.people.set(actor.id, { actor, untilMs: performance.now() + REMEMBERED_MS })
}

function memoryOf(ctx: Context): Memory {
  const existing = memories.get(ctx)
  if (existing !== undefined) return existing
  const memory: Memory = { people: new Map(), generation: 0 }
  memories.set(ctx, memory)
  ctx.notices.listen((notice) => {
    if (notice.kind !== 'user' && notice.kind !== 'group' && notice.kind !== 'gone') return
    memory.generation += 1
    memory.people.clear()
  })
  return memory
}
