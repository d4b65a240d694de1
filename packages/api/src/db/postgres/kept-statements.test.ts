/** Statements that are asked again and again are kept by the server, and a change of a table breaks none. */
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createPostgresDatabase } from '../../testing/databases.ts'
import type { Connection } from '../open.ts'
import { KeptStatements, mayBeKept } from './kept-statements.ts'
import { openPostgres } from './postgres.ts'

/** Enough for a statement to be kept. */
const OFTEN = 25

test.each([
  'select "id" from "users" where "id" = $1',
  'select count(*) from "users"',
  'insert into "audit" ("id") values ($1)',
  'update "encoders" set "version" = $1 where "id" = $2 and "version" = $3',
  'delete from "api_processes" where "id" = $1',
])('W3 it may be kept: %s', (text) => {
  expect(mayBeKept(text)).toBe(true)
})

test.each([
  'begin',
  'select * from "users" where "id" = $1',
  'select "encoders".*, "groups"."title" from "encoders" inner join "groups"',
  'delete from "sign_in_challenges" where "id" = $1 returning *',
  'select "id" from "users" where "search" like $1',
  'select "id" from "users" where ("title_key", "id") > ($1, $2) order by "title_key" limit $3',
])('W3 it is planned anew each time: %s', (text) => {
  expect(mayBeKept(text)).toBe(false)
})

test('W3 what is asked a few times has no name, and no more statements are kept than a connection should hold', () => {
  const kept = new KeptStatements()
  const nameAfter = (uses: number, text: string) =>
    Array.from({ length: uses }, () => kept.nameOf(text)).at(-1)
  expect(nameAfter(19, 'select 1')).toBeUndefined()
  expect(nameAfter(1, 'select 1')).toBe('kept_1')
  const names = Array.from({ length: 200 }, (_, at) => nameAfter(OFTEN, `select ${at + 2}`))
  expect(names.filter((name) => name !== undefined)).toHaveLength(99)
  expect(kept.nameOf('select 1')).toBe('kept_1')
})

async function openPair() {
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const open = () => {
    const db = openPostgres(database.url, { connections: 1 })
    onTestFinished(async () => db.destroy())
    return db
  }
  const [db, other] = [open(), open()]
  await sql`create table things (id text, title text)`.execute(db)
  onTestFinished(async () => void (await sql`drop table things`.execute(db)))
  return { db, other }
}

async function keptOf(db: Connection): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements order by statement`.execute(db)
  return rows.map(({ statement }) => statement)
}

async function askOften(ask: () => Promise<unknown>): Promise<void> {
  for (let times = 0; times < OFTEN; times += 1) await ask()
}

test('W3 the server keeps what is asked often, and a column that another process adds breaks nothing', async () => {
  const { db, other } = await openPair()
  await sql`insert into things values ('a', 'A')`.execute(db)
  const named = async () => (await sql`select id, title from things`.execute(db)).rows
  const all = async () => (await sql`select * from things`.execute(db)).rows
  await askOften(named)
  await askOften(all)
  expect(await keptOf(db)).toEqual(['select id, title from things'])
  await sql`alter table things add column newer integer`.execute(other)
  expect(await named()).toEqual([{ id: 'a', title: 'A' }])
  expect(await all()).toEqual([{ id: 'a', title: 'A', newer: null }])
})

test('W3 after a column has got another type a kept statement fails once', async () => {
  const { db, other } = await openPair()
  const ask = async () => sql`select title from things where id = ${'a'}`.execute(db)
  await askOften(ask)
  await sql`alter table things alter column title type integer using 0`.execute(other)
  await expect(ask()).rejects.toThrow('cached plan must not change result type')
  expect((await ask()).rows).toEqual([])
})
