import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createPostgresDatabase, describeOnBothDatabases } from '../testing/databases.ts'
import { makeFolder } from '../testing/folder.ts'
import { writeBackup } from './backup/backup-file.ts'
import { DatabaseAway, fixOfServer } from './faults.ts'
import { migrate, PRESENT_SCHEMA, schemaOf } from './migrate.ts'
import { openDatabase, openUnmigrated } from './open.ts'

/** In front of a database: says nothing to the first who comes, and lets the others through. */
async function openSlowDoor(to: URL) {
  const sockets = new Set<Socket>()
  let callers = 0
  const server = createServer((socket) => {
    callers += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    if (callers === 1) return
    const inner = connect(Number(to.port), to.hostname)
    inner.on('error', () => undefined)
    sockets.add(inner)
    socket.pipe(inner).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

test('a database that says nothing at first, as after a power cut, is asked again at the start', async () => {
  await using created = await createPostgresDatabase()
  await using door = await openSlowDoor(new URL(created.url))
  const url = new URL(created.url)
  url.host = `127.0.0.1:${door.port}`
  const db = await openDatabase({ kind: 'postgres', url: url.href })
  try {
    const { rows } = await sql<{ answer: number }>`select 1 as answer`.execute(db)
    expect(rows).toEqual([{ answer: 1 }])
  } finally {
    await db.destroy()
  }
})

describeOnBothDatabases('the steps of a database', (_open, openNew) => {
  test('one that has had the newest step and lacks another does not fit', async () => {
    const db = await openNew()
    await migrate(db)
    expect(await schemaOf(db)).toBe(PRESENT_SCHEMA)
    await sql`delete from kysely_migration where name = '0003-activity'`.execute(db)
    await expect(migrate(db)).rejects.toThrow('does not fit this version of the program')
  })

  test('one without the table of steps has had none', async () => {
    const db = await openNew()
    await sql`drop table kysely_migration`.execute(db)
    expect(await schemaOf(db)).toBeNull()
  })
})

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
