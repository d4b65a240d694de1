/**
 * Two API processes that share the hosts of one PostgreSQL, against one process with half of the site:
 * CPU of each while nothing happens, and while hosts change and viewers look at them. Then one is
 * killed: how long until the other has linked its hosts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../tools/postgres.mjs'
import { FakeFleet } from './kit/fleet/fake-fleet.ts'
import { atMost, coresOf, median, printFigure, residentMegabytesOf, round } from './kit/figure.ts'
import { pageOf, startAnotherFleetApi, startFleetApi } from './kit/fleet-site.ts'
import { settingOf } from './kit/settings.ts'
import { latencyFigures, ViewerLatencies } from './kit/viewer-latencies.ts'
import { randomFrom } from './truth/draw.ts'

const HOSTS = settingOf('HOSTS', 5000)
/** Of each process. */
const VIEWERS = settingOf('VIEWERS', 200)
/** For each half of the site. */
const CHANGES_PER_S = 12.5
const ROUNDS = settingOf('ROUNDS', 3)
const CHANGE_FOR_MS = 10_000
const IDLE_FOR_MS = 10_000
const SETTLE_MS = 15_000

type FleetApi = Awaited<ReturnType<typeof startFleetApi>>

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-shared-'))
try {
  const half = await oneProcess(HOSTS / 2)
  const two = await twoProcesses(HOSTS)
  const most = Math.max(...two.core)
  printFigure({
    bench: 'shared-hosts',
    rounds: ROUNDS,
    ours: { hosts: HOSTS, ...two },
    limit: { hosts: HOSTS / 2, ...half },
    goals: [
      atMost('links of one host', two.linksPerHost, 1, ''),
      atMost('CPU of each process to one with half of the site', most / half.core, 1.5, 'x'),
      atMost('event on the host to the viewer, p95', two.p95Ms, 300, 'ms'),
      atMost('hosts of a killed process are linked again', two.takeoverMs, 3000, 'ms'),
    ],
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function oneProcess(hosts: number) {
  await using postgres = await startPostgres()
  await using fleet = await FakeFleet.open()
  const size = { hosts, port: fleet.port, url: postgres.url }
  await using api = await startFleetApi(join(folder, 'half'), size)
  await fleet.allRunning(hosts)
  await pause(SETTLE_MS)
  const [idleCore = 0] = await coresOfApis([api], async () => pause(IDLE_FOR_MS))
  const rounds = await measureRounds(fleet, [api], hosts)
  const [core = 0] = rounds.cores
  return { idleCore, core, p95Ms: rounds.p95Ms, residentMb: round(residentMegabytesOf(api.pid)) }
}

async function twoProcesses(hosts: number) {
  await using postgres = await startPostgres()
  await using fleet = await FakeFleet.open()
  const size = { hosts, port: fleet.port, url: postgres.url }
  const dataDir = join(folder, 'two')
  await using first = await startFleetApi(dataDir, size)
  await fleet.allRunning(hosts)
  await using second = await startAnotherFleetApi(dataDir, size)
  // The first gives up what is the second's, which links it then.
  while (fleet.links === hosts) await pause(20)
  while (fleet.links < hosts) await pause(20)
  await pause(SETTLE_MS)
  const apis = [first, second]
  const linksPerHost = fleet.links / hosts
  const idleCore = await coresOfApis(apis, async () => pause(IDLE_FOR_MS))
  const rounds = await measureRounds(fleet, apis, hosts)
  const residentMb = apis.map(({ pid }) => round(residentMegabytesOf(pid)))
  const takeoverMs = await killed(fleet, second, hosts)
  const { p50Ms, p95Ms, heard, missed, cores } = rounds
  return {
    linksPerHost,
    idleCore,
    core: cores,
    p50Ms,
    p95Ms,
    heard,
    missed,
    residentMb,
    takeoverMs,
  }
}

/** Median of the rounds, of each process. Viewers show hosts of the whole site, wherever they are linked. */
async function measureRounds(fleet: FakeFleet, apis: readonly FleetApi[], hosts: number) {
  const rounds: Awaited<ReturnType<typeof measure>>[] = []
  for (let at = 0; at < ROUNDS; at += 1) rounds.push(await measure(fleet, apis, hosts))
  return {
    ...latencyFigures(rounds.map(({ viewers }) => viewers)),
    cores: apis.map((_, at) => round(median(rounds.map(({ cores }) => cores[at] ?? 0)))),
  }
}

async function measure(fleet: FakeFleet, apis: readonly FleetApi[], hosts: number) {
  const random = randomFrom(7)
  await using viewers = new ViewerLatencies()
  for (let viewer = 0; viewer < VIEWERS; viewer += 1) {
    for (const [at, api] of apis.entries()) {
      await viewers.watch(api, pageOf(viewer * apis.length + at, hosts))
    }
  }
  const cores = await coresOfApis(apis, async () => {
    const endsAtMs = performance.now() + CHANGE_FOR_MS
    while (performance.now() < endsAtMs) {
      viewers.change(fleet, Math.floor(random() * hosts))
      await pause(1000 / (CHANGES_PER_S * apis.length))
    }
  })
  await pause(1000)
  return { viewers, cores }
}

/** From the kill until every host has a link again. */
async function killed(fleet: FakeFleet, api: FleetApi, hosts: number): Promise<number> {
  const startedAtMs = performance.now()
  process.kill(api.pid, 'SIGKILL')
  while (fleet.links === hosts) await pause(5)
  while (fleet.links < hosts) await pause(5)
  return round(performance.now() - startedAtMs)
}

async function coresOfApis(
  apis: readonly FleetApi[],
  work: () => Promise<unknown>,
): Promise<number[]> {
  const pids = apis.map(({ pid }) => pid)
  return (await coresOf(pids, work)).map(round)
}
