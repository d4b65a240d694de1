/** Calling with an API token: who that is, and the note of its last use. */
import { MINUTE_MS } from '@trunkline/contract/durations'
import type { Context } from '../../context.ts'
import type { Actor } from '../../security/actor.ts'
import { actorByToken } from '../user.service.ts'
import * as apiTokenStore from './api-token.store.ts'
import type { StoredToken } from './api-token.store.ts'
import { tokenHash } from './token-text.ts'

const TOUCH_MS = MINUTE_MS

/** By what it is looked up; null for what is no API token. */
export function hashOfToken(text: string): string | null {
  return tokenHash(text)
}

/** From the database, with the role and groups that its owner has now; null when it has ended. */
export async function readByHash(
  ctx: Context,
  hash: string,
): Promise<{ token: StoredToken; actor: Actor } | null> {
  const token = await apiTokenStore.findByHash(ctx.db, hash)
  if (token === null || Date.parse(token.expiresAt) <= ctx.clock()) return null
  const actor = await actorByToken(ctx.db, token)
  return actor === null ? null : { token, actor }
}

/** Notes a use from `ip`, at most once in a minute; never throws, for it is a note only. */
export async function touch(ctx: Context, token: StoredToken, ip: string): Promise<void> {
  const nowMs = ctx.clock()
  if (token.usedAt !== null && nowMs - Date.parse(token.usedAt) < TOUCH_MS) return
  try {
    await apiTokenStore.touch(ctx.db, token.id, new Date(nowMs).toISOString(), ip)
  } catch (error) {
    ctx.log.warn({ err: error }, 'The last use of an API token could not be noted.')
  }
}
