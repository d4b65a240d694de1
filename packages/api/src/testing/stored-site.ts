/** What most store tests stand on: a manager, two groups, one server of each type. */
import type { Insertable } from 'kysely'
import type { Connection } from '../db/open.ts'
import type { Database } from '../db/schema.ts'
import * as groupStore from '../groups/group.store.ts'
import * as serverStore from '../servers/server.store.ts'
import * as userStore from '../users/user.store.ts'

export const STORED_AT = '2026-11-20T10:00:00.000Z'

/** A manager 'boss', and these groups of theirs. */
export async function addStoredGroups(db: Connection, ...ids: string[]): Promise<void> {
  await addStoredUser(db, 'boss', 'manager')
  for (const id of ids) {
    const group = { id, title: id, description: '', managerId: 'boss', version: 1 }
    await groupStore.insert(db, { ...group, createdAt: STORED_AT })
  }
}

async function addStoredUser(db: Connection, id: string, role: 'manager' | 'editor') {
  const names = { firstName: id, lastName: 'Lee', email: `${id}@example.org` }
  const versions = { tokenVersion: 1, version: 1, createdAt: STORED_AT }
  await userStore.insert(db, { id, role, passwordHash: '', ...names, ...versions })
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
