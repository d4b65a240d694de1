/**
 * Saves of encoders, title and whole configuration in turn: version, scope, checks, row and audit
 * line in one durable transaction, by 1 and by 8 editors with an account each, beside SQLite alone with two rows a commit
 * in the same run. At 300 and at 30,000 encoders, whose hosts are all connected: what a save costs
 * follows what it changes. API on one core, editors on another. With `BENCH_DATABASE=postgres` all of it
 * is in PostgreSQL, and the limit commits by 8 connections.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection } from '@trunkline/api/db/open'
import { findEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import type { OwnProcess } from '@trunkline/testbed/child'
import { signIn } from '@trunkline/testbed/seed'
import { openDatabases, settingsOf, type SiteDatabases } from '../kit/database.ts'
import { watchLoop } from '../kit/event-loop.ts'
import {
  atLeast,
  atMost,
  cpuSecondsOf,
  median,
  percentile,
  printFigure,
  round,
  spread,
} from '../kit/figure.ts'
import { load, pin, type Asked, type Load } from '../kit/http-load.ts'
import { ENCODERS_PER_HOST, fillSite, PASSWORD, startApi } from '../kit/large-site.ts'
import { FakeFleet } from '../kit/fleet/fake-fleet.ts'
import { settingOf } from '../kit/settings.ts'
import { RawCommits } from './raw-commit.process.ts'

const [SERVER_CORE, LOAD_CORE] = [0, 1]
const [SMALL, LARGE] = [300, settingOf('ROWS', 30_000)]
const ROUNDS = settingOf('ROUNDS', 5)
const MEASURE_MS = 1500
const WARM_UP_MS = 2000
const EDITORS = [1, 8] as const
const EMAILS = Array.from({ length: 8 }, (_, at) => `editor-${at}@trunkline.example`)
/** Of each host of the small site one: two of a host must not send to one target. */
const SAVED = SMALL / ENCODERS_PER_HOST

interface Site {
  api: OwnProcess
  /** Of each editor; no two save the same encoder. */
  asked: Asked[][]
}

interface Measured {
  perSecond: number[]
  cpuUs: number[]
  p99Ms: number[]
}

