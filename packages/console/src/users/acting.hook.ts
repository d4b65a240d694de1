import { roleFromName } from '@trunkline/contract/roles'
import type { Acting, ActedUpon } from '@trunkline/contract/users/user.rules'
import type { User } from '@trunkline/contract/users/user.schema'
import { useSession } from '../lib/session.ts'

/** Who is signed in, as the rules of people want to know it; null for nobody, or an unknown role. */
export function useActing(): Acting | null {
  const user = useSession()?.user
  if (user === undefined) return null
  const role = roleFromName(user.mode.name)
  return role === null
    ? null
    : { id: user._id, role, groupIds: user.groups.map((group) => group._id) }
}

export function actedUpon(user: User): ActedUpon {
  return {
    id: user._id,
    role: user.modeInfo.name,
    groupIds: user.groups.map((group) => group._id),
    hasGroupBeyond: user.hasGroupBeyond,
  }
}
