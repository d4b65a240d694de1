import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FIRST_ADMIN, runProcess, signIn, startApi, WITH_ADMIN } from './testing/api-process.ts'
import { makeFolder } from './testing/folder.ts'

async function temporaryFolder(): Promise<string> {
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  return folder.path
}

test('wrong settings are all named at once, and nothing starts', async () => {
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'data')
  const api = runProcess({
    TRUNKLINE_DATA_DIR: dataDir,
    TRUNKLINE_PORT: 'eighty',
    TRUNKLINE_LOG_LEVEL: 'loud',
    TRUNKLINE_TYPO: '1',
  })
  expect(await api.ended).toBe(1)
  expect(api.text()).toMatch(/TRUNKLINE_PORT must be/)
  expect(api.text()).toMatch(/TRUNKLINE_LOG_LEVEL must be/)
  expect(api.text()).toMatch(/There is no setting TRUNKLINE_TYPO/)
  expect(api.text().trim().split('\n')).toHaveLength(3)
  expect(existsSync(dataDir)).toBe(false)
})

test('it starts on a free port, serves, reports to its parent, and ends in order', async () => {
  const folder = await temporaryFolder()
  const env = { TRUNKLINE_DATA_DIR: join(folder, 'data'), ...WITH_ADMIN }
  const api = await startApi(env)
  const health = await fetch(`${api.url}/api/health`)
  expect([health.status, await health.json()]).toEqual([200, { status: true }])
  expect((await signIn(api.url)).status).toBe(200)
  expect(api.text()).not.toContain(FIRST_ADMIN.password)

  const second = runProcess({
    TRUNKLINE_DATA_DIR: join(folder, 'other'),
    TRUNKLINE_PORT: String(api.port),
  })
  expect(await second.ended).toBe(1)
  expect(second.text()).toContain(
    `Another program uses port ${api.port} of 127.0.0.1. End it, or set TRUNKLINE_PORT`,
  )

  api.child.kill('SIGTERM')
  expect(await api.ended).toBe(0)
  expect(existsSync(`${env.TRUNKLINE_DATA_DIR}.key`)).toBe(true)
})

test('T16 a thousand browsers that connect while it is busy are all taken, without a second try', async () => {
  const folder = await temporaryFolder()
  const api = await startApi({ TRUNKLINE_DATA_DIR: join(folder, 'data') })
  // The kernel takes them; what it drops would not be connected before the API goes on.
  api.child.kill('SIGSTOP')
  const browsers = Array.from({ length: 1000 }, () => connect(api.port, '127.0.0.1'))
  onTestFinished(() => {
    for (const browser of browsers) browser.destroy()
  })
  await Promise.all(browsers.map(async (browser) => once(browser, 'connect')))
  api.child.kill('SIGCONT')
  expect((await fetch(`${api.url}/api/health`)).status).toBe(200)
})

test('T9 a database is not opened with another secret', async () => {
  const folder = await temporaryFolder()
  const env = { TRUNKLINE_DATA_DIR: join(folder, 'data'), TRUNKLINE_LOG_LEVEL: 'silent' }
  const first = await startApi(env)
  first.child.kill('SIGTERM')
  await first.ended
  const other = runProcess({ ...env, TRUNKLINE_SECRET_FILE: join(folder, 'other.key') })
  expect(await other.ended).toBe(1)
  expect(other.text()).toMatch(/other\.key does not belong to this database/)
})

test('a database that does not answer is named without its password', async () => {
  const folder = await temporaryFolder()
  const api = runProcess({
    TRUNKLINE_DATA_DIR: join(folder, 'data'),
    TRUNKLINE_DATABASE_URL: 'postgres://trunkline:hunter2@127.0.0.1:1/trunkline',
  })
  expect(await api.ended).toBe(1)
  expect(api.text()).toMatch(/The database at 127\.0\.0\.1:1 does not answer/)
  expect(api.text()).not.toContain('hunter2')
})
