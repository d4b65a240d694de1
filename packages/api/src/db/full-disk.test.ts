/** SQLite without room: a limit of its own (SQLITE_FULL), and one that the kernel sets for the size of files. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addGroup, listGroups } from '@trunkline/contract/groups/group.calls'
import { jwtLogin, login, signOut } from '@trunkline/contract/session/session.calls'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import * as auditService from '../audit/audit.service.ts'
import { signIn, startApi, WITH_ADMIN, type ApiProcess } from '../testing/api-process.ts'
import { makeFolder } from '../testing/folder.ts'
import { inject } from '../testing/inject.ts'
import { TEST_PASSWORD } from '../testing/people.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'

const IS_FULL = /^The disk of the database is full, .*Nothing was changed\. Free some space/

async function add(site: TestApp, title: string) {
  const body = { title, description: 'd', manager: site.people.loneManager.id }
  return inject(site.app, addGroup, site.people.admin.token, { body })
}

/** Takes the last room, with the shortest lines that there are. */
async function fill({ ctx }: TestApp): Promise<void> {
  await sql`pragma max_page_count = 1`.execute(ctx.db)
  const line = { actor: null, call: 'x', object: null, result: 'done', ip: '' } as const
  for (;;) {
    const fault = await auditService.record(ctx, line).catch((error: unknown) => error)
    if (fault === undefined) continue
    expect(fault).toMatchObject({ code: 'SQLITE_FULL' })
    return
  }
}

test('F7 a full disk: changes answer 507, reading and signing in work, and changes again once there is space', async () => {
  await using site = await openTestApp()
  const { admin, northMonitor } = site.people
  expect((await add(site, 'Before')).status).toBe(201)
  await fill(site)
  const refused = await add(site, 'Never')
  expect([refused.status, refused.failure.code]).toEqual([507, 'unavailable'])
  expect(refused.failure.error).toMatch(IS_FULL)

  const { answer } = await inject(site.app, listGroups, admin.token, {})
  expect(answer.data.map(({ title }) => title)).toEqual(['North', 'South', 'Before'])
  const body = { email: admin.email, password: TEST_PASSWORD }
  const signedIn = await inject(site.app, login, '', { body })
  expect(signedIn.status).toBe(200)
  const { token } = signedIn.answer
  expect((await inject(site.app, jwtLogin, token, {})).status).toBe(200)
  expect((await inject(site.app, signOut, token, {})).status).toBe(200)
  expect((await inject(site.app, jwtLogin, token, {})).status).toBe(401)
  const wrong = { body: { ...body, password: 'x' } }
  expect((await inject(site.app, login, '', wrong)).status).toBe(401)
  const forbidden = await inject(site.app, addGroup, northMonitor.token, {
    body: { title: 'x', description: 'x', manager: admin.id },
  })
  expect(forbidden.status).toBe(403)
  const ip = '127.0.0.1'
  const missing = site.logged.flatMap(({ line }) => (line === undefined ? [] : [line]))
  expect(missing).toMatchObject([
    { call: 'session.login', result: 'done', actorId: admin.id, ip },
    { call: 'session.signOut', result: 'done', actorId: admin.id, ip },
    { call: 'session.login', result: 'refused', actorId: admin.id, ip },
    { call: 'groups.add', result: 'refused', actorId: northMonitor.id, ip },
  ])

  await sql`pragma max_page_count = 1000000`.execute(site.ctx.db)
  expect((await add(site, 'Afterwards')).status).toBe(201)
})

async function addUser(api: ApiProcess, token: string, email: string) {
  return fetch(`${api.url}/api/users/addUser`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      firstName: 'A',
      lastName: 'B',
      email,
      password: 'long enough for this',
      mode: 'admin',
    }),
  })
}

test('F7 without space the API starts, users sign in and read, and changes answer 507 until there is space', async () => {
  await using folder = await makeFolder()
  const env = { TRUNKLINE_DATA_DIR: join(folder.path, 'data'), ...WITH_ADMIN }
  const first = await startApi(env)
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)

  const api = await startApi(env, ['prlimit', '--fsize=0:unlimited'])
  expect(api.text()).toMatch(/The disk of the database .*trunkline\.db is full\. Nothing can be/)
  const { status, token } = await signIn(api.url)
  expect(status).toBe(200)
  const refused = await addUser(api, token, 'one@trunkline.example')
  expect(refused.status).toBe(507)
  expect(((await refused.json()) as { error: string }).error).toMatch(IS_FULL)
  const listed = await fetch(`${api.url}/api/users/getUsers`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(((await listed.json()) as { total: number }).total).toBe(1)

  await promisify(execFile)('prlimit', ['--pid', String(api.child.pid), '--fsize=unlimited'])
  expect((await addUser(api, token, 'two@trunkline.example')).status).toBe(201)
})
