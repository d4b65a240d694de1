/**
 * Pages of the six long lists, of 10,000 rows each in 50 groups, as a manager and a superadmin read
 * them, beside Fastify alone with the same bytes; and the same of 100,000 rows. Server on one core,
 * load on another, by 16 connections. With `BENCH_DATABASE=postgres` the sites are in PostgreSQL.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OwnProcess } from '@trunkline/testbed/child'
import { signIn } from '@trunkline/testbed/seed'
import { openDatabases, settingsOf, type SiteDatabases } from '../kit/database.ts'
import { watchLoop } from '../kit/event-loop.ts'
import { atLeast, atMost, median, printFigure, round, spread, type Goal } from '../kit/figure.ts'
import { startApi } from '../kit/large-site.ts'
import {
  askFor,
  bodyOf,
  costOf,
  LIST_NAMES,
  ROWS,
  startBare,
  type Cost,
  type ListName,
  type Page,
} from './list-calls.ts'
import { fillLists, GROUP_ID, GROUPS, MANAGER, PASSWORD, SUPERADMIN } from './list-site.ts'
import { pin, type Asked } from '../kit/http-load.ts'
import { settingOf } from '../kit/settings.ts'

const [SERVER_CORE, LOAD_CORE] = [0, 1]
const [SITE, LARGE_SITE] = [settingOf('ROWS', 10_000), settingOf('LARGE_ROWS', 100_000)]
const ROUNDS = settingOf('ROUNDS', 5)
const MEASURE_MS = 400
const WARM_UP_MS = 300

interface Variant {
  name: string
  asked: Asked
  /** Which of the bare server's bodies it is. */
  body: number
}

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-list-'))
try {
  pin(process.pid, LOAD_CORE)
  await using databases = await openDatabases('BENCH_DATABASE')
  await using api = await openSite(databases, 'site', SITE)
  await using large = await openSite(databases, 'large', LARGE_SITE)
  const variants = await variantsOf(api, SITE)
  const bodies = await Promise.all(variants.map(async ({ asked }) => bodyOf(api.port, asked)))
  await using bare = await startBare(folder, bodies)
  pin(bare.pid, SERVER_CORE)
  const largePages = await variantsOf(large, LARGE_SITE)
  const loops = [await watchLoop(api), await watchLoop(large)] as const
  const measured = await measure({ api, large, bare }, variants, largePages)
  print(databases.kind, measured, bodies, [
    await loops[0].goal(`${SITE} rows`),
    await loops[1].goal(`${LARGE_SITE} rows`),
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function openSite(databases: SiteDatabases, name: string, rows: number): Promise<OwnProcess> {
  const dataDir = join(folder, name)
  const url = await databases.open(name)
  await fillLists(dataDir, rows, url)
  await databases.analyze(url)
  const api = await startApi(dataDir, settingsOf(url))
  pin(api.pid, SERVER_CORE)
  return api
}

async function variantsOf(api: OwnProcess, rows: number): Promise<Variant[]> {
  const url = `http://127.0.0.1:${api.port}`
  const superadmin = await signIn(url, SUPERADMIN, PASSWORD)
  const manager = await signIn(url, MANAGER, PASSWORD)
  const last = (of: number) => Math.ceil(of / ROWS) - 1
  return LIST_NAMES.flatMap((list) => {
    const page = (who: 'superadmin' | 'manager', name: string, wanted: Page) => ({
      name: `${list} ${who} ${name}`,
      asked: askFor(list, (who === 'manager' ? manager : superadmin).token, wanted),
    })
    const whole = [
      page('superadmin', 'first', { page: 0 }),
      page('superadmin', 'last', { page: last(rows) }),
    ]
    const ofManager = [
      page('manager', 'first', { page: 0 }),
      page('manager', 'last', { page: last(rows / GROUPS) }),
    ]
    const group = page('superadmin', 'group', { page: 0, group: GROUP_ID })
    if (list === 'audit') return whole
    return list === 'outputs' ? [...whole, ...ofManager] : [...whole, ...ofManager, group]
  }).map((variant, body) => ({ ...variant, body }))
}

interface Servers {
  api: OwnProcess
  large: OwnProcess
  bare: OwnProcess
}

interface Measured {
  name: string
  ours: Cost[]
  limit: Cost[]
  large: Cost[]
}

async function measure(
  { api, large, bare }: Servers,
  variants: readonly Variant[],
  largePages: readonly Variant[],
): Promise<Measured[]> {
  const all: Measured[] = variants.map(({ name }) => ({ name, ours: [], limit: [], large: [] }))
  for (const { asked, body } of variants) {
    await costOf(api, [asked], WARM_UP_MS)
    await costOf(bare, [bareCall(asked, body)], WARM_UP_MS)
  }
  for (let at = 0; at < ROUNDS; at += 1) {
    for (const { asked, body } of variants) {
      all[body]?.limit.push(await costOf(bare, [bareCall(asked, body)], MEASURE_MS))
      all[body]?.ours.push(await costOf(api, [asked], MEASURE_MS))
      const largePage = largePages[body]?.asked
      if (largePage) all[body]?.large.push(await costOf(large, [largePage], MEASURE_MS))
    }
  }
  return all
}

/** The token is sent to both. */
function bareCall({ method, headers = {}, body = '' }: Asked, number: number): Asked {
  return { method, path: `/${number}`, headers, body }
}

function of(costs: readonly Cost[], pick: keyof Cost): number {
  return median(costs.map((cost) => cost[pick]))
}

function print(
  database: string,
  measured: readonly Measured[],
  bodies: readonly string[],
  loopGoals: readonly Goal[],
): void {
  const rows = measured.map(({ name, ours, limit, large }, at) => ({
    name,
    bytes: bodies[at]?.length ?? 0,
    cpuUs: spread(ours.map(({ cpuUs }) => cpuUs)),
    perSecond: round(of(ours, 'perSecond')),
    p99Ms: round(of(ours, 'p99Ms')),
    limitCpuUs: round(of(limit, 'cpuUs')),
    limitPerSecond: round(of(limit, 'perSecond')),
    limitP99Ms: round(of(limit, 'p99Ms')),
    largeCpuUs: round(of(large, 'cpuUs')),
    ratio: round(of(ours, 'cpuUs') / of(limit, 'cpuUs')),
    growth: round(of(large, 'cpuUs') / of(ours, 'cpuUs')),
  }))
  const rateOf = (name: string) => rows.find((row) => row.name === name)?.perSecond ?? Number.NaN
  const lastToFirst = (list: ListName): Goal => {
    const got = rateOf(`${list} superadmin last`) / rateOf(`${list} superadmin first`)
    return {
      name: `${list}: last page to the first's rate`,
      want: '>= 0.75 x',
      got: round(got),
      ok: got >= 0.75,
    }
  }
  printFigure({
    bench: 'list',
    rounds: ROUNDS,
    ours: { database, rows: SITE, large: LARGE_SITE, lists: rows },
    limit: { bareFastifyCpuUs: spread(rows.map(({ limitCpuUs }) => limitCpuUs)) },
    goals: [
      ...rows.map((row) => atMost(`${row.name}: CPU to bare Fastify's`, row.ratio, 2, 'x')),
      ...rows.map((row) =>
        atLeast(
          `${row.name}: rate to bare Fastify's`,
          row.perSecond / row.limitPerSecond,
          0.45,
          'x',
        ),
      ),
      ...rows.map((row) =>
        atMost(`${row.name}: p99 to bare Fastify's`, row.p99Ms / row.limitP99Ms, 2, 'x'),
      ),
      ...LIST_NAMES.map(lastToFirst),
      ...rows.map((row) =>
        atMost(`${row.name}: ${LARGE_SITE} rows to ${SITE}`, row.growth, 1.3, 'x'),
      ),
      ...loopGoals,
    ],
  })
}
