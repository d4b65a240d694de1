/**
 * A site of 100,000 encoders on 5,000 hosts beside one of 10,000 on as many, and one of 10,000 on 500:
 * start to the first answer and to the state of every program, memory of a row and of a host, the
 * first page, a search, a save, and how long the event loop is blocked meanwhile. Then as many
 * encoders of one host that is not there, while somebody watches.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listAlarms } from '@trunkline/contract/alarms/alarm.calls'
import { updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import type { OwnProcess } from '@trunkline/testbed/child'
import { signIn } from '@trunkline/testbed/seed'
import { freeTcpPort } from '@trunkline/testbed/free-port'
import { watchCounts } from './kit/counts-stream.ts'
import { FakeFleet } from './kit/fleet/fake-fleet.ts'
import {
  atMost,
  cpuSecondsOf,
  median,
  percentile,
  printFigure,
  residentMegabytesOf,
  round,
} from './kit/figure.ts'
import { EMAIL, fillSite, PASSWORD, startApi, wantAll } from './kit/large-site.ts'
import { askFor, costOf } from './lists/list-calls.ts'

interface Size {
  encoders: number
  hosts: number
}

const FEW_HOSTS: Size = { encoders: 10_000, hosts: 500 }
const SMALL: Size = { encoders: 10_000, hosts: 5000 }
const LARGE: Size = { encoders: 100_000, hosts: 5000 }
/** The first ones after a start, whose code and pages are not warm. */
const FIRST_SAVES = 300
const SAVES = 1000
const SEARCHES = 5000
const READ_FOR_MS = 3000
const QUIET_FOR_MS = 10_000
const LOOK_EVERY_MS = 250
/** The heap has settled by then. */
const SETTLE_MS = 25_000
/** Nobody listens there. */
const CLOSED_PORT = await freeTcpPort(63_990)
const KB_PER_MB = 1024

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-large-'))
try {
  const few = await measure(FEW_HOSTS)
  const small = await measure(SMALL)
  const large = await measure(LARGE)
  const oneHost = await measureOneHost(LARGE.encoders)
  const rowKb = ((large.residentMb - small.residentMb) * KB_PER_MB) / rowsMore(LARGE, SMALL)
  const hostKb = ((small.residentMb - few.residentMb) * KB_PER_MB) / (SMALL.hosts - FEW_HOSTS.hosts)
  const grown = (of: (site: Measured) => number) => of(large) / of(small)
  printFigure({
    bench: 'large',
    rounds: 1,
    ours: { few, small, large, oneHost, rowKb: round(rowKb), hostKb: round(hostKb) },
    limit: {},
    goals: [
      atMost('start to the first answer', large.firstAnswerMs, 500, 'ms'),
      atMost('start to every state', large.truthMs, 5000, 'ms'),
      atMost('event loop blocked, start', large.startBlockedMs, 50, 'ms'),
      atMost('event loop blocked, at work', large.workBlockedMs, 50, 'ms'),
      atMost('memory of a row', rowKb, 2, 'kB'),
      atMost('memory of a host', hostKb, 16, 'kB'),
      atMost('a save, p99', large.saveP99Ms, 20, 'ms'),
      atMost(
        'CPU of a save to that of the small site',
        grown(({ saveCpuMs }) => saveCpuMs),
        1.3,
        'x',
      ),
      atMost(
        'CPU of the first page, the same',
        grown(({ pageCpuUs }) => pageCpuUs),
        1.3,
        'x',
      ),
      atMost(
        'CPU of a search, the same',
        grown(({ searchCpuUs }) => searchCpuUs),
        1.3,
        'x',
      ),
      atMost('event loop blocked, one host away', oneHost.blockedMs, 50, 'ms'),
      atMost('CPU of one host that is away', oneHost.idleCore, 0.05, 'of a core'),
      atMost('a stop while alarms are raised', oneHost.stopMs, 2000, 'ms'),
    ],
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function rowsMore(a: Size, b: Size): number {
  return a.encoders - b.encoders
}

type Measured = Awaited<ReturnType<typeof measure>>

/** The first start brings every program to its host; what is measured is the second. */
async function measure({ encoders, hosts }: Size) {
  const dataDir = join(folder, `${encoders}-${hosts}`)
  await using fleet = await FakeFleet.open()
  await fillSite(dataDir, { encoders, perHost: encoders / hosts, port: fleet.port })
  await wantAll(dataDir)
  const first = await startKnown(dataDir, encoders)
  await first.api.stop()
  const { firstAnswerMs, truthMs, truthCpuMs, api, client } = await startKnown(dataDir, encoders)
  await using _ended = api
  await pause(SETTLE_MS)
  const startBlockedMs = (await api.readGauge()).blockedMs
  const residentMb = residentMegabytesOf(api.pid)
  const page = await costOf(api, [askFor('encoders', client.token, { page: 0 })], READ_FOR_MS)
  // More than are kept as answers: each is looked for.
  const searches = Array.from({ length: SEARCHES }, (_, at) =>
    askFor('encoders', client.token, { page: 0, search: `e-${encoders / 10 + at}` }),
  )
  const found = await costOf(api, searches, READ_FOR_MS)
  const firstSaves = await save(api, client, encoders, FIRST_SAVES)
  const saves = await save(api, client, encoders, SAVES)
  const { blockedMs, heapUsedMb } = await api.readGauge()
  return {
    encoders,
    hosts,
    firstApplyMs: round(first.truthMs),
    firstAnswerMs: round(firstAnswerMs),
    truthMs: round(truthMs),
    truthCpuMs: round(truthCpuMs),
    startBlockedMs: round(startBlockedMs),
    residentMb: round(residentMb),
    heapUsedMb: round(heapUsedMb),
    pageCpuUs: round(page.cpuUs),
    searchCpuUs: round(found.cpuUs),
    firstSaves,
    ...saves,
    workBlockedMs: round(blockedMs),
  }
}

/** Started, and the state of every program is known. */
async function startKnown(dataDir: string, encoders: number) {
  const startedAt = performance.now()
  const api = await startApi(dataDir)
  await fetch(`http://127.0.0.1:${api.port}/api/health`).then(async (answer) => answer.text())
  const firstAnswerMs = performance.now() - startedAt
  await api.readGauge()
  const client = await signIn(`http://127.0.0.1:${api.port}`, EMAIL, PASSWORD)
  await using counts = await watchCounts(client, 'encoder')
  await counts.until(
    ({ total, families }) => total === encoders && families.bad + families.blind === 0,
  )
  const truthMs = performance.now() - startedAt
  return { firstAnswerMs, truthMs, truthCpuMs: cpuSecondsOf(api.pid) * 1000, api, client }
}

/** Encoders all over the site, one after the other. */
async function save(api: OwnProcess, client: Client, encoders: number, count: number) {
  const answersMs: number[] = []
  const cpuBefore = cpuSecondsOf(api.pid)
  for (let at = 0; at < count; at += 1) {
    const startedAt = performance.now()
    const _id = `e-${1 + ((at * 997) % encoders)}`
    await callApi(client, updateEncoder, { body: { _id, title: `Saved ${at} of ${count}` } })
    answersMs.push(performance.now() - startedAt)
  }
  return {
    saveMs: round(median(answersMs)),
    saveP99Ms: round(percentile(answersMs, 99)),
    saveCpuMs: round(((cpuSecondsOf(api.pid) - cpuBefore) * 1000) / count),
  }
}

/** As many encoders of one host, which refuses the connection. */
async function measureOneHost(encoders: number) {
  const dataDir = join(folder, 'one')
  await fillSite(dataDir, { encoders, perHost: encoders, port: CLOSED_PORT })
  await wantAll(dataDir)
  const stopMs = await stopWhileRaising(dataDir)
  await using api = await startApi(dataDir)
  await api.readGauge()
  const client = await signIn(`http://127.0.0.1:${api.port}`, EMAIL, PASSWORD)
  await using counts = await watchCounts(client, 'encoder')
  await counts.until(({ total }) => total === encoders)
  const countedAt = performance.now()
  await until(async () => (await openAlarms(client)) >= encoders)
  const raisedMs = round(performance.now() - countedAt)
  const { blockedMs } = await api.readGauge()
  await pause(SETTLE_MS)
  const cpuBefore = cpuSecondsOf(api.pid)
  await pause(QUIET_FOR_MS)
  const idleCore = (cpuSecondsOf(api.pid) - cpuBefore) / (QUIET_FOR_MS / 1000)
  const residentMb = round(residentMegabytesOf(api.pid))
  return {
    encoders,
    raisedMs,
    idleCore: round(idleCore),
    blockedMs: round(blockedMs),
    residentMb,
    stopMs,
  }
}

/** Of an API that is raising the alarms of its encoders. */
async function stopWhileRaising(dataDir: string): Promise<number> {
  await using api = await startApi(dataDir)
  await api.readGauge()
  const client = await signIn(`http://127.0.0.1:${api.port}`, EMAIL, PASSWORD)
  await until(async () => (await openAlarms(client)) > 0)
  const endedAt = performance.now()
  await api.stop()
  return round(performance.now() - endedAt)
}

async function openAlarms(client: Client): Promise<number> {
  const { data } = await callApi(client, listAlarms, { query: {} })
  return data.reduce((sum, { behind }) => sum + 1 + behind, 0)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(LOOK_EVERY_MS)
}
