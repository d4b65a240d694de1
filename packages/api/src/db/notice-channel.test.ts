import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createNotices, type Notice, type ObjectNotice } from '../notices.ts'
import { createPostgresDatabase } from '../testing/databases.ts'
import { messages, shareNotices, type SharedNotices } from './notice-channel.ts'
import { openDatabase } from './open.ts'
import { openPostgresDoor } from '../testing/postgres-door.ts'
import { addStoredGroups } from '../testing/stored-site.ts'

const SILENT = pino({ level: 'silent' })
const GATHER_MS = 50

function notice(id: string, groupIds: string[] = []): ObjectNotice {
  return { kind: 'encoder', id, change: 'changed', groupIds }
}

/** Two processes on one database, and what each hears. */
async function openTwo() {
  const database = await createPostgresDatabase()
  const db = await openDatabase({ kind: 'postgres', url: database.url })
  const open = async () =>
    shareNotices({
      url: database.url,
      db,
      log: SILENT,
      local: createNotices((error) => {
        throw error
      }),
    })
  const [first, second] = [await open(), await open()]
  onTestFinished(async () => {
    await first[Symbol.asyncDispose]()
    await second[Symbol.asyncDispose]()
    await db.destroy()
    await database[Symbol.asyncDispose]()
  })
  return { first, second, db }
}

/** Everything heard up to and with the notice that `isLast`. */
async function heardUntil(
  notices: SharedNotices,
  isLast: (item: Notice) => boolean,
): Promise<Notice[]> {
  const heard: Notice[] = []
  const { promise, resolve } = Promise.withResolvers<Notice[]>()
  const leave = notices.listen((item) => {
    heard.push(item)
    if (isLast(item)) resolve(heard)
  })
  return promise.finally(leave)
}

test('a notice sent just before the process ends is delivered', async () => {
  const { first, second } = await openTwo()
  const there = heardUntil(second, ({ kind }) => kind === 'gone')
  first.tell({ kind: 'gone', userId: 'u' })
  await first[Symbol.asyncDispose]()
  expect(await there).toEqual([{ kind: 'gone', userId: 'u' }])
})

test('notices of one process reach the other in order, and the sender itself once', async () => {
  const { first, second } = await openTwo()
  const there = heardUntil(second, ({ kind }) => kind === 'gone')
  const back: Notice[] = []
  first.listen((each) => back.push(each))
  const notices: Notice[] = [notice('a'), notice('b', ['g']), { kind: 'gone', userId: 'u' }]
  for (const each of notices) first.tell(each)
  expect(await there).toEqual(notices)
  const answered = heardUntil(first, (each) => 'id' in each && each.id === 'end')
  second.tell(notice('end'))
  await answered
  expect(back).toEqual([...notices, notice('end')])
})

test('many notices are packed into few messages, none larger than PostgreSQL allows', async () => {
  const { first, second } = await openTwo()
  const notices = Array.from({ length: 500 }, (_, at) =>
    notice(
      `id${at}`,
      Array.from({ length: 20 }, (__, group) => `group${group}`),
    ),
  )
  const packed = messages('origin', notices)
  expect(packed.every((text) => Buffer.byteLength(text) < 8000)).toBe(true)
  expect(packed.length).toBeLessThan(50)
  const there = heardUntil(second, (each) => 'id' in each && each.id === 'id499')
  for (const each of notices) first.tell(each)
  expect(await there).toEqual(notices)
})

test('a notice of more alarms or groups than a message takes arrives whole', async () => {
  const { first, second } = await openTwo()
  const ids = Array.from({ length: 5000 }, (_, at) => `${at}`.padStart(16, 'a'))
  const there = heardUntil(second, ({ kind }) => kind === 'gone')
  first.tell({ kind: 'alarms', ids })
  first.tell({ kind: 'alarmsOver', alarms: ids.map((id) => ({ id, sinceMs: 1_764_456_789_012 })) })
  first.tell(notice('everywhere', ids))
  first.tell({ kind: 'gone', userId: 'u' })
  const heard = await there
  expect(heard.flatMap((each) => (each.kind === 'alarms' ? each.ids : []))).toEqual(ids)
  const over = heard.flatMap((each) => (each.kind === 'alarmsOver' ? each.alarms : []))
  expect(over.map(({ id }) => id)).toEqual(ids)
  expect(heard.flatMap((each) => ('groupIds' in each ? each.groupIds : []))).toEqual(ids)
})

test('a broken connection is reopened, and everything counts as changed', async () => {
  const { first, second, db } = await openTwo()
  await addStoredGroups(db, 'g')
  const caughtUp = [first, second].map(async (each) =>
    heardUntil(each, ({ kind }) => kind === 'destination'),
  )
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen%'`.execute(db)
  for (const heard of await Promise.all(caughtUp)) {
    expect(heard).toContainEqual({ kind: 'group', id: '', change: 'changed', groupIds: ['g'] })
    expect(heard.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['user', 'server', 'encoder', 'channel', 'input', 'output']),
    )
  }
  const there = heardUntil(second, (each) => 'id' in each && each.id === 'after')
  first.tell(notice('after'))
  expect(await there).toContainEqual(notice('after'))
})

test('more notices at once than are kept: the other process hears that anything may have changed', async () => {
  const { first, second, db } = await openTwo()
  await addStoredGroups(db, 'g')
  const there = heardUntil(second, ({ kind }) => kind === 'hostIdentity')
  for (let at = 0; at < 1500; at += 1) first.tell(notice(`id${at}`))
  const heard = await there
  expect(heard).toContainEqual({ kind: 'user', id: '', change: 'changed', groupIds: ['g'] })
})

test('what could not be sent while the connection was silent arrives in its order', async () => {
  const database = await createPostgresDatabase()
  const door = await openPostgresDoor(database.url)
  const db = await openDatabase({ kind: 'postgres', url: database.url })
  const open = async (url: string) =>
    shareNotices({ url, db, log: SILENT, local: createNotices(() => undefined) })
  const [first, second] = [await open(door.url), await open(database.url)]
  onTestFinished(async () => {
    await first[Symbol.asyncDispose]()
    await second[Symbol.asyncDispose]()
    await db.destroy()
    await door[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })
  const sent = ['a', 'b', 'c', 'd']
  const there = heardUntil(second, (each) => 'id' in each && each.id === 'd')
  door.fallSilent()
  // Further apart than notices are gathered: each would be a statement of its own.
  for (const id of sent) {
    first.tell(notice(id))
    await pause(2 * GATHER_MS)
  }
  door.leadTo(database.url)
  const ids = (await there).flatMap((each) => ('id' in each ? [each.id] : []))
  expect(ids.filter((id) => sent.includes(id))).toEqual(sent)
})

test('what somebody else sends on the channel is no notice, and nothing stops', async () => {
  const { first, second, db } = await openTwo()
  for (const text of ['no JSON', 'null', '{}', '{"origin":"x","notices":[null]}']) {
    await sql`select pg_notify('trunkline_notices', ${text})`.execute(db)
  }
  const there = heardUntil(second, (each) => 'id' in each && each.id === 'after')
  first.tell(notice('after'))
  expect(await there).toEqual([notice('after')])
})
