/** Who belongs to which group. A change of who belongs to a group is a change of the group. */
import type { GroupRef } from '@trunkline/contract/session/session.schema'
import { guarded } from '../db/guarded.ts'
import type { Db } from '../db/open.ts'
import { titleKey } from '../db/search.ts'
import { conflict, notFound, type AppError } from '../errors.ts'
import type { GroupScope } from '../security/actor.ts'

/** More ids than this are not spelled out: reading all rows is cheaper, and SQLite limits variables. */
export const SPELLED_OUT_LIMIT = 500

/** By user id: the groups that they manage or belong to, in order of creation, cut to the scope. */
export async function groupsOf(
  db: Db,
  userIds: readonly string[],
  scope: GroupScope,
): Promise<Map<string, GroupRef[]>> {
  const found = new Map<string, GroupRef[]>(userIds.map((id) => [id, []]))
  if (userIds.length === 0 || (scope !== 'all' && scope.length === 0)) return found
  const columns = ['groups.id as _id', 'groups.title', 'groups.created_at as createdAt'] as const
  let belonging = db
    .selectFrom('group_users')
    .innerJoin('groups', 'groups.id', 'group_users.group_id')
    .select(['group_users.user_id as userId', ...columns])
  let managing = db.selectFrom('groups').select(['groups.manager_id as userId', ...columns])
  if (userIds.length <= SPELLED_OUT_LIMIT) {
    belonging = belonging.where('group_users.user_id', 'in', userIds)
    managing = managing.where('groups.manager_id', 'in', userIds)
  }
  if (scope !== 'all') {
    belonging = belonging.where('groups.id', 'in', scope)
    managing = managing.where('groups.id', 'in', scope)
  }
  const rows = await belonging.union(managing).orderBy('createdAt').orderBy('_id').execute()
  for (const { userId, _id, title } of rows) found.get(userId)?.push({ _id, title })
  return found
}

/**
 * By user id: the groups that they belong to or manage, and those of the encoders that they are
 * assigned to, whoever may see them. For the rules of people, never for an answer.
 */
export async function everyGroupIdsOf(
  db: Db,
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>(userIds.map((id) => [id, []]))
  if (userIds.length === 0) return found
  let belonging = db.selectFrom('group_users').select(['user_id as userId', 'group_id as groupId'])
  let managing = db.selectFrom('groups').select(['manager_id as userId', 'id as groupId'])
  let assigned = db
    .selectFrom('encoder_users')
    .innerJoin('encoders', 'encoders.id', 'encoder_users.encoder_id')
    .select(['encoder_users.user_id as userId', 'encoders.group_id as groupId'])
  if (userIds.length <= SPELLED_OUT_LIMIT) {
    belonging = belonging.where('user_id', 'in', userIds)
    managing = managing.where('manager_id', 'in', userIds)
    assigned = assigned.where('encoder_users.user_id', 'in', userIds)
  }
  const rows = await belonging.union(managing).union(assigned).execute()
  for (const { userId, groupId } of rows) found.get(userId)?.push(groupId)
  return found
}

/** Ids of the groups that they belong to, whoever manages those. */
export async function joinedGroupIds(db: Db, userId: string): Promise<string[]> {
  const rows = db.selectFrom('group_users').select('group_id').where('user_id', '=', userId)
  return (await rows.execute()).map((row) => row.group_id)
}

/** Without regard to case; titles that no group has are passed over. */
export async function groupIdsByTitle(db: Db, titles: readonly string[]): Promise<string[]> {
  const keys = [...new Set(titles.map(titleKey))].slice(0, SPELLED_OUT_LIMIT)
  if (keys.length === 0) return []
  const rows = db.selectFrom('groups').select('id').where('title_key', 'in', keys)
  return (await rows.orderBy('created_at').orderBy('id').execute()).map((row) => row.id)
}

/** Conflict when the user is in the group already; 404 when there is no such group. */
export async function insert(db: Db, groupId: string, userId: string): Promise<void> {
  await guarded({ unique: inAlready, foreignKey: () => notFound('group') }, async () =>
    db.insertInto('group_users').values({ group_id: groupId, user_id: userId }).execute(),
  )
  await bumpVersions(db, [groupId])
}

export function inAlready(): AppError {
  return conflict('This user is in the group already.', { field: 'userId' })
}

export async function remove(db: Db, groupIds: readonly string[], userId: string): Promise<void> {
  if (groupIds.length === 0) return
  await db
    .deleteFrom('group_users')
    .where('user_id', '=', userId)
    .where('group_id', 'in', groupIds)
    .execute()
  await bumpVersions(db, groupIds)
}

async function bumpVersions(db: Db, groupIds: readonly string[]): Promise<void> {
  await db
    .updateTable('groups')
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', 'in', groupIds)
    .execute()
}
