/**
 * A shift begins: 20 people sign in every second, and whoever works already must not feel it. Lists
 * of a database with 10,000 users and 10,000 encoders are read 200 times a second, quietly, then while
 * sign-ins come evenly, then while all 20 come at the same moment; every fourth has a wrong password.
 * And what a sign-in costs beside its hash, and how many there are in a second beside hashes alone.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase, type Connection } from '@trunkline/api/db/open'
import { keysFrom } from '@trunkline/api/security/keys'
import { hashPassword, isPassword } from '@trunkline/api/security/password'
import { readOrMakeSecret } from '@trunkline/api/security/secret-file'
import { listAllEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { listUsers } from '@trunkline/contract/users/user.calls'
import { callApi, CallFailed, type Client } from '@trunkline/testbed/api-client'
import type { OwnProcess } from '@trunkline/testbed/child'
import { signIn } from '@trunkline/testbed/seed'
import {
  atLeast,
  atMost,
  cpuSecondsOf,
  median,
  percentile,
  printFigure,
  round,
  spread,
} from './kit/figure.ts'
import { watchLoop } from './kit/event-loop.ts'
import { PASSWORD, startApi } from './kit/large-site.ts'
import { settingOf } from './kit/settings.ts'

const OBJECTS = settingOf('ROWS', 10_000)
const ROWS = 12
const SIGN_INS_PER_SECOND = 20
const PHASE_SECONDS = settingOf('SECONDS', 20)
/** Sign-ins at the same time, as fast as they go. */
const AT_ONCE = 8
const FLAT_OUT_MS = 5000
const WRONG_EVERY = 4
/** Both lists are read once in this time: 200 calls a second. */
const READ_EVERY_MS = 10
const RAW_ROUNDS = 200

