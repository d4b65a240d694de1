import type { UserRecord } from './user.store.ts'

/** A manager, as stored. */
export function userRecord(id: string, more: Partial<UserRecord> = {}) {
  return {
    id,
    firstName: 'Ann',
    lastName: 'Lee',
    email: `${id}@example.org`,
    role: 'manager' as const,
    passwordHash: 'hash',
    tokenVersion: 1,
    version: 1,
    createdAt: '2026-11-20T10:00:00.000Z',
    ...more,
  }
}
