/** An SQLite file that others use too, or take away. */
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { addGroup, listGroups } from '@trunkline/contract/groups/group.calls'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, inject as provided, onTestFinished, test, vi } from 'vitest'
import { runProcess, signIn, startApi, WITH_ADMIN } from '../../testing/api-process.ts'
import { copySqliteTemplate } from '../../testing/databases.ts'
import { makeFolder } from '../../testing/folder.ts'
import { inject } from '../../testing/inject.ts'
import { openTestApp, type TestApp } from '../../testing/test-app.ts'
import { mark } from '../marks.ts'
import { openDatabase } from '../open.ts'

const HANGS_AFTER_MS = 60_000

/** Another program, with the file open. */
function openElsewhere(file: string): Sqlite.Database {
  const other = new Sqlite(file)
  onTestFinished(() => void other.close())
  return other
}

async function openLockable() {
  const site: TestApp = await openTestApp()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const other = openElsewhere(join(site.ctx.config.dataDir, 'trunkline.db'))
  const { admin, loneManager } = site.people
  const add = async (title: string) => {
    const body = { title, description: 'd', manager: loneManager.id }
    return inject(site.app, addGroup, admin.token, { body })
  }
  const read = async () => inject(site.app, listGroups, admin.token, {})
  return { site, other, add, read }
}

test('F6 while a change waits for another program others read, and it is made once that lets go', async () => {
  const { other, site } = await openLockable()
  const { db } = site.ctx
  other.exec('begin immediate')
  const ended: string[] = []
  const changes = [
    db.transaction().execute(async (trx) => mark(trx, 'one', 'in a transaction')),
    db.insertInto('marks').values({ name: 'two', value: 'alone' }).execute(),
  ].map(async (change) => change.finally(() => ended.push('change')))
  const names = async () => {
    const rows = await db.selectFrom('marks').select('name').orderBy('name').execute()
    return rows.map(({ name }) => name)
  }
  // Each takes its turn behind the changes.
  const before = await names()
  ended.push('reading')
  other.exec('rollback')
  await Promise.all(changes)
  expect(ended).toEqual(['reading', 'change', 'change'])
  expect(await names()).toEqual([...before, 'one', 'two'].toSorted())
})

test('F6 changes that wait for another program hold up neither each other nor readers, and each is refused with the cause', async () => {
  const { other, add, read } = await openLockable()
  other.exec('begin immediate')
  const changes = Array.from({ length: 10 }, async (_, at) => add(`Group ${at}`))
  const first = await Promise.race([...changes, read()])
  expect(first.status).toBe(200)
  for (const refused of await Promise.all(changes)) {
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2'])
    expect(refused.failure.error).toMatch(/^Another program has locked the database/)
  }
  other.exec('rollback')
  expect((await read()).answer.data.map(({ title }) => title)).toEqual(['North', 'South'])
})

test('F6 SQLite never waits for a lock by itself, which would stop the whole process', async () => {
  const { site } = await openLockable()
  const { rows } = await sql`pragma busy_timeout`.execute(site.ctx.db)
  expect(rows).toEqual([{ timeout: 0 }])
})

test('a database that another program has for itself is named at the start, with the cause', async () => {
  await using folder = await makeFolder()
  const file = join(folder.path, 'trunkline.db')
  await copySqliteTemplate(file)
  const other = openElsewhere(file)
  other.pragma('locking_mode = EXCLUSIVE')
  other.exec('begin exclusive')
  await expect(openDatabase({ kind: 'sqlite', file })).rejects.toThrow(
    `The database file ${file} is locked by another program, such as a backup or an SQLite shell. End that program, then start again.`,
  )
})

test('an API that has something to write at its start names a locked database', async () => {
  await using folder = await makeFolder()
  const file = join(folder.path, 'trunkline.db')
  await copySqliteTemplate(file)
  openElsewhere(file).exec('begin immediate')
  const api = runProcess({ TRUNKLINE_DATA_DIR: folder.path, ...WITH_ADMIN })
  expect(await api.ended).toBe(1)
  expect(api.text()).toMatch(/Another program has locked the database, such as a backup/)
})

/** The API as a process, and calls of its admin. */
async function openProcess() {
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  const dataDir = join(folder.path, 'data')
  const env = { TRUNKLINE_DATA_DIR: dataDir, ...WITH_ADMIN }
  const api = await startApi(env)
  const { token } = await signIn(api.url)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const people = async () => fetch(`${api.url}/api/users/getUsers`, { headers })
  const addPerson = async (name: string) => {
    const email = `${name}@trunkline.example`
    const body = {
      firstName: name,
      lastName: 'x',
      email,
      password: 'long enough for this',
      mode: 'admin',
    }
    const { href } = new URL('/api/users/addUser', api.url)
    return fetch(href, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  return { api, env, folder: folder.path, dataDir, people, addPerson }
}

test('a data folder that is moved away is noticed, no change is taken until it is back, and reading goes on', async () => {
  const { api, folder, dataDir, people, addPerson } = await openProcess()
  await rename(dataDir, join(folder, 'elsewhere'))
  const refused = await addPerson('one')
  expect(refused.status).toBe(503)
  expect(((await refused.json()) as { error: string }).error).toMatch(
    /^The database file was deleted, moved or replaced while the API was running\. Nothing was/,
  )
  expect((await people()).status).toBe(200)
  const logged = async (line: RegExp) =>
    vi.waitFor(() => expect(api.text()).toMatch(line), HANGS_AFTER_MS)
  await logged(
    /"level":50.*The database file was deleted, moved or replaced\. Changes are refused\./,
  )

  await rename(join(folder, 'elsewhere'), dataDir)
  expect((await addPerson('two')).status).toBe(201)
  await logged(/The database file is back\. Changes are accepted again\./)
})

test('a data folder that is deleted is noticed while nobody changes anything', async () => {
  const { api, dataDir, addPerson } = await openProcess()
  await rm(dataDir, { recursive: true })
  await vi.waitFor(
    () => expect(api.text()).toMatch(/The database file was deleted, moved or replaced/),
    HANGS_AFTER_MS,
  )
  expect((await addPerson('one')).status).toBe(503)
})

test('a second API on a data folder, or a restore, is refused with the reason; a killed API leaves no lock', async () => {
  const { api, env, dataDir } = await openProcess()
  const second = runProcess({ TRUNKLINE_PORT: '0', ...env })
  expect(await second.ended).toBe(1)
  expect(second.text()).toContain(
    `Another API (process ${api.child.pid}) already uses the data folder ${dataDir}. End it, or set`,
  )
  const program = provided('installedCommand')
  const restore = runProcess(env, { program, args: ['restore', 'backup.sqlite', '--replace'] })
  expect(await restore.ended).toBe(1)
  expect(restore.text()).toContain(
    `The API (process ${api.child.pid}) uses the data folder ${dataDir}. Stop it, restore, and`,
  )
  const args = ['user', 'add', '--email', 'x@trunkline.example', '--generate']
  const command = runProcess(env, { program, args })
  expect([await command.ended, command.text()]).toEqual([0, expect.stringMatching(/^Added x@/)])

  api.child.kill('SIGKILL')
  await api.ended
  const next = await startApi(env)
  expect((await signIn(next.url)).status).toBe(200)
})
