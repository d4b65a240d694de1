/** Which group a page's filter starts on (ROLE-10, Q48). */
import { isAdminLevel, type Role } from '@trunkline/contract/roles'

interface Starting {
  role: Role | null
  /** In order of creation. */
  ownGroupIds: readonly string[]
  /** What this browser remembers; null for nothing. '' is a choice: all groups. */
  remembered: string | null
  /** Whether this page's filter has 'All groups'. */
  hasAll?: boolean
}

/**
 * An editor sees encoders by assignment, across groups (Q32), so a group of their own would hide
 * some of them: they start on all, as admin-level does.
 */
export function seesAllGroups(role: Role | null): boolean {
  return isAdminLevel(role) || role === 'editor'
}

/** Channels belong to groups and to nobody else: only admin-level sees beyond its own (Q48). */
export function seesAllChannels(role: Role | null): boolean {
  return isAdminLevel(role)
}

export function startingGroup(starting: Starting): string {
  const { role, ownGroupIds, remembered, hasAll = seesAllGroups(role) } = starting
  const first = hasAll ? '' : (ownGroupIds[0] ?? '')
  if (remembered === null) return first
  if (remembered === '') return hasAll ? '' : first
  // Another account's group is no filter of this one (STORE-09).
  return hasAll || ownGroupIds.includes(remembered) ? remembered : first
}
