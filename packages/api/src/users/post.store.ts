/** What a person holds that others rely on: groups to manage, encoders to operate, the last key to the house. */
import type { Role } from '@trunkline/contract/roles'
import type { GroupRef } from '@trunkline/contract/session/session.schema'
import type { Db } from '../db/open.ts'
import type { GroupScope } from '../security/actor.ts'

/**
 * One at a time, in all API processes, until the transaction ends: changes of roles, posts and
 * memberships look at several people at once. Take it before reading what is decided upon.
 */
export async function lockPeople(trx: Db): Promise<void> {
  await trx
    .insertInto('marks')
    .values({ name: 'change of people', value: '' })
    .onConflict((known) => known.column('name').doUpdateSet({ value: '' }))
    .execute()
}

/** Of local accounts: people of the sign-in provider cannot sign in while that is away. */
export async function isLastSuperadmin(db: Db, user: { id: string; role: Role }): Promise<boolean> {
  if (user.role !== 'superadmin') return false
  const others = db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'superadmin')
    .where('provider_subject', 'is', null)
  return (await others.where('id', '!=', user.id).limit(1).executeTakeFirst()) === undefined
}

export interface AssignedEncoder {
  id: string
  groupId: string
  /** Every editor who is assigned to it, in a stable order. */
  userIds: string[]
}

/** The encoders of these groups that they are assigned to. */
export async function assignedEncoders(
  db: Db,
  userId: string,
  groupIds: GroupScope,
): Promise<AssignedEncoder[]> {
  if (groupIds !== 'all' && groupIds.length === 0) return []
  const pairs = await db
    .selectFrom('encoder_users')
    .innerJoin('encoders', 'encoders.id', 'encoder_users.encoder_id')
    .select(['encoders.id', 'encoders.group_id as groupId', 'encoder_users.user_id as userId'])
    .where('encoders.id', 'in', assignedIds(db, userId, groupIds))
    .orderBy('encoders.created_at')
    .orderBy('encoders.id')
    .orderBy('encoder_users.user_id')
    .execute()
  return [...Map.groupBy(pairs, (pair) => pair.id).values()].flatMap((some) => {
    const [first] = some
    if (first === undefined) return []
    return [{ id: first.id, groupId: first.groupId, userIds: some.map((item) => item.userId) }]
  })
}

/** A change of its editors is a change of the encoder. */
export async function unassignEncoders(
  db: Db,
  userId: string,
  groupIds: GroupScope,
): Promise<void> {
  if (groupIds !== 'all' && groupIds.length === 0) return
  const ids = assignedIds(db, userId, groupIds)
  await db
    .updateTable('encoders')
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
  await db
    .deleteFrom('encoder_users')
    .where('user_id', '=', userId)
    .where('encoder_id', 'in', ids)
    .execute()
}

function assignedIds(db: Db, userId: string, groupIds: GroupScope) {
  const ids = db
    .selectFrom('encoder_users')
    .innerJoin('encoders', 'encoders.id', 'encoder_users.encoder_id')
    .select('encoders.id')
    .where('encoder_users.user_id', '=', userId)
  return groupIds === 'all' ? ids : ids.where('encoders.group_id', 'in', groupIds)
}

/** In order of creation. */
export async function managedGroups(db: Db, userId: string): Promise<GroupRef[]> {
  return db
    .selectFrom('groups')
    .select(['id as _id', 'title'])
    .where('manager_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
