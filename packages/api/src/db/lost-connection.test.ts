/** A PostgreSQL that ends connections, idle or in use, as a restart or an administrator does. */
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addGroup, listGroups } from '@trunkline/contract/groups/group.calls'
import { signIn, startApi, WITH_ADMIN } from '../testing/api-process.ts'
import { createPostgresDatabase } from '../testing/databases.ts'
import { makeFolder } from '../testing/folder.ts'
import { inject } from '../testing/inject.ts'
import { LiveReader } from '../testing/live-reader.ts'
import { openPostgresDoor } from '../testing/postgres-door.ts'
import { openTestApp } from '../testing/test-app.ts'
import { DatabaseAway, isConnectionFault } from './faults.ts'

const HANGS_AFTER_MS = 60_000
const WRITERS = 8
const CUTS = 20
/** Those of the API, not ours. */
const END_ALL =
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'api'"

async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // The database is emptied before it leaves.
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(async () => client.end())
  return client
}

/** The API as a process on an empty PostgreSQL, its admin signed in, and a manager for groups. */
async function openSite() {
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  const api = await startApi({
    TRUNKLINE_DATA_DIR: folder.path,
    TRUNKLINE_DATABASE_URL: `${database.url}?application_name=api`,
    TRUNKLINE_LOG_LEVEL: 'silent',
    ...WITH_ADMIN,
  })
  const { token } = await signIn(api.url)
  const post = async (path: string, body: object) =>
    fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const added = await post('/api/users/addUser', {
    firstName: 'Group',
    lastName: 'Manager',
    email: 'manager@trunkline.example',
    password: 'another long password',
    mode: 'manager',
  })
  const { id: manager } = (await added.json()) as { id: string }
  const addTitle = async (title: string) => post('/api/group', { title, description: 'd', manager })
  return { api, token, addTitle, outside: await connectTo(database.url) }
}

test('F18 connections that end while they are used: the API, its live streams and what it has acknowledged stay', async () => {
  const { api, token, addTitle, outside } = await openSite()
  await using live = await LiveReader.open(api.url, token)
  await live.until(() => live.events.length > 0)
  const acknowledged: string[] = []
  const refused: Response[] = []
  let cuts = 0
  const write = async (writer: number) => {
    for (let count = 0; cuts < CUTS; count += 1) {
      const title = `writer ${writer} ${count}`
      const answer = await addTitle(title)
      if (answer.status === 201) acknowledged.push(title)
      else refused.push(answer)
    }
  }
  const writing = Promise.all(Array.from({ length: WRITERS }, async (_, at) => write(at)))
  writing.catch(() => undefined)
  for (; cuts < CUTS; cuts += 1) {
    const before = acknowledged.length
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before), HANGS_AFTER_MS)
    await outside.query(END_ALL)
  }
  await writing

  expect(api.child.exitCode).toBeNull()
  expect(refused.length).toBeGreaterThan(0)
  for (const answer of refused) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    const { error } = (await answer.json()) as { error: string }
    expect(error).toMatch(/^The API has no connection to its database\. It reconnects by itself/)
  }
  const { rows } = await outside.query<{ title: string }>('select title from groups')
  const stored = new Set(rows.map(({ title }) => title))
  expect(acknowledged.filter((title) => !stored.has(title))).toEqual([])
  expect((await addTitle('afterwards')).status).toBe(201)
  expect(live.isEnded).toBe(false)
})

test('F18 a call whose connection ends in the midst of a transaction is answered, and nothing of it is kept', async () => {
  const { addTitle, outside } = await openSite()
  await outside.query('begin')
  await outside.query('lock table audit in access exclusive mode')
  const answer = addTitle('never')
  const ended = await vi.waitFor(async () => {
    const { rowCount } = await outside.query(`${END_ALL} and wait_event_type = 'Lock'`)
    expect(rowCount).toBe(1)
    return rowCount
  }, HANGS_AFTER_MS)
  expect(ended).toBe(1)
  expect((await answer).status).toBe(503)
  await outside.query('commit')
  expect((await outside.query('select title from groups')).rows).toEqual([])
  expect((await addTitle('afterwards')).status).toBe(201)
})

test('F18 while the database is away calls answer 503 and live streams go on; a session that ends meanwhile is notified afterwards', async () => {
  await using database = await createPostgresDatabase()
  await using door = await openPostgresDoor(database.url)
  await using site = await openTestApp({ databaseUrl: door.url })
  const address = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const { admin, loneManager } = site.people
  await using live = await LiveReader.open(address, admin.token)
  await live.until(() => live.events.length > 0)
  const outside = await connectTo(database.url)

  await door.shut()
  await outside.query('update users set token_version = 2 where id = $1', [admin.id])
  // Whoever is signed in is looked up again, and nobody can be.
  site.ctx.notices.tell({ kind: 'user', id: admin.id, change: 'changed', groupIds: [] })
  const refused = await inject(site.app, listGroups, loneManager.token, {})
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
  const beats = live.of('beat').length
  await live.until(() => live.of('beat').length > beats)
  expect([live.isEnded, live.of('gone')]).toEqual([false, []])

  await door.open()
  const { loneManager: manager } = site.people
  const body = { title: 'West', description: 'd', manager: manager.id }
  expect((await inject(site.app, addGroup, site.people.superadmin.token, { body })).status).toBe(
    201,
  )
  await live.next('gone', () => true)
})

test.each([
  [{ code: '08006' }, true],
  [{ code: '57P01' }, true],
  [{ code: 'ECONNRESET' }, true],
  [{ code: 'EPIPE' }, true],
  [{ message: 'Connection terminated unexpectedly' }, true],
  [{ message: 'Client has encountered a connection error and is not queryable' }, true],
  [{ code: '23505' }, false],
  [{ code: '53300' }, false],
  [{ code: 'ENOSPC' }, false],
])('%j is a lost connection: %j', (fault, isLost) => {
  expect(isConnectionFault(Object.assign(new Error('x'), fault))).toBe(isLost)
})

test('a database with several addresses tells why each of them fails', () => {
  const reasons = [new Error('connect ECONNREFUSED ::1:1'), new Error('connect ETIMEDOUT')]
  const { message, code } = new DatabaseAway(new AggregateError(reasons))
  expect([message, code]).toEqual([
    'connect ECONNREFUSED ::1:1; connect ETIMEDOUT',
    'DATABASE_AWAY',
  ])
})
