/**
 * A real PostgreSQL for one test run: its own data folder, its own port on loopback, its own
 * password. It is gone afterwards, also when the run is killed. The instance that Debian may run on this machine is never touched.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openKeptFolder } from './keeper.mjs'

/** Where Debian keeps the server's programs, one folder per version. */
const VERSIONS_FOLDER = '/usr/lib/postgresql'
/** The user whom Debian's package makes. The server refuses to run as root. */
const SERVER_USER = 'postgres'
/** Another process may take the free port in between; then another one is tried. */
const START_ATTEMPTS = 3
/** A standby says that its connections are read-only. */
const READY = /database system is ready to accept (read-only )?connections/

/** Safety against power loss is given up for speed: nothing in this database outlives the run. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Neither is worth its cost in databases that live for minutes.
  autovacuum: 'off',
  jit: 'off',
  shared_buffers: '32MB',
  max_connections: '100',
  listen_addresses: '127.0.0.1',
}

/**
 * @typedef {AsyncDisposable & { url: string, pid: number }} Postgres `url` has the rights to create
 *   databases; each test file makes one of its own
 */

/**
 * @typedef {object} PostgresOptions
 * @property {Postgres} [standbyOf] the server that it is a hot standby of; without it a server on its own
 * @property {Readonly<Record<string, string>>} [settings] in place of those that are usual here
 * @property {'scram-sha-256' | 'md5'} [auth] how clients prove who they are. The first is PostgreSQL's own choice; it
 *   hashes 4096 times at both ends, a third of what it takes to open a connection
 */

/**
 * @param {PostgresOptions} [options]
 * @returns {Promise<Postgres>}
 * @throws when PostgreSQL is not installed or does not start, with its own words
 */
export async function startPostgres({ standbyOf, settings = {}, auth = 'scram-sha-256' } = {}) {
  const programs = findPrograms()
  const kept = openKeptFolder('trunkline-postgres-')
  const folder = kept.path
  const primary = standbyOf === undefined ? null : new URL(standbyOf.url)
  const password = primary?.password ?? randomBytes(16).toString('hex')
  try {
    if (primary === null) initialise(programs, folder, password, auth)
    else await copyPrimary(programs, folder, primary)
    const { pid, port, end } = await startServer(programs, folder, settings, START_ATTEMPTS)
    return {
      url: `postgres://${SERVER_USER}:${password}@127.0.0.1:${port}/postgres`,
      pid,
      async [Symbol.asyncDispose]() {
        await end()
        await kept[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await kept[Symbol.asyncDispose]()
    throw error
  }
}

function findPrograms() {
  const versions = readdirSync(VERSIONS_FOLDER).filter((name) => /^\d+$/.test(name))
  const newest = versions.toSorted((a, b) => Number(a) - Number(b)).at(-1)
  if (newest === undefined) throw new Error(`No PostgreSQL in ${VERSIONS_FOLDER}: run npm test.`)
  return join(VERSIONS_FOLDER, newest, 'bin')
}

/**
 * @param {string} programs
 * @param {string} folder
 * @param {string} password
 * @param {string} auth
 */
function initialise(programs, folder, password, auth) {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  handOver(folder, passwordFile)
  const [command, args] = asServerUser([
    join(programs, 'initdb'),
    `--pgdata=${join(folder, 'data')}`,
    `--username=${SERVER_USER}`,
    `--pwfile=${passwordFile}`,
    `--auth=${auth}`,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ])
  execFileSync(command, args, { cwd: folder, stdio: 'pipe' })
  rmSync(passwordFile)
}

/**
 * What is changed at the primary from now on is streamed. It may take seconds, in which the caller reads what the
 * primary prints: a server whose pipe is full stands still.
 * @param {string} programs
 * @param {string} folder
 * @param {URL} primary
 */
async function copyPrimary(programs, folder, primary) {
  handOver(folder)
  const [command, args] = asServerUser([
    join(programs, 'pg_basebackup'),
    `--pgdata=${join(folder, 'data')}`,
    `--dbname=${primary.href}`,
    '--write-recovery-conf',
    '--checkpoint=fast',
    '--no-sync',
  ])
  await promisify(execFile)(command, args, { cwd: folder })
}

/**
 * @param {string} programs
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} more
 * @param {number} attempts
 * @returns {Promise<{ pid: number, port: number, end: () => Promise<void> }>}
 */
async function startServer(programs, folder, more, attempts) {
  const port = await freePort()
  const settings = { ...SETTINGS, ...more, port: String(port), unix_socket_directories: folder }
  const [command, args] = asServerUser([
    join(programs, 'postgres'),
    '-D',
    join(folder, 'data'),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  let words = ''
  /** @type {boolean} */
  const ready = await new Promise((resolve) => {
    child.stderr.on('data', (/** @type {Buffer} */ chunk) => {
      words = (words + chunk.toString()).slice(-4000)
      if (READY.test(words)) resolve(true)
    })
    child.once('close', () => resolve(false))
    child.once('error', (error) => {
      words += error.message
      resolve(false)
    })
  })
  if (!ready) {
    if (attempts > 1 && words.includes('Address already in use')) {
      return startServer(programs, folder, more, attempts - 1)
    }
    throw new Error(`PostgreSQL did not start:\n${words}`)
  }
  const end = async () => {
    // SIGINT is its fast shutdown: it does not wait for clients to leave.
    child.kill('SIGINT')
    await ended
  }
  return { pid: child.pid ?? 0, port, end }
}

/**
 * setpriv becomes the program it starts, so the pid is the server's own; and the server ends when
 * the test run is killed without warning.
 * @param {string[]} argv
 * @returns {[string, string[]]}
 */
function asServerUser(argv) {
  const user = isRoot()
    ? [`--reuid=${SERVER_USER}`, `--regid=${SERVER_USER}`, '--init-groups', '--reset-env']
    : []
  return ['setpriv', [...user, '--pdeathsig', 'INT', ...argv]]
}

/**
 * @param {string[]} paths
 */
function handOver(...paths) {
  if (!isRoot()) return
  /** @param {'-u' | '-g'} which */
  const id = (which) => Number(execFileSync('id', [which, SERVER_USER], { encoding: 'utf8' }))
  const [uid, gid] = [id('-u'), id('-g')]
  for (const path of paths) chownSync(path, uid, gid)
  chmodSync(paths[0] ?? '', 0o700)
}

function isRoot() {
  return process.getuid?.() === 0
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  await new Promise((resolve) => server.close(() => resolve(undefined)))
  if (address === null || typeof address === 'string') throw new Error('No free port on loopback.')
  return address.port
}
