import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startPostgres } from './postgres.mjs'

/** Far above what they take; a busy machine may put a process aside for seconds. */
const GONE_WITHIN_MS = 60_000

test('the tests have a real PostgreSQL that is gone after them', async () => {
  const postgres = await startPostgres()
  try {
    const client = new pg.Client(postgres.url)
    await client.connect()
    await client.query('CREATE DATABASE of_one_test_file')
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database')
    await client.end()
    expect(rows.map((row) => row.datname)).toContain('of_one_test_file')
    // setpriv has become the server: the pid that is ended is the server's own.
    expect(readFileSync(`/proc/${postgres.pid}/comm`, 'utf8').trim()).toBe('postgres')
  } finally {
    await postgres[Symbol.asyncDispose]()
  }
  expect(existsSync(`/proc/${postgres.pid}`)).toBe(false)
})

/** A folder for the temporary files of one process, which PostgreSQL's own user can reach too. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-ended-'))
  chmodSync(folder, 0o711)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A process as a test run is one, until its `ready` is written. */
async function startRun(source: string) {
  const folder = temporaryFolder()
  const run = spawn(process.execPath, ['--input-type=module', '-e', source], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: folder },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void run.kill('SIGKILL'))
  await once(run.stdout, 'data')
  return { run, folder }
}

/** Servers, keepers: whatever names the folder on its command line or has it in its settings. */
function processesOf(folder: string): string[] {
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8')
    } catch {
      return ''
    }
  }
  return readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && `${read(pid, 'cmdline')}${read(pid, 'environ')}`.includes(folder),
  )
}

/** What is left of a run, as soon as that is nothing, and otherwise after a minute. */
async function leftIn(folder: string): Promise<string[]> {
  const left = () => [...readdirSync(folder), ...processesOf(folder)]
  const isEmpty = vi.waitFor(() => expect(left()).toEqual([]), { timeout: GONE_WITHIN_MS })
  await isEmpty.catch(() => undefined)
  return left()
}

const STARTED = `
  import { startPostgres } from './postgres.mjs'
  const postgres = await startPostgres()
  console.log('ready')
  setInterval(() => undefined, 1000)`

const STARTING = `
  import { startPostgres } from './postgres.mjs'
  console.log('ready')
  await startPostgres()
  setInterval(() => undefined, 1000)`

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a run that is ended by %s leaves neither its server nor a folder',
  async (signal) => {
    const { run, folder } = await startRun(STARTED)
    expect(readdirSync(folder)).toHaveLength(1)
    expect(processesOf(folder).length).toBeGreaterThan(2)
    run.kill(signal)
    expect(await leftIn(folder)).toEqual([])
  },
)

test('a run that is ended with its whole process group leaves nothing', async () => {
  const { run, folder } = await startRun(STARTED)
  process.kill(-(run.pid ?? 0), 'SIGTERM')
  expect(await leftIn(folder)).toEqual([])
})

/** Killed at the end of the very call that makes the folder. */
const KILLED_AT_ONCE = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  for (const name of ['mkdirSync', 'mkdtempSync']) {
    const make = fs[name]
    fs[name] = (...how) => {
      make(...how)
      fs.writeSync(1, 'ready')
      process.kill(process.pid, 'SIGKILL')
    }
  }
  syncBuiltinESMExports()
  const { startPostgres } = await import('./postgres.mjs')
  await startPostgres()`

test('a run that is killed as soon as it has made the folder leaves nothing', async () => {
  const { run, folder } = await startRun(KILLED_AT_ONCE)
  if (run.signalCode === null) await once(run, 'exit')
  expect(run.signalCode).toBe('SIGKILL')
  expect(await leftIn(folder)).toEqual([])
})

test('a run that is killed while its server is made leaves nothing', async () => {
  const { run, folder } = await startRun(STARTING)
  run.kill('SIGKILL')
  expect(await leftIn(folder)).toEqual([])
})
