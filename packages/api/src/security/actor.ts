import { isAdminLevel, type Role } from '@trunkline/contract/roles'
import type { TokenScope } from '@trunkline/contract/users/token-scope.rules'

/** The API token that a call is made with. */
interface TokenInUse {
  readonly id: string
  readonly title: string
  readonly scope: TokenScope
}

/** Who is calling, read from the token and the database, never from what the client says. */
export interface Actor {
  readonly id: string
  readonly email: string
  readonly fullName: string
  readonly role: Role
  /** Groups they manage or belong to, in order of creation; the first is 'the first group' (Q35). */
  readonly groupIds: readonly string[]
  /** The session that calls; '' of an API token, and of somebody whom nobody has signed in. */
  readonly sessionId: string
  /** Of the call, for the record of activity; empty for what the product does on somebody's behalf. */
  readonly ip: string
  /** Missing for who is signed in. */
  readonly apiToken?: TokenInUse
}

/** What a list is cut to: everything, or these groups' objects. */
export type GroupScope = 'all' | readonly string[]

export function groupScope(actor: Actor): GroupScope {
  return isAdminLevel(actor.role) ? 'all' : actor.groupIds
}

export function seesGroup(actor: Actor, groupId: string): boolean {
  const scope = groupScope(actor)
  return scope === 'all' || scope.includes(groupId)
}