type Name = `${'small' | 'large'}${(typeof EDITORS)[number]}`

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-edit-'))
try {
  pin(process.pid, LOAD_CORE)
  await using fleet = await FakeFleet.open()
  await using databases = await openDatabases('BENCH_DATABASE')
  await using smallApi = await open(databases, fleet, SMALL)
  await using largeApi = await open(databases, fleet, LARGE, SMALL)
  const small = await siteOf(smallApi)
  const large = await siteOf(largeApi)
  await using raw = await RawCommits.open(folder, LARGE, await databases.open('raw'))
  pin(raw.pid, SERVER_CORE)
  const measured = await measure(small, large, raw)
  print(databases.kind, measured)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function open(
  databases: SiteDatabases,
  fleet: FakeFleet,
  encoders: number,
  before = 0,
): Promise<OwnProcess> {
  const dataDir = join(folder, String(encoders))
  const url = await databases.open(`site${encoders}`)
  const size = { encoders, port: fleet.port, ...(url === null ? {} : { url }) }
  await fillSite(dataDir, size, addEditors)
  await databases.analyze(url)
  const api = await startApi(dataDir, settingsOf(url))
  pin(api.pid, SERVER_CORE)
  await fleet.linked((before + encoders) / ENCODERS_PER_HOST)
  return api
}

/** Their calls are admitted and counted by account, so each has one. */
async function addEditors(db: Connection): Promise<void> {
  const boss = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
  const editors = EMAILS.map((email, at) => ({ ...boss, id: `editor-${at}`, email }))
  await db.insertInto('users').values(editors).execute()
}

async function siteOf(api: OwnProcess): Promise<Site> {
  const asked = await Promise.all(
    EMAILS.map(async (email, editor) => {
      const client = await signIn(`http://127.0.0.1:${api.port}`, email, PASSWORD)
      const own: Asked[] = []
      for (let at = editor; at < SAVED; at += EMAILS.length) own.push(await saveOf(client, at))
      return own
    }),
  )
  const site = { api, asked }
  await loadBy(site, EMAILS.length, WARM_UP_MS)
  return site
}

async function loadBy({ api, asked }: Site, editors: number, durationMs: number): Promise<Load> {
  const loads = await Promise.all(
    asked.slice(0, editors).map(async (own) => load(api.port, own, { connections: 1, durationMs })),
  )
  const latenciesMs = loads.flatMap((each) => each.latenciesMs)
  const seconds = Math.max(...loads.map((each) => each.seconds))
  return { requests: latenciesMs.length, seconds, latenciesMs }
}

/** What a form sends: all of it, and its configuration every second time. */
async function saveOf(client: Client, at: number): Promise<Asked> {
  const { data } = await callApi(client, findEncoder, {
    params: { id: `e-${1 + ENCODERS_PER_HOST * at}` },
  })
  const { _id, description, ip, port, location, groupId } = data
  const plain = { _id, description, ip, port, location, groupId, title: `Camera ${at}` }
  return {
    method: 'PUT',
    path: updateEncoder.path,
    headers: { authorization: `Bearer ${client.token}` },
    body: JSON.stringify(at % 2 === 0 ? plain : { ...plain, config: data.config }),
  }
}

async function measure(small: Site, large: Site, raw: RawCommits) {
  const none = (): Measured => ({ perSecond: [], cpuUs: [], p99Ms: [] })
  const ours: Record<Name, Measured> = {
    small1: none(),
    small8: none(),
    large1: none(),
    large8: none(),
  }
  const limit = none()
  const loop = await watchLoop(large.api)
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const commits = await raw.commitFor(MEASURE_MS)
    limit.perSecond.push(commits.perSecond)
    limit.cpuUs.push(commits.cpuUs)
    for (const editors of EDITORS) {
      await saveFor(small, editors, ours[`small${editors}`])
      await saveFor(large, editors, ours[`large${editors}`])
    }
  }
  return { ours, limit, loopGoal: await loop.goal() }
}

async function saveFor(site: Site, editors: number, into: Measured): Promise<void> {
  const cpuBefore = cpuSecondsOf(site.api.pid)
  const { requests, seconds, latenciesMs } = await loadBy(site, editors, MEASURE_MS)
  into.cpuUs.push(((cpuSecondsOf(site.api.pid) - cpuBefore) / requests) * 1e6)
  into.perSecond.push(requests / seconds)
  into.p99Ms.push(percentile(latenciesMs, 99))
}

function print(
  database: string,
  { ours, limit, loopGoal }: Awaited<ReturnType<typeof measure>>,
): void {
  const figures = ({ perSecond, cpuUs, p99Ms }: Measured) => ({
    perSecond: spread(perSecond),
    cpuUs: spread(cpuUs),
    p99Ms: spread(p99Ms),
  })
  const ratio = (name: Name) => median(ours[name].perSecond) / median(limit.perSecond)
  printFigure({
    bench: 'edit',
    rounds: ROUNDS,
    ours: {
      database,
      encoders: [SMALL, LARGE],
      small1: figures(ours.small1),
      small8: figures(ours.small8),
      large1: figures(ours.large1),
      large8: figures(ours.large8),
      ratio1: round(ratio('large1')),
    },
    limit: { perSecond: spread(limit.perSecond), cpuUs: spread(limit.cpuUs) },
    goals: [
      atLeast('saves by 8 editors, to raw commits', ratio('large8'), 0.5, 'x'),
      atMost('p99 of a save by 8 editors', median(ours.large8.p99Ms), 20, 'ms'),
      atMost(
        `CPU of a save, ${LARGE} encoders to ${SMALL}`,
        median(ours.large8.cpuUs) / median(ours.small8.cpuUs),
        1.3,
        'x',
      ),
      loopGoal,
    ],
  })
}
