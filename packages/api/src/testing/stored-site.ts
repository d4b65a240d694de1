/**
 * Rows as the stores write them, and what most store tests stand on: a manager, two groups, one server
 * of each type.
 */
import type { Role } from '@trunkline/contract/roles'
import type { Insertable } from 'kysely'
import type { Connection, Db } from '../db/open.ts'
import type { Database } from '../db/schema.ts'
import * as groupStore from '../groups/group.store.ts'
import * as serverStore from '../servers/server.store.ts'
import * as userStore from '../users/user.store.ts'

export const STORED_AT = '2026-11-20T10:00:00.000Z'

/** A manager 'boss', and these groups of theirs. */
export async function addStoredGroups(db: Connection, ...ids: string[]): Promise<void> {
  await addStoredUser(db, 'boss', 'manager')
  for (const id of ids) await addStoredGroup(db, id, 'boss')
}

/** `more`: what the test is about. */
export async function addStoredGroup(
  db: Db,
  id: string,
  managerId: string,
  more: Partial<Parameters<typeof groupStore.insert>[1]> = {},
): Promise<void> {
  const group = { id, title: id, description: '', managerId, version: 1, createdAt: STORED_AT }
  await groupStore.insert(db, { ...group, ...more })
}

/** `more`: what the test is about. */
export async function addStoredUser(
  db: Db,
  id: string,
  role: Role,
  more: Partial<Parameters<typeof userStore.insert>[1]> = {},
): Promise<void> {
  const names = { firstName: id, lastName: 'Lee', email: `${id}@trunkline.example` }
  const versions = { tokenVersion: 1, version: 1, createdAt: STORED_AT }
  await userStore.insert(db, { id, role, passwordHash: '', ...names, ...versions, ...more })
}

/** As they stand in the database: the version of the group stays. */
export async function addStoredMembers(
  db: Db,
  groupId: string,
  userIds: readonly string[],
): Promise<void> {
  const rows = userIds.map((user_id) => ({ group_id: groupId, user_id }))
  await db.insertInto('group_users').values(rows).execute()
}

/** Groups 'north' and 'south', users 'boss' and 'editor', servers 'gateway' (north) and 'streams' (both). */
export async function addStoredSite(db: Connection): Promise<void> {
  await addStoredGroups(db, 'north', 'south')
  await addStoredUser(db, 'editor', 'editor')
  await serverStore.insert(db, storedServer('gateway', 'acants', 9000), ['north'])
  await serverStore.insert(db, storedServer('streams', 'channel', 9001), ['north', 'south'])
}

function storedServer(id: string, serverType: 'acants' | 'channel', port: number) {
  return {
    id,
    title: id,
    host: 'HTTP://Media.example.org',
    port,
    serverType,
    apiKeySealed: `sealed ${id}`,
    description: '',
    location: '',
    adapters: [],
    version: 1,
    createdAt: STORED_AT,
  }
}

type EncoderRow = Insertable<Database['encoders']>

/** An encoder straight in the database; `more`: the columns that a test is about. */
export function encoderRow(
  id: string,
  groupId: string,
  more: Partial<EncoderRow> = {},
): EncoderRow {
  return {
    id,
    name: id,
    title: id,
    description: '',
    ip: '192.0.2.1',
    port: 9000,
    location: '',
    physical_address: '',
    contact_number: '',
    email: '',
    group_id: groupId,
    api_key_sealed: '',
    is_enabled: 1,
    wanted_running: 0,
    config: null,
    card_idx: null,
    version: 1,
    created_at: STORED_AT,
    search: '',
    ...more,
  }
}
