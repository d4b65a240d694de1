/** Who calls, as a script wants to know it before it begins. */
import type { ReplyOf } from '@trunkline/contract/route'
import type { Caller, readCaller } from '@trunkline/contract/users/caller.calls'
import type { Context } from '../context.ts'
import { REVOKED, TOKEN_REFUSED, unauthenticated } from '../errors.ts'
import type { Actor } from '../security/actor.ts'
import * as apiTokenStore from './api-tokens/api-token.store.ts'
import * as userStore from './user.store.ts'

/** Throws Unauthenticated for whoever has lost the account or the token meanwhile. */
export async function read(ctx: Context, actor: Actor): Promise<ReplyOf<typeof readCaller>> {
  const { id, fullName, email, role, apiToken } = actor
  const account = { id, fullName, email, role }
  if (apiToken === undefined) {
    return { status: true, data: { ...account, ...(await personOf(ctx, id)), apiToken: null } }
  }
  const token = await apiTokenStore.find(ctx.db, apiToken.id)
  if (token === null) throw unauthenticated(TOKEN_REFUSED)
  const { owner, title, scope, expiresAt } = token
  const owned =
    owner.kind === 'person'
      ? await personOf(ctx, id)
      : { kind: 'service' as const, groups: owner.groups }
  return {
    status: true,
    data: { ...account, ...owned, apiToken: { id: token.id, title, scope, expiresAt } },
  }
}

async function personOf(ctx: Context, id: string): Promise<Pick<Caller, 'kind' | 'groups'>> {
  const user = await userStore.find(ctx.db, id)
  if (user === null) throw unauthenticated(REVOKED)
  return { kind: 'person', groups: user.groups }
}
