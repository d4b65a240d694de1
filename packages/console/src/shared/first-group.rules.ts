/** Which group a page's filter starts on (ROLE-10, Q48). */
import { isAdminLevel, type Role } from '@trunkline/contract/roles'

interface Starting {
  role: Role | null
  /** In order of creation. */
  ownGroupIds: readonly string[]
  /** What this browser remembers; null for nothing. '' is a choice: all groups. */
  remembered: string | null
}

/**
 * An editor sees encoders by assignment, across groups (Q32), so a group of their own would hide
 * some of them: they start on all, as admin-level does.
 */
export function seesAllGroups(role: Role | null): boolean {
  return isAdminLevel(role) || role === 'editor'
}

export function startingGroup({ role, ownGroupIds, remembered }: Starting): string {
  const first = seesAllGroups(role) ? '' : (ownGroupIds[0] ?? '')
  if (remembered === null) return first
  if (remembered === '') return seesAllGroups(role) ? '' : first
  // Another account's group is no filter of this one (STORE-09).
  return seesAllGroups(role) || ownGroupIds.includes(remembered) ? remembered : first
}
