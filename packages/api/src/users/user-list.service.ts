/** Looking at people: row S of the role table, in the query. */
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { findUser, listRoles, listUsers } from '@trunkline/contract/users/user.calls'
import { grantableRoles } from '@trunkline/contract/users/user.rules'
import type { Context } from '../context.ts'
import type { Actor } from '../security/actor.ts'
import { userScope } from './user-scope.ts'
import { load, wireUser } from './user.service.ts'
import * as userStore from './user.store.ts'

export async function list(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof listUsers>,
): Promise<ReplyOf<typeof listUsers>> {
  const { users, total } = await userStore.list(ctx.db, {
    scope: userScope(actor),
    groupId: query.groupId,
    role: query.mode,
    search: query.searchText,
    page: query.page,
    rows: query.rowsPerPage,
    sort: query.sort,
  })
  const data = users.map((user) => wireUser(actor, user))
  return { status: true, data, users: data, total }
}

export async function find(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof findUser>> {
  const data = wireUser(actor, await load(ctx.db, actor, id))
  return { status: true, data, user: data }
}

/** Nobody is offered a role that they may not give (Q24). */
export function roles(actor: Actor): ReplyOf<typeof listRoles> {
  const data = grantableRoles(actor.role).map((name) => ({ _id: name, name }))
  return { status: true, data, roles: data }
}
