import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createPostgresDatabase, describeOnBothDatabases } from '../testing/databases.ts'
import { migrate, PRESENT_SCHEMA, schemaOf } from './migrate.ts'
import { openDatabase } from './open.ts'

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
