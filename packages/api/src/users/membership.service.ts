/** Who belongs to which group, and who holds what others rely on; for the transactions of groups too. */
import type { Db } from '../context.ts'
import { conflict } from '../errors.ts'
import { unassign, type Cause, type Unassigned } from './assignment.service.ts'
import * as membershipStore from './membership.store.ts'
import * as postStore from './post.store.ts'
import { fullNameOf, type UserRecord } from './user.service.ts'

/**
 * One change of people at a time, in all API processes, until the transaction ends. Call it first:
 * what is read after it stands still.
 */
export async function lockPeople(trx: Db): Promise<void> {
  await postStore.lockPeople(trx)
}

/** 404 when the group is gone, Conflict when they manage it or belong to it already. */
export async function join(trx: Db, groupId: string, user: UserRecord): Promise<void> {
  if (isIn(user, groupId)) throw membershipStore.inAlready()
  await membershipStore.insert(trx, groupId, user.id)
}

export function isIn(user: UserRecord, groupId: string): boolean {
  return user.groups.some((group) => group._id === groupId)
}

/**
 * The one way out of groups: whoever leaves one also leaves its encoders, or they would go on operating
 * them from outside. Answers those encoders; tell them by `tellUnassigned` after the commit.
 */
export async function leave(
  trx: Db,
  groupIds: readonly string[],
  user: UserRecord,
  by: Omit<Cause, 'reason'>,
): Promise<Unassigned[]> {
  await membershipStore.remove(trx, groupIds, user.id)
  return unassign(trx, user.id, groupIds, { ...by, reason: `${fullNameOf(user)} left the group` })
}

/** Ids of the groups that they belong to; one that they manage without belonging to it is none. */
export async function joinedGroupIds(trx: Db, userId: string): Promise<string[]> {
  return membershipStore.joinedGroupIds(trx, userId)
}

/** Conflict while the user manages groups, other than `exceptGroupId` ('' for no exception). */
export async function assertManagesNone(
  trx: Db,
  user: UserRecord,
  exceptGroupId: string,
): Promise<void> {
  const managed = await postStore.managedGroups(trx, user.id)
  const titles = managed.filter((group) => group._id !== exceptGroupId).map(({ title }) => title)
  if (titles.length === 0) return
  const groups = titles.length === 1 ? `group ${titles[0]}` : `the groups ${titles.join(', ')}`
  throw conflict(
    `${fullNameOf(user)} is the manager of ${groups}. Choose another manager there first.`,
  )
}

/** Q50: somebody must be able to undo anything, also while the sign-in provider is away. */
export async function assertSuperadminLeft(trx: Db, without: UserRecord): Promise<void> {
  if (without.provider !== null) return
  if (!(await postStore.isLastSuperadmin(trx, without))) return
  throw conflict(
    `${fullNameOf(without)} is the last superadmin. Make another user a superadmin first.`,
  )
}
