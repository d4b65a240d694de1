import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { compileCache, makeFolder } from './testing/folder.ts'

const ADMIN = { email: 'root@trunkline.example', password: 'a long password' }

async function temporaryFolder(): Promise<string> {
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  return folder.path
}

/** A process of ours from its source; ended with the test. */
function run(file: string, env: Record<string, string>, args: string[] = []) {
  const child = fork(join(import.meta.dirname, file), args, {
    env: { ...env, ...compileCache() },
    execArgv: [],
    silent: true,
  })
  const written: string[] = []
  child.stdout?.on('data', (chunk: Buffer) => written.push(chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => written.push(chunk.toString()))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended, text: () => written.join('') }
}

async function started(env: Record<string, string>) {
  const api = run('main.ts', { TRUNKLINE_PORT: '0', ...env })
  const [message] = (await Promise.race([
    once(api.child, 'message'),
    api.ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${api.text()}`))),
  ])) as [{ type: string; port: number }]
  expect(message).toMatchObject({ type: 'ready' })
  return { ...api, url: `http://127.0.0.1:${message.port}`, port: message.port }
}

async function signIn(url: string, password: string): Promise<number> {
  const { status } = await fetch(`${url}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADMIN.email, password }),
  })
  return status
}

test('wrong settings are all named at once, and nothing starts', async () => {
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'data')
  const api = run('main.ts', {
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

test('it starts on a free port, serves, tells its parent, and ends in order', async () => {
  const folder = await temporaryFolder()
  const env = {
    TRUNKLINE_DATA_DIR: join(folder, 'data'),
    TRUNKLINE_ADMIN_EMAIL: ADMIN.email,
    TRUNKLINE_ADMIN_PASSWORD: ADMIN.password,
  }
  const api = await started(env)
  const health = await fetch(`${api.url}/api/health`)
  expect([health.status, await health.json()]).toEqual([200, { status: true }])
  expect(await signIn(api.url, ADMIN.password)).toBe(200)
  expect(api.text()).not.toContain(ADMIN.password)

  const second = run('main.ts', { ...env, TRUNKLINE_PORT: String(api.port) })
  expect(await second.ended).toBe(1)
  expect(second.text()).toContain(
    `Another program has port ${api.port} of 127.0.0.1. End it, or set TRUNKLINE_PORT`,
  )

  api.child.kill('SIGTERM')
  expect(await api.ended).toBe(0)
  expect(existsSync(`${env.TRUNKLINE_DATA_DIR}.key`)).toBe(true)
})

test('T9 a database is not opened with another secret', async () => {
  const folder = await temporaryFolder()
  const env = { TRUNKLINE_DATA_DIR: join(folder, 'data'), TRUNKLINE_LOG_LEVEL: 'silent' }
  const first = await started(env)
  first.child.kill('SIGTERM')
  await first.ended
  const other = run('main.ts', { ...env, TRUNKLINE_SECRET_FILE: join(folder, 'other.key') })
  expect(await other.ended).toBe(1)
  expect(other.text()).toMatch(/other\.key is not the one that this database was written with/)
})

test('a database that does not answer is named without its password', async () => {
  const folder = await temporaryFolder()
  const api = run('main.ts', {
    TRUNKLINE_DATA_DIR: join(folder, 'data'),
    TRUNKLINE_DATABASE_URL: 'postgres://trunkline:hunter2@127.0.0.1:1/trunkline',
  })
  expect(await api.ended).toBe(1)
  expect(api.text()).toMatch(/The database at 127\.0\.0\.1:1 does not answer/)
  expect(api.text()).not.toContain('hunter2')
})
