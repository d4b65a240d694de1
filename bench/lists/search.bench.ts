/**
 * Searches with a total among 10,000 encoders: a text of one of them, one that all have, and one that
 * none has, beside the same page and count of the bare index in SQLite. Once with answers that are
 * kept until something changes, and once with none kept, as at the first search for a text. In
 * microseconds of CPU; with `BENCH_DATABASE=postgres`, where most of the work is another process's, of
 * the time that passes, divided by the searches done in it.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OwnProcess } from '@trunkline/testbed/child'
import { repositoryRoot } from '@trunkline/testbed/repository'
import { signIn } from '@trunkline/testbed/seed'
import { openDatabases, settingsOf } from '../kit/database.ts'
import { watchLoop } from '../kit/event-loop.ts'
import { median, printFigure, round, type Goal } from '../kit/figure.ts'
import { pin, type Asked } from '../kit/http-load.ts'
import { startApi } from '../kit/large-site.ts'
import { settingOf } from '../kit/settings.ts'
import { askFor, costOf, type Cost } from './list-calls.ts'
import { fillLists, MANAGER, PASSWORD, SUPERADMIN } from './list-site.ts'

const [SERVER_CORE, LOAD_CORE] = [0, 1]
const ROWS = settingOf('ROWS', 10_000)
const ROUNDS = settingOf('ROUNDS', 5)
const MEASURE_MS = 700
const TERMS = { rare: '005007', common: 'camera', none: 'zzzzzz' } as const
type Kind = keyof typeof TERMS
const KINDS = Object.keys(TERMS) as Kind[]
type PerKind = Record<Kind, number[]>

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-search-'))
try {
  pin(process.pid, LOAD_CORE)
  const [kept, fresh] = [join(folder, 'kept'), join(folder, 'fresh')]
  await using databases = await openDatabases('BENCH_DATABASE')
  const [keptUrl, freshUrl] = [await databases.open('kept'), await databases.open('fresh')]
  await fillLists(kept, ROWS, keptUrl)
  await fillLists(fresh, ROWS, freshUrl)
  await using keeping = await start(kept, settingsOf(keptUrl))
  await using reading = await start(fresh, {
    ...settingsOf(freshUrl),
    TRUNKLINE_ANSWER_CACHE_MB: '0',
  })
  // Once each has made its indexes.
  await databases.analyze(keptUrl)
  await databases.analyze(freshUrl)
  const usOf = ({ cpuUs, perSecond }: Cost) => (freshUrl === null ? cpuUs : 1e6 / perSecond)
  const asked = { keeping: await callsTo(keeping), reading: await callsTo(reading) }
  const loop = await watchLoop(reading)
  const [raw, ours, first, manager] = [perKind(), perKind(), perKind(), perKind()]
  for (let at = 0; at < ROUNDS; at += 1) {
    const bare = rawUs(freshUrl ?? join(fresh, 'trunkline.db'), freshUrl !== null)
    for (const kind of KINDS) {
      raw[kind].push(bare[kind])
      ours[kind].push(usOf(await costOf(keeping, asked.keeping.all[kind], MEASURE_MS)))
      first[kind].push(usOf(await costOf(reading, asked.reading.all[kind], MEASURE_MS)))
      manager[kind].push(usOf(await costOf(reading, asked.reading.group[kind], MEASURE_MS)))
    }
  }
  print(databases.kind, { raw, ours, first, manager }, await loop.goal())
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function start(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<OwnProcess> {
  const api = await startApi(dataDir, settings)
  pin(api.pid, SERVER_CORE)
  return api
}

function perKind(): PerKind {
  return { rare: [], common: [], none: [] }
}

async function callsTo(api: OwnProcess): Promise<Record<'all' | 'group', Record<Kind, Asked[]>>> {
  const url = `http://127.0.0.1:${api.port}`
  const superadmin = await signIn(url, SUPERADMIN, PASSWORD)
  const manager = await signIn(url, MANAGER, PASSWORD)
  const calls = (token: string) => {
    const of = (kind: Kind) => [askFor('encoders', token, { page: 0, search: TERMS[kind] })]
    return { rare: of('rare'), common: of('common'), none: of('none') }
  }
  return { all: calls(superadmin.token), group: calls(manager.token) }
}

/** Of a page and a count of the index alone, in a process that does nothing else. */
function rawUs(database: string, isPostgres: boolean): Record<Kind, number> {
  const name = isPostgres ? 'bare-search-postgres.ts' : 'bare-search.ts'
  const script = join(repositoryRoot(), 'bench/lists', name)
  const args = [
    '-c',
    String(SERVER_CORE),
    process.execPath,
    script,
    database,
    JSON.stringify(TERMS),
  ]
  return JSON.parse(execFileSync('taskset', args, { encoding: 'utf8' })) as Record<Kind, number>
}

function mean(costs: PerKind): number {
  return KINDS.reduce((sum, kind) => sum + median(costs[kind]), 0) / KINDS.length
}

function print(
  database: string,
  { raw, ours, first, manager }: Record<'raw' | 'ours' | 'first' | 'manager', PerKind>,
  loopGoal: Goal,
): void {
  const medians = (costs: PerKind) =>
    Object.fromEntries(KINDS.map((kind) => [kind, round(median(costs[kind]))]))
  const atLeastHalf = (name: string, got: number): Goal => {
    return { name, want: '>= 0.5 x', got: round(got), ok: got >= 0.5 }
  }
  printFigure({
    bench: 'search',
    rounds: ROUNDS,
    ours: {
      database,
      rows: ROWS,
      keptUs: medians(ours),
      firstUs: medians(first),
      firstOfManagerUs: medians(manager),
    },
    limit: { rawUs: medians(raw) },
    goals: [
      ...KINDS.map((kind) =>
        atLeastHalf(
          `${kind} text, kept: rate to the bare index`,
          median(raw[kind]) / median(ours[kind]),
        ),
      ),
      atLeastHalf('first search, all three texts: rate to the bare index', mean(raw) / mean(first)),
      ...KINDS.map((kind) =>
        atLeastHalf(
          `${kind} text, first search: rate to the bare index`,
          median(raw[kind]) / median(first[kind]),
        ),
      ),
      loopGoal,
    ],
  })
}
