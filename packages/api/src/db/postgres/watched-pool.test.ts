/** A PostgreSQL that goes without a word: its connections stay open, and nothing answers on them. */
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPostgresDatabase } from '../../testing/databases.ts'
import { openPostgresDoor } from '../../testing/postgres-door.ts'
import { DatabaseAway } from '../faults.ts'
import type { Connection } from '../open.ts'
import { openPostgres } from './postgres.ts'

const SEVERAL = [1, 2, 3]

async function openSite(answerMs: number) {
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const door = await openPostgresDoor(database.url)
  onTestFinished(async () => door[Symbol.asyncDispose]())
  const db = openPostgres(`${door.url}?application_name=silent`, {
    watch: { everyMs: 50, answerMs },
  })
  // What is silent still is never ended in order.
  onTestFinished(() => void db.destroy())
  return { database, door, db }
}

/** Each on a connection of its own, and too briefly for the server to be asked about it. */
async function useSeveral(db: Connection): Promise<unknown[]> {
  return Promise.all(SEVERAL.map(async () => sql`select pg_sleep(0.01)`.execute(db)))
}

/** Of the API, at the server itself. Answers how many there were: one more where it is asked about them just then. */
async function endBackends(url: string): Promise<number> {
  const outside = openPostgres(url)
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'silent'`.execute(outside)
  await outside.destroy()
  return rows.length
}

test('F18 a server whose address moves while it is silent: what waits fails, and every connection leads to the new one', async () => {
  const { database, door, db } = await openSite(10_000)
  await useSeveral(db)
  door.fallSilent()
  const waiting = sql`select 1`.execute(db)
  door.leadTo(database.url)
  // As the server that took over: it never had the connections of the silent one.
  expect(await endBackends(database.url)).toBeGreaterThanOrEqual(SEVERAL.length)
  await expect(waiting).rejects.toBeInstanceOf(DatabaseAway)
  expect(await useSeveral(db)).toHaveLength(SEVERAL.length)
})

test('F18 a server that answers nobody: what waits fails, and what is asked afterwards works again', async () => {
  const { database, door, db } = await openSite(300)
  await useSeveral(db)
  door.fallSilent()
  await expect(sql`select 1`.execute(db)).rejects.toBeInstanceOf(DatabaseAway)
  door.leadTo(database.url)
  expect(await useSeveral(db)).toHaveLength(SEVERAL.length)
})

test('a statement that takes long on a server that is there is left alone', async () => {
  const { door, db } = await openSite(10_000)
  await sql`create table taken (id int)`.execute(db)
  const locked = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const holding = db.transaction().execute(async (trx) => {
    await sql`lock table taken in access exclusive mode`.execute(trx)
    locked.resolve()
    await asked.promise
  })
  await locked.promise
  const waiting = sql`select * from taken`.execute(db)
  const before = door.connectionCount
  await vi.waitFor(() => expect(door.connectionCount).toBeGreaterThan(before + 4), 60_000)
  asked.resolve()
  await holding
  expect((await waiting).rows).toEqual([])
})
