/** What a list of people is cut to (row S of the role table). */
import { reachOf } from '@trunkline/contract/role-table'
import type { Actor } from '../security/actor.ts'

export type UserScope =
  | { by: 'all' }
  /** Everybody but superadmins. */
  | { by: 'notAbove' }
  /** The people of these groups, and oneself. */
  | { by: 'groups'; groupIds: readonly string[]; userId: string }

export function userScope(actor: Actor): UserScope {
  const reach = reachOf(actor.role, 'listUsers')
  if (reach === 'all' || reach === 'notAbove') return { by: reach }
  return { by: 'groups', groupIds: actor.groupIds, userId: actor.id }
}
