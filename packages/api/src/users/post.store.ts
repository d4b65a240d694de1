/** What a person holds that others rely on: groups to manage, encoders to operate, the last key to the house. */
import type { Role } from '@trunkline/contract/roles'
import type { GroupRef } from '@trunkline/contract/session/session.schema'
import type { Db } from '../db/open.ts'

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

export async function isLastSuperadmin(db: Db, user: { id: string; role: Role }): Promise<boolean> {
  if (user.role !== 'superadmin') return false
  const others = db.selectFrom('users').select('id').where('role', '=', 'superadmin')
  return (await others.where('id', '!=', user.id).limit(1).executeTakeFirst()) === undefined
}

/** The encoders that they are assigned to, and the group of each. */
export async function assignedEncoders(
  db: Db,
  id: string,
): Promise<{ id: string; groupId: string }[]> {
  return db
    .selectFrom('encoder_users')
    .innerJoin('encoders', 'encoders.id', 'encoder_users.encoder_id')
    .select(['encoders.id', 'encoders.group_id as groupId'])
    .where('encoder_users.user_id', '=', id)
    .execute()
}

export async function unassignEncoders(db: Db, id: string): Promise<void> {
  await db.deleteFrom('encoder_users').where('user_id', '=', id).execute()
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
