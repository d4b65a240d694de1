import { sql } from 'kysely'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createNotices, type Notice, type ObjectNotice } from '../notices.ts'
import { createPostgresDatabase } from '../testing/databases.ts'
import { messages, shareNotices, type SharedNotices } from './notice-channel.ts'
import { openDatabase } from './open.ts'

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
      log: pino({ level: 'silent' }),
      local: createNotices((error) => {
        throw error
      }),
    })
  const [one, other] = [await open(), await open()]
  onTestFinished(async () => {
    await one[Symbol.asyncDispose]()
    await other[Symbol.asyncDispose]()
    await db.destroy()
    await database[Symbol.asyncDispose]()
  })
  return { one, other, db }
}

/** Everything heard up to and with the notice that `isLast`. */
async function heardUntil(
  notices: SharedNotices,
  isLast: (one: Notice) => boolean,
): Promise<Notice[]> {
  const heard: Notice[] = []
  const { promise, resolve } = Promise.withResolvers<Notice[]>()
  const leave = notices.listen((item) => {
    heard.push(item)
    if (isLast(item)) resolve(heard)
  })
  return promise.finally(leave)
}

test('what a command tells just before it ends is told', async () => {
  const { one, other } = await openTwo()
  const there = heardUntil(other, ({ kind }) => kind === 'gone')
  one.tell({ kind: 'gone', userId: 'u' })
  await one[Symbol.asyncDispose]()
  expect(await there).toEqual([{ kind: 'gone', userId: 'u' }])
})

test('what one process tells, the other hears, in order; oneself hears it once', async () => {
  const { one, other } = await openTwo()
  const there = heardUntil(other, ({ kind }) => kind === 'gone')
  const back: Notice[] = []
  one.listen((each) => back.push(each))
  const told: Notice[] = [notice('a'), notice('b', ['g']), { kind: 'gone', userId: 'u' }]
  for (const each of told) one.tell(each)
  expect(await there).toEqual(told)
  const answered = heardUntil(one, (each) => 'id' in each && each.id === 'end')
  other.tell(notice('end'))
  await answered
  expect(back).toEqual([...told, notice('end')])
})

test('many notices go in few messages, none beyond what PostgreSQL takes', async () => {
  const { one, other } = await openTwo()
  const told = Array.from({ length: 500 }, (_, at) =>
    notice(
      `id${at}`,
      Array.from({ length: 20 }, (__, group) => `group${group}`),
    ),
  )
  const packed = messages('origin', told)
  expect(packed.every((text) => Buffer.byteLength(text) < 8000)).toBe(true)
  expect(packed.length).toBeLessThan(50)
  const there = heardUntil(other, (each) => 'id' in each && each.id === 'id499')
  for (const each of told) one.tell(each)
  expect(await there).toEqual(told)
})

test('a connection that breaks comes back, and everything counts as changed', async () => {
  const { one, other, db } = await openTwo()
  await db
    .insertInto('users')
    .values({
      id: 'u',
      first_name: '',
      last_name: '',
      email: 'a@b.cc',
      role: 'manager',
      password_hash: '',
      token_version: 1,
      asks_before_interrupting: 0,
      version: 1,
      created_at: '',
      search: '',
    })
    .execute()
  await db
    .insertInto('groups')
    .values({
      id: 'g',
      title: 'g',
      title_key: 'g',
      description: '',
      manager_id: 'u',
      version: 1,
      created_at: '',
      search: '',
    })
    .execute()
  const caughtUp = [one, other].map(async (each) =>
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
  const there = heardUntil(other, (each) => 'id' in each && each.id === 'after')
  one.tell(notice('after'))
  expect(await there).toContainEqual(notice('after'))
})