/** Whoever signed in last; everybody takes a turn. */
let person = 0

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-sign-in-'))
const dataDir = join(folder, 'data')
try {
  const passwordHash = await hashPassword(PASSWORD)
  await fill(passwordHash)
  await using api = await startApi(dataDir, { TRUNKLINE_SIGN_IN_LIMIT: '1000000' })
  const url = `http://127.0.0.1:${api.port}`
  const client = await signIn(url, emailOf(0), PASSWORD)
  await readLists(client, 2)
  const loop = await watchLoop(api)
  const quiet = await readLists(client, PHASE_SECONDS)
  const [even] = await Promise.all([readLists(client, PHASE_SECONDS), signInEvenly(url)])
  const [burst] = await Promise.all([readLists(client, PHASE_SECONDS), signInInBursts(url)])
  const loopGoal = await loop.goal()
  const rawMs = await rawHashCpuMs(passwordHash)
  const signInMs = await signInCpuMs(api, url)
  const { raw, ours } = await ratesFlatOut(url, passwordHash)
  const [quietP99, evenP99, burstP99] = [quiet, even, burst].map((answersMs) =>
    percentile(answersMs, 99),
  ) as [number, number, number]
  printFigure({
    bench: 'sign-in',
    rounds: PHASE_SECONDS,
    ours: {
      listsQuietMs: { ...spread(quiet), p99: round(quietP99), calls: quiet.length },
      listsWhileSignInsComeEvenlyMs: { ...spread(even), p99: round(evenP99) },
      listsWhileSignInsComeAtOnceMs: { ...spread(burst), p99: round(burstP99) },
      signInCpuMs: round(signInMs),
      signInsPerSecond: spread(ours),
    },
    limit: { argon2idVerifyCpuMs: round(rawMs), verifiesPerSecond: spread(raw) },
    goals: [
      atMost('p99 of a list, 20 sign-ins a second', evenP99, 50, 'ms'),
      atMost('p99 of a list, 20 sign-ins at once every second', burstP99, 50, 'ms'),
      atMost('p99 of a list, 20 sign-ins a second, to quiet', evenP99 / quietP99, 5, 'x'),
      atMost('p99 of a list, 20 sign-ins at once, to quiet', burstP99 / quietP99, 5, 'x'),
      atLeast('sign-ins a second, to hashes alone', median(ours) / median(raw), 0.85, 'x'),
      atMost('CPU of a sign-in to CPU of its hash', signInMs / rawMs, 1.15, 'x'),
      loopGoal,
    ],
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function emailOf(index: number): string {
  return `person${index}@trunkline.example`
}

async function fill(passwordHash: string): Promise<void> {
  const db = await openDatabase({ kind: 'sqlite', file: join(dataDir, 'trunkline.db') })
  await fillUsers(db, passwordHash)
  await db
    .insertInto('groups')
    .values({
      ...stamps('group', 'north'),
      title: 'North',
      title_key: 'north',
      description: 'd',
      manager_id: 'user1',
    })
    .execute()
  await fillEncoders(db)
  await db.destroy()
}

function stamps(id: string, search: string) {
  return { id, version: 1, created_at: '2026-11-20T08:00:00.000Z', search }
}

async function fillUsers(db: Connection, passwordHash: string): Promise<void> {
  await inBatches(async (from, to) => {
    const rows = Array.from({ length: to - from }, (_, offset) => {
      const index = from + offset
      const email = emailOf(index)
      return {
        ...stamps(`user${index}`, `person ${index}\n${email}`),
        first_name: 'Person',
        last_name: String(index),
        email,
        role: index === 0 ? ('superadmin' as const) : ('manager' as const),
        password_hash: passwordHash,
        token_version: 1,
        asks_before_interrupting: 0 as const,
      }
    })
    await db.insertInto('users').values(rows).execute()
  })
}

/** All on one address where nobody answers: dialling 10,000 hosts is another bench's matter. */
async function fillEncoders(db: Connection): Promise<void> {
  const keys = keysFrom(await readOrMakeSecret(`${dataDir}.key`))
  const apiKeySealed = keys.seal('a key that opens nothing')
  await inBatches(async (from, to) => {
    const rows = Array.from({ length: to - from }, (_, offset) => {
      const index = from + offset
      return {
        ...stamps(`encoder${index}`, `camera ${index}`),
        name: `encoder${index}`,
        title: `Camera ${index}`,
        description: '',
        ip: '192.0.2.1',
        port: 8000,
        location: '',
        physical_address: '',
        contact_number: '',
        email: '',
        group_id: 'group',
        api_key_sealed: apiKeySealed,
        is_enabled: 1 as const,
        wanted_running: 0 as const,
        config: null,
        card_idx: null,
      }
    })
    await db.insertInto('encoders').values(rows).execute()
  })
}

async function inBatches(insert: (from: number, to: number) => Promise<void>): Promise<void> {
  const size = 500
  for (let from = 0; from < OBJECTS; from += size) await insert(from, from + size)
}

/** Milliseconds of every call, at a pace of its own: a slow answer does not slow the next question. */
async function readLists(client: Client, seconds: number): Promise<number[]> {
  const answers: Promise<number>[] = []
  const startedAt = performance.now()
  for (let tick = 0; tick * READ_EVERY_MS < seconds * 1000; tick += 1) {
    await pause(Math.max(0, startedAt + tick * READ_EVERY_MS - performance.now()))
    const page = tick % 100
    answers.push(
      timed(async () => callApi(client, listUsers, { query: { page, rowsPerPage: ROWS } })),
      timed(async () => callApi(client, listAllEncoders, { body: { page, rows: ROWS } })),
    )
  }
  return Promise.all(answers)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function refused(url: string, email: string): Promise<void> {
  await signIn(url, email, 'not-the-password').catch((error: unknown) => {
    if (!(error instanceof CallFailed)) throw error
  })
}

async function signInEvenly(url: string): Promise<void> {
  await storm(1000 / SIGN_INS_PER_SECOND, 1, url)
}

async function signInInBursts(url: string): Promise<void> {
  await storm(1000, SIGN_INS_PER_SECOND, url)
}

/** `count` people at once, every `everyMs`, whether those before are in already or not. */
async function storm(everyMs: number, count: number, url: string): Promise<void> {
  const signIns: Promise<unknown>[] = []
  const startedAt = performance.now()
  for (let tick = 0; tick * everyMs < PHASE_SECONDS * 1000; tick += 1) {
    await pause(Math.max(0, startedAt + tick * everyMs - performance.now()))
    for (let at = 0; at < count; at += 1) {
      person = (person + 1) % OBJECTS
      const isWrong = person % WRONG_EVERY === 0
      signIns.push(isWrong ? refused(url, emailOf(person)) : signIn(url, emailOf(person), PASSWORD))
    }
  }
  await Promise.all(signIns)
}

/** Of the bare check in this process, at the pace of the storm: the floor that nobody can go below. */
async function rawHashCpuMs(passwordHash: string): Promise<number> {
  const checks: Promise<boolean>[] = []
  const before = process.cpuUsage()
  for (let at = 0; at < RAW_ROUNDS; at += 1) {
    checks.push(isPassword(passwordHash, PASSWORD))
    await pause(1000 / SIGN_INS_PER_SECOND)
  }
  await Promise.all(checks)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / RAW_ROUNDS
}

/** Of the API's process, without what it uses when nobody asks. */
async function signInCpuMs(api: OwnProcess, url: string): Promise<number> {
  const cpuMs = async (work: () => Promise<unknown>) => {
    const [startedAt, before] = [performance.now(), cpuSecondsOf(api.pid)]
    await work()
    return { cpu: (cpuSecondsOf(api.pid) - before) * 1000, wall: performance.now() - startedAt }
  }
  const idle = await cpuMs(async () => pause(3000))
  const busy = await cpuMs(async () => signInEvenly(url))
  const signIns = PHASE_SECONDS * SIGN_INS_PER_SECOND
  return (busy.cpu - (idle.cpu / idle.wall) * busy.wall) / signIns
}

/** In turn, three times each. */
async function ratesFlatOut(url: string, passwordHash: string) {
  const rates = { raw: [] as number[], ours: [] as number[] }
  for (let turn = 0; turn < 3; turn += 1) {
    rates.raw.push(await flatOut(async () => isPassword(passwordHash, PASSWORD)))
    rates.ours.push(
      await flatOut(async () => {
        person = (person + 1) % OBJECTS
        return signIn(url, emailOf(person), PASSWORD)
      }),
    )
  }
  return rates
}

/** How often a second it is done, by so many at once. */
async function flatOut(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  let done = 0
  const repeat = async () => {
    while (performance.now() - startedAt < FLAT_OUT_MS) {
      await work()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, repeat))
  return (done * 1000) / (performance.now() - startedAt)
}
