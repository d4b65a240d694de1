/**
 * Two PostgreSQL servers, of which the second is a hot standby of the first: a commit is acknowledged once both
 * have it. The first can be killed, and the second put in its place. Before them is a door, as an address that
 * moves is: what connects there reaches the one that takes writes.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openPostgresDoor } from '@trunkline/api/testing/postgres-door'
import pg from 'pg'
import { startPostgres } from '../../../tools/postgres.mjs'
import type { SiteDatabases } from '../../kit/database.ts'
import { processTree } from '../../kit/figure.ts'

const SETTINGS = {
  synchronous_commit: 'on',
  // Else a killed server leaves segments in /dev/shm; here they are in its own folder.
  dynamic_shared_memory_type: 'mmap',
}
const LOOK_MS = 50

export interface PostgresPair extends SiteDatabases {
  /** Every process of it, without warning. Its files are gone as well. */
  killPrimary(): Promise<void>
  /** As one whose machine loses its power: killed too, but no connection to it ends. */
  silencePrimary(): Promise<void>
  /** Puts the standby in its place, and the door before it. Resolves once it takes writes. */
  promote(): Promise<void>
  /** Of the server that was promoted. Resolves once commits wait for it. */
  addStandby(): Promise<void>
}

export async function openPostgresPair(): Promise<PostgresPair> {
  await using life = new AsyncDisposableStack()
  let primary = await startPostgres({ settings: SETTINGS })
  life.defer(async () => primary[Symbol.asyncDispose]())
  let standby = await standbyOf(primary)
  life.defer(async () => standby[Symbol.asyncDispose]())
  const door = life.use(await openPostgresDoor(primary.url))
  const end = life.move()
  const killPrimary = async () => {
    const { pid } = primary
    for (const { pid: each } of processTree(pid)) kill(each)
    await primary[Symbol.asyncDispose]()
    removeSharedMemory(pid)
  }
  return {
    kind: 'postgres',
    async open(name) {
      await ask(primary.url, `create database ${name}`)
      const url = new URL(door.url)
      url.pathname = `/${name}`
      return url.href
    },
    analyze: async (url) => {
      if (url !== null) await ask(url, 'vacuum analyze')
    },
    killPrimary,
    async silencePrimary() {
      door.fallSilent()
      await killPrimary()
    },
    async promote() {
      await ask(standby.url, 'select pg_promote(true, 60)')
      primary = standby
      door.leadTo(primary.url)
    },
    async addStandby() {
      standby = await standbyOf(primary)
    },
    [Symbol.asyncDispose]: async () => end.disposeAsync(),
  }
}

type Postgres = Awaited<ReturnType<typeof startPostgres>>

async function standbyOf(primary: Postgres): Promise<Postgres> {
  const standby = await startPostgres({ settings: SETTINGS, standbyOf: primary })
  await untilReplicated(primary, "state = 'streaming'")
  // Not before the copy was made: a promoted server that waits for a standby of its own takes no commit.
  await ask(primary.url, "alter system set synchronous_standby_names = '*'")
  await ask(primary.url, 'select pg_reload_conf()')
  await untilReplicated(primary, "sync_state = 'sync'")
  return standby
}

async function untilReplicated({ url }: Postgres, how: string): Promise<void> {
  while ((await ask(url, `select 1 from pg_stat_replication where ${how}`)) === 0) {
    await pause(LOOK_MS)
  }
}

/** Answers how many rows came. */
async function ask(url: string, statement: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(statement)).rowCount ?? 0
  } finally {
    await client.end()
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended with the process that it was a part of.
  }
}

/** A killed server leaves a segment of some bytes to the kernel, by which it knows of itself. */
function removeSharedMemory(pid: number): void {
  const [, ...lines] = readFileSync('/proc/sysvipc/shm', 'utf8').trim().split('\n')
  for (const line of lines) {
    const [, id = '', , , creator] = line.trim().split(/\s+/)
    if (Number(creator) === pid) execFileSync('ipcrm', ['-m', id])
  }
}
