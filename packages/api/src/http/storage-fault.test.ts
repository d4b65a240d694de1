import { addGroup } from '@trunkline/contract/groups/group.calls'
import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DatabaseBusy } from '../db/faults.ts'
import { databaseContent } from '../testing/database-content.ts'
import { inject } from '../testing/inject.ts'
import { openTestApp } from '../testing/test-app.ts'
import { storageFault } from './storage-fault.ts'

function coded(code: string): Error {
  return Object.assign(new Error('from the database'), { code })
}

test.each([
  ['SQLITE_FULL', 507],
  ['SQLITE_IOERR_WRITE', 507],
  ['SQLITE_IOERR_SHMSIZE', 507],
  ['53100', 507],
  ['SQLITE_BUSY', 503],
  ['SQLITE_BUSY_SNAPSHOT', 503],
  ['DATABASE_FILE_GONE', 503],
  ['53300', 503],
])('%s passes, or is solved, without a change of the call: %i', (code, status) => {
  const fault = storageFault(coded(code))
  expect([fault?.code, fault?.more.httpStatus ?? 503]).toEqual(['unavailable', status])
  expect(fault?.message).toMatch(/Nothing was changed\./)
})

test('a lost connection: 503, when to try again, and no claim that nothing was changed', () => {
  const fault = storageFault(coded('DATABASE_AWAY'))
  expect([fault?.code, fault?.more.retryAfterS]).toEqual(['unavailable', 1])
  expect(fault?.message).toMatch(/no connection to its database.*check first whether/)
})

test('connections that others have for too long: busy, not lost, and no claim that nothing was changed', () => {
  const fault = storageFault(new DatabaseBusy(30_000))
  expect([fault?.code, fault?.more.retryAfterS]).toEqual(['unavailable', 2])
  expect(fault?.message).toMatch(/^The database is busy: .*check first whether/)
})

test('other faults of the database are our own', () => {
  for (const code of [
    'SQLITE_ERROR',
    'SQLITE_CONSTRAINT_UNIQUE',
    '23505',
    '42601',
    '57P01',
    'ECONNRESET',
  ]) {
    expect(storageFault(coded(code))).toBeNull()
  }
  expect(storageFault('x')).toBeNull()
})

test('F6 a database that another program holds: 503 and when to try again, reading goes on', async () => {
  await using test = await openTestApp()
  const { token } = test.people.admin
  const before = await databaseContent(test.ctx)
  const other = new Sqlite(join(test.ctx.config.dataDir, 'trunkline.db'))
  const body = { title: 'West', description: 'd', manager: test.people.loneManager.id }
  other.exec('begin immediate')
  const refused = await inject(test.app, addGroup, token, { body })
  expect([refused.status, refused.failure.code]).toEqual([503, 'unavailable'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(await databaseContent(test.ctx)).toEqual(before)
  other.exec('rollback')
  other.close()
  expect((await inject(test.app, addGroup, token, { body })).status).toBe(201)
})
