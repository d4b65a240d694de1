/**
 * A start of the API at a site of 10,000 rows in each list, and of 5,000 hosts: until the first
 * answer, until each host was applied its program for the first time, and, after a restart, until the
 * state of every program is known. Beside it a start of Fastify alone, in the same rounds.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@trunkline/api/db/open'
import { copyRow } from '@trunkline/api/testing/copied-rows'
import { InputConfig } from '@trunkline/contract/contributions/input.schema'
import { OutputConfig } from '@trunkline/contract/contributions/output.schema'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { callApi } from '@trunkline/testbed/api-client'
import type { OwnProcess } from '@trunkline/testbed/child'
import { signIn } from '@trunkline/testbed/seed'
import { atMost, median, printFigure, residentMegabytesOf, round, spread } from './kit/figure.ts'
import { EMAIL, fillSite, PASSWORD, startApi, wantAll } from './kit/large-site.ts'
import { FakeFleet } from './kit/fleet/fake-fleet.ts'
import { settingOf } from './kit/settings.ts'
import { startBare } from './lists/list-calls.ts'

const [HOSTS, ROWS] = [settingOf('HOSTS', 5000), settingOf('ROWS', 10_000)]
const ROUNDS = settingOf('ROUNDS', 3)
/** The heap has settled by then. */
const SETTLE_MS = 5000
const KB_PER_MB = 1024

const bareMs: number[] = []
const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-restart-'))
try {
  await using fleet = await FakeFleet.open()
  const empty = await startsOf(join(folder, 'empty'))
  await fillSite(join(folder, 'hosts'), { encoders: HOSTS, perHost: 1, port: fleet.port })
  await wantAll(join(folder, 'hosts'))
  const applyMs = await firstStart(fleet, join(folder, 'hosts'))
  const linked = await startsOf(join(folder, 'hosts'), HOSTS)
  await fillSite(join(folder, 'rows'), { encoders: ROWS, perHost: 50, port: fleet.port })
  await addLinks(join(folder, 'rows'))
  const rows = await startsOf(join(folder, 'rows'))
  const kbPer = (site: Starts, count: number) =>
    ((median(site.residentMb) - median(empty.residentMb)) * KB_PER_MB) / count
  printFigure({
    bench: 'restart',
    rounds: ROUNDS,
    ours: {
      empty: figuresOf(empty),
      hosts: { count: HOSTS, ...figuresOf(linked), firstApplyMs: round(applyMs) },
      rows: { each: ROWS, ...figuresOf(rows) },
    },
    limit: {
      fastifyFirstAnswerMs: spread(bareMs),
      emptySiteFirstAnswerMs: spread(empty.firstAnswerMs),
    },
    goals: [
      atMost(`first answer, ${ROWS} rows in each list`, median(rows.firstAnswerMs), 500, 'ms'),
      atMost(
        `first answer, ${ROWS} rows in each list, to Fastify's`,
        median(rows.firstAnswerMs) / median(bareMs),
        2.5,
        'x',
      ),
      atMost(`every state known, ${HOSTS} hosts`, median(linked.truthMs), 5000, 'ms'),
      atMost(`a program applied to each of ${HOSTS} hosts`, applyMs, 10_000, 'ms'),
      atMost('event loop blocked, hosts', median(linked.blockedMs), 50, 'ms'),
      atMost('event loop blocked, rows', median(rows.blockedMs), 50, 'ms'),
      atMost('memory of a host', kbPer(linked, HOSTS), 16, 'kB'),
      // Encoders with a feeder each, and inputs with an output each.
      atMost('memory of a row', kbPer(rows, 4 * ROWS), 2, 'kB'),
    ],
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** One before each start of ours. */
async function startFastify(): Promise<void> {
  const startedAt = performance.now()
  await using bare = await startBare(folder, ['{"status":true}'])
  await fetch(`http://127.0.0.1:${bare.port}/0`).then(async (answer) => answer.text())
  bareMs.push(performance.now() - startedAt)
}

interface Starts {
  firstAnswerMs: number[]
  truthMs: number[]
  residentMb: number[]
  blockedMs: number[]
}

function figuresOf({ firstAnswerMs, truthMs, residentMb, blockedMs }: Starts) {
  return {
    firstAnswerMs: spread(firstAnswerMs),
    truthMs: spread(truthMs),
    residentMb: spread(residentMb),
    eventLoopBlockedMs: spread(blockedMs),
  }
}

/** `running`: how many programs are known to run once everything is true. */
async function startsOf(dataDir: string, running = 0): Promise<Starts> {
  const starts: Starts = { firstAnswerMs: [], truthMs: [], residentMb: [], blockedMs: [] }
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    await startFastify()
    const startedAt = performance.now()
    await using api = await startApi(dataDir)
    await fetch(`http://127.0.0.1:${api.port}/api/health`).then(async (answer) => answer.text())
    starts.firstAnswerMs.push(performance.now() - startedAt)
    await api.readGauge()
    await untilRunning(api, running)
    starts.truthMs.push(performance.now() - startedAt)
    await pause(SETTLE_MS)
    starts.residentMb.push(residentMegabytesOf(api.pid))
    starts.blockedMs.push((await api.readGauge()).blockedMs)
  }
  return starts
}

async function untilRunning(api: OwnProcess, count: number): Promise<void> {
  if (count === 0) return
  const client = await signIn(`http://127.0.0.1:${api.port}`, EMAIL, PASSWORD)
  for (;;) {
    const { data } = await callApi(client, readLive, {})
    if (data.programs.filter(({ state }) => state === 'running').length >= count) return
    await pause(50)
  }
}

async function firstStart(fleet: FakeFleet, dataDir: string): Promise<number> {
  const startedAt = performance.now()
  await using _api = await startApi(dataDir)
  await fleet.applied(HOSTS)
  return performance.now() - startedAt
}

/** As many inputs as encoders, with an output each, of a host that is not there. */
async function addLinks(dataDir: string): Promise<void> {
  const db = await openDatabase({ kind: 'sqlite', file: join(dataDir, 'trunkline.db') })
  const stamps = { version: 1, created_at: '2026-11-20T08:00:00.000Z', search: 'link' }
  const common = {
    ...stamps,
    title: 'Link',
    is_enabled: 0 as const,
    wanted_running: 0 as const,
    encryption: '{"selection":"no","passphrase":"","type":128}',
    passphrase_sealed: null,
    advanced: '[]',
  }
  await db
    .insertInto('inputs')
    .values({
      ...common,
      id: 'i',
      name: 'i',
      input_type: 'SRT',
      server_id: 'gateway',
      group_id: 'north',
      port: 6000,
      config: JSON.stringify(
        InputConfig.parse({ port: 6000, multicast: '239.255.0.1', multicastPort: 5000 }),
      ),
    })
    .execute()
  await db
    .insertInto('outputs')
    .values({
      ...common,
      id: 'o',
      name: 'o',
      output_type: 'SRT',
      input_id: 'i',
      destination_id: null,
      config: JSON.stringify(OutputConfig.parse({ port: 7000, host: '198.51.100.7' })),
    })
    .execute()
  await copyRow(db, 'inputs', 'i', ROWS, ['id', 'name'])
  await copyRow(db, 'outputs', 'o', ROWS, ['id', 'name', 'input_id'])
  await db.destroy()
}
