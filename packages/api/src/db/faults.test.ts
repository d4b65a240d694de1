import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../testing/folder.ts'
import { writeBackup } from './backup/backup-file.ts'
import { DatabaseAway, fixOfServer } from './faults.ts'
import { openUnmigrated } from './open.ts'

const SILENT = {
  kind: 'postgres',
  url: 'postgres://trunkline:hunter2@127.0.0.1:1/trunkline',
} as const

test.each([
  ['ECONNREFUSED', 'Start the database server, or correct TRUNKLINE_DATABASE_URL.'],
  ['ENOTFOUND', 'Correct the host name in TRUNKLINE_DATABASE_URL.'],
  ['28P01', 'Correct the user and the password in TRUNKLINE_DATABASE_URL.'],
  ['3D000', 'Create this database, or correct its name in TRUNKLINE_DATABASE_URL.'],
])('F9 a connection that fails with %s names the fix', (code, fix) => {
  const error = Object.assign(new Error('no'), { code })
  expect([fixOfServer(error), fixOfServer(new DatabaseAway(error))]).toEqual([fix, fix])
})

test('F9 a backup of a database server that is away names cause and fix', async () => {
  await using folder = await makeFolder()
  await expect(writeBackup(SILENT, join(folder.path, 'a.db'))).rejects.toThrow(
    'could not be made: connect ECONNREFUSED 127.0.0.1:1. Start the database server, or correct TRUNKLINE_DATABASE_URL.',
  )
})

test('F9 a file that is no database names cause and fix', async () => {
  await using folder = await makeFolder()
  const file = join(folder.path, 'trunkline.db')
  await writeFile(file, 'Something else, and longer than the head of a database.')
  await expect(openUnmigrated({ kind: 'sqlite', file })).rejects.toThrow(
    `The database file ${file} cannot be opened: file is not a database. It is damaged: move it to another folder, then restore a backup.`,
  )
})
