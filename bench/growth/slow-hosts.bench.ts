/**
 * Hosts that take connections and then say nothing cost their own time-outs and nothing else (G8): of
 * 1,000 hosts 5 % hang in every second phase. What viewers and operators of the others feel, what the API
 * spends, and how many sockets it holds.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { watchLoop } from '../kit/event-loop.ts'
import { addressOf, FakeFleet } from '../kit/fleet/fake-fleet.ts'
import { atMost, coreOf, percentile, printFigure, round, type Goal } from '../kit/figure.ts'
import { pageOf, startFleetApi } from '../kit/fleet-site.ts'
import { configNameOf } from '../kit/large-site.ts'
import { settingOf } from '../kit/settings.ts'
import { ViewerLatencies } from '../kit/viewer-latencies.ts'
import { randomFrom } from '../truth/draw.ts'

const HOSTS = settingOf('HOSTS', 1000)
/** One of so many hangs. */
const HUNG_EVERY = 20
const ROUNDS = settingOf('ROUNDS', 4)
const VIEWERS = 20
const CHANGES_PER_S = 50
const COMMANDS_PER_S = 10
const MEASURE_MS = 10_000
/** Until the API has noticed, and dials again at its own pace. */
const NOTICE_MS = 15_000
const SETTLE_MS = 15_000

interface Phase {
  latenciesMs: number[]
  commandsMs: number[]
  cores: number[]
  sockets: number[]
  dialled: number[]
}

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-slow-'))
try {
  await using fleet = await FakeFleet.open()
  await using api = await startFleetApi(join(folder, 'data'), { hosts: HOSTS, port: fleet.port })
  await fleet.allRunning(HOSTS)
  await pause(SETTLE_MS)
  const all = Array.from({ length: HOSTS }, (_, host) => host)
  const healthy = all.filter((host) => host % HUNG_EVERY !== 0)
  const hung = new Set(all.filter((host) => host % HUNG_EVERY === 0).map(addressOf))
  const loop = await watchLoop(api)
  const phases = { quiet: nothing(), hung: nothing() }
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    for (const name of ['quiet', 'hung'] as const) {
      fleet.hang(name === 'hung' ? hung : new Set())
      await pause(NOTICE_MS)
      await measure(api, fleet, healthy, phases[name])
    }
  }
  print(phases, hung.size, await loop.goal())
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function nothing(): Phase {
  return { latenciesMs: [], commandsMs: [], cores: [], sockets: [], dialled: [] }
}

async function measure(
  api: Awaited<ReturnType<typeof startFleetApi>>,
  fleet: FakeFleet,
  healthy: readonly number[],
  into: Phase,
): Promise<void> {
  const random = randomFrom(7)
  await using viewers = new ViewerLatencies()
  const pages = Array.from({ length: VIEWERS }, (_, viewer) =>
    pageOf(viewer, healthy.length).map((at) => healthy[at] ?? 0),
  )
  for (const page of pages) await viewers.watch(api, page)
  const shown = pages.flat()
  const dialledBefore = fleet.dialledHung
  const commands: Promise<void>[] = []
  let mostSockets = 0
  const core = await coreOf(api.pid, async () => {
    const endsAtMs = performance.now() + MEASURE_MS
    for (let change = 0; performance.now() < endsAtMs; change += 1) {
      const host = shown[Math.floor(random() * shown.length)] ?? 0
      viewers.change(fleet, host)
      if (change % (CHANGES_PER_S / COMMANDS_PER_S) === 0) {
        commands.push(command(api, host, into))
        mostSockets = Math.max(mostSockets, socketsOf(api.pid))
      }
      await pause(1000 / CHANGES_PER_S)
    }
    await Promise.all(commands)
  })
  into.latenciesMs.push(...viewers.latenciesMs)
  into.cores.push(core)
  into.sockets.push(mostSockets)
  into.dialled.push(fleet.dialledHung - dialledBefore)
}

async function command(
  api: Awaited<ReturnType<typeof startFleetApi>>,
  host: number,
  into: Phase,
): Promise<void> {
  const startedAt = performance.now()
  const id = `e-${host + 1}`
  const body = { data: { name: configNameOf(host + 1, 1), command: 'start' as const } }
  await callApi(api.client(), controlEncoder, { params: { id }, body })
  into.commandsMs.push(performance.now() - startedAt)
}

function socketsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

function print({ quiet, hung }: Record<'quiet' | 'hung', Phase>, count: number, loop: Goal): void {
  const p95 = (of: Phase, pick: 'latenciesMs' | 'commandsMs') => percentile(of[pick], 95)
  const middle = (values: readonly number[]) => percentile(values, 50)
  const figures = (of: Phase) => ({
    p95Ms: round(p95(of, 'latenciesMs')),
    commandP95Ms: round(p95(of, 'commandsMs')),
    core: round(middle(of.cores)),
    files: Math.max(...of.sockets),
    dialled: middle(of.dialled),
  })
  printFigure({
    bench: 'slow-hosts',
    rounds: ROUNDS,
    ours: { hosts: HOSTS, hungHosts: count, quiet: figures(quiet), hung: figures(hung) },
    limit: {},
    goals: [
      atMost(
        'event to viewer, p95, 5 % hang',
        p95(hung, 'latenciesMs') / p95(quiet, 'latenciesMs'),
        1.1,
        'x',
      ),
      atMost(
        'command, p95, 5 % hang',
        p95(hung, 'commandsMs') / p95(quiet, 'commandsMs'),
        1.1,
        'x',
      ),
      atMost('CPU, 5 % hang', middle(hung.cores) / middle(quiet.cores), 1.1, 'x'),
      atMost(
        'open files that hosts add which hang',
        Math.max(...hung.sockets) - Math.max(...quiet.sockets),
        count,
        'files',
      ),
      loop,
    ],
  })
}
