/**
 * The page of all signal paths on a site of 10,000 objects: as many encoders, feeders, inputs, outputs
 * and channels in 50 groups, each encoder feeding an input with an output. The first page after the
 * start, pages afterwards, and pages while somebody saves; of a superadmin and of a manager of one group.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@trunkline/api/db/open'
import { renameChannel } from '@trunkline/contract/channels/channel.calls'
import { listSignalPaths, PATHS_PER_PAGE } from '@trunkline/contract/paths/path.calls'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import { signIn } from '@trunkline/testbed/seed'
import { sql } from 'kysely'
import { watchLoop } from '../kit/event-loop.ts'
import { atMost, cpuSecondsOf, percentile, printFigure, round, spread } from '../kit/figure.ts'
import { startApi } from '../kit/large-site.ts'
import { settingOf } from '../kit/settings.ts'
import { fillLists, MANAGER, PASSWORD, SUPERADMIN } from './list-site.ts'

/** Of each of five kinds. */
const ROWS = settingOf('ROWS', 2000)
const PAGES = settingOf('PAGES', 200)
/** Until then the API reads all programs of the site. */
const SETTLE_MS = 5000
const GATEWAYS = 100
/** Followed by the number of the gateway. */
const NETWORK = '198.51.100.'
const FIRST_PORT = 6000

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-paths-'))
/** Its key stands beside it. */
const dataDir = join(folder, 'site')
try {
  mkdirSync(dataDir)
  await fillLists(dataDir, ROWS)
  await joinPaths()
  await using api = await startApi(dataDir)
  const url = `http://127.0.0.1:${api.port}`
  const boss = await signIn(url, SUPERADMIN, PASSWORD)
  const manager = await signIn(url, MANAGER, PASSWORD)
  await pause(SETTLE_MS)
  const loop = await watchLoop(api)
  const first = await pageOf(boss, 0)
  const cpuBefore = cpuSecondsOf(api.pid)
  const all = await pagesOf(boss)
  const cpuMs = ((cpuSecondsOf(api.pid) - cpuBefore) * 1000) / PAGES
  const own = await pagesOf(manager)
  const saving = await pagesOf(boss, async (at) => {
    await callApi(boss, renameChannel, {
      params: { channelId: `channel-${at}` },
      body: { title: `Renamed ${at}` },
    })
  })
  printFigure({
    bench: 'paths',
    rounds: PAGES,
    ours: {
      objects: ROWS * 5,
      paths: first.total,
      ofManager: own.total,
      firstMs: round(first.tookMs),
      pageMs: spread(all.tookMs),
      managerMs: spread(own.tookMs),
      whileSavingMs: spread(saving.tookMs),
      cpuMs: round(cpuMs),
    },
    limit: {},
    goals: [
      atMost('the first page', first.tookMs, 500, 'ms'),
      atMost('a page, p95', percentile(all.tookMs, 95), 50, 'ms'),
      atMost('a page of one group, p95', percentile(own.tookMs, 95), 50, 'ms'),
      atMost('a page while somebody saves, p95', percentile(saving.tookMs, 95), 50, 'ms'),
      await loop.goal('the site'),
    ],
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Feeder n calls input n. The gateways number their ports alike, as those of a site do. */
async function joinPaths(): Promise<void> {
  const db = await openDatabase({ kind: 'sqlite', file: join(dataDir, 'trunkline.db') })
  const row = await db
    .selectFrom('servers')
    .selectAll()
    .where('id', '=', 'gateway')
    .executeTakeFirstOrThrow()
  for (let at = 0; at < GATEWAYS; at++) {
    const [id, host] = [`gateway-${at}`, `${NETWORK}${at}`]
    const more = { id, title: id, title_key: id, host, host_key: host, address_key: host }
    await db
      .insertInto('servers')
      .values({ ...row, ...more })
      .execute()
    await db.insertInto('server_addresses').values({ server_id: id, address: host }).execute()
  }
  const number = (kind: string) => sql`cast(substr(id, ${kind.length + 2}) as int)`
  const gateway = (kind: string) => sql`${number(kind)} % ${sql.lit(GATEWAYS)}`
  const port = (kind: string) => sql<number>`${FIRST_PORT} + ${number(kind)} / ${sql.lit(GATEWAYS)}`
  await db
    .updateTable('inputs')
    .set({ server_id: sql<string>`'gateway-' || (${gateway('input')})`, port: port('input') })
    .execute()
  await db
    .updateTable('feeders')
    .set({
      server_id: sql<string>`'gateway-' || (${gateway('feeder')})`,
      calls_address: sql<string>`${NETWORK} || (${gateway('feeder')})`,
      calls_port: port('feeder'),
    })
    .execute()
  await db.destroy()
}

async function pageOf(client: Client, page: number) {
  const startedMs = performance.now()
  const { total } = await callApi(client, listSignalPaths, { query: { page } })
  return { total, tookMs: performance.now() - startedMs }
}

async function pagesOf(client: Client, also: (at: number) => Promise<void> = async () => {}) {
  const tookMs: number[] = []
  let total = 0
  for (let at = 0; at < PAGES; at++) {
    await also(at)
    const page = await pageOf(client, at % Math.max(1, Math.ceil(total / PATHS_PER_PAGE)))
    tookMs.push(page.tookMs)
    total = page.total
  }
  return { total, tookMs }
}
