/**
 * A fleet of thousands: 25 changes a second on 5,000 hosts, 200 viewers who show a page of 12 and the
 * counts, one of them in a real browser. From the event on the host to the viewer's socket and to the
 * browser's page, against a bare relay in the same rounds; the same with 10 viewers; 200 viewers who come
 * back at once; what a host costs in memory, and what hosts cost that are quiet, or dead.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { watchLoop } from './kit/event-loop.ts'
import { addressOf, FakeFleet } from './kit/fleet/fake-fleet.ts'
import {
  atMost,
  coreOf,
  median,
  percentile,
  printFigure,
  residentMegabytesOf,
  round,
} from './kit/figure.ts'
import { pageOf, startFleetApi, startRelay } from './kit/fleet-site.ts'
import { EMAIL, PASSWORD } from './kit/large-site.ts'
import { settingOf } from './kit/settings.ts'
import { openBrowser } from './kit/site.ts'
import { freeTcpPort } from '@trunkline/testbed/free-port'
import { latencyFigures, type Served, ViewerLatencies } from './kit/viewer-latencies.ts'
import { watchDashboard, type CardChange, type DomWatch } from './browser/dom-watch.ts'
import { randomFrom } from './truth/draw.ts'

const LARGE = settingOf('HOSTS', 5000)
const SMALL = LARGE / 5
const [FEW_VIEWERS, VIEWERS] = [10, settingOf('VIEWERS', 200)]
/** Of so many changes the browser shows the next. */
const SHOWN_EVERY = 10
const CHANGES_PER_S = 25
const ROUNDS = settingOf('ROUNDS', 3)
const CHANGE_FOR_MS = 10_000
const IDLE_FOR_MS = 10_000
const SETTLE_MS = 15_000
/** Nobody listens there. */
const CLOSED_PORT = await freeTcpPort(63_990)
const KILO = 1024

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-truth-'))
try {
  const small = await quiet(SMALL)
  const large = await busy(LARGE)
  const dead = await deadHosts(LARGE)
  const memoryPerHostKb = ((large.residentMb - small.residentMb) * KILO) / (LARGE - SMALL)
  printFigure({
    bench: 'truth-5000',
    rounds: ROUNDS,
    ours: {
      ...large.ours,
      dom: large.dom,
      fewViewers: large.few,
      idle: { small: small.idleCore, large: large.idleCore },
      dead,
      memoryPerHostKb: round(memoryPerHostKb),
    },
    limit: large.limit,
    goals: [
      atMost('event on the host to the page of a browser, p95', large.dom.p95Ms, 300, 'ms'),
      atMost('event on the host to the viewer, p95', large.ours.p95Ms, 300, 'ms'),
      atMost('changes that a viewer missed', large.ours.missed, 0, 'changes'),
      atMost(
        `CPU, ${VIEWERS} viewers to ${FEW_VIEWERS}`,
        large.ours.core / large.few.core,
        1.5,
        'x',
      ),
      atMost('CPU to that of a bare relay', large.ours.core / large.limit.core, 2, 'x'),
      atMost('200 viewers return at once', large.ours.returnMs, 2000, 'ms'),
      atMost('memory that it takes', large.ours.returnMb, 100, 'MB'),
      atMost('resident, with all viewers', large.viewedMb, 550, 'MB'),
      atMost('memory of a host', memoryPerHostKb, 16, 'kB'),
      atMost(`CPU of ${LARGE} quiet hosts to ${SMALL}`, large.idleCore / small.idleCore, 2, 'x'),
      atMost(`CPU of ${LARGE} dead hosts`, dead.core, 0.03, 'of a core'),
      large.loopGoal,
    ],
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** What it costs when nothing happens; nobody watches. */
async function quiet(hosts: number) {
  await using fleet = await FakeFleet.open()
  await using api = await startFleetApi(join(folder, String(hosts)), { hosts, port: fleet.port })
  await fleet.allRunning(hosts)
  await pause(SETTLE_MS)
  const idleCore = await coreOf(api.pid, async () => pause(IDLE_FOR_MS))
  return { idleCore: round(idleCore), residentMb: residentMegabytesOf(api.pid) }
}

async function busy(hosts: number) {
  await using fleet = await FakeFleet.open()
  await using api = await startFleetApi(join(folder, String(hosts)), { hosts, port: fleet.port })
  await fleet.allRunning(hosts)
  await pause(SETTLE_MS)
  const idleCore = await coreOf(api.pid, async () => pause(IDLE_FOR_MS))
  const residentMb = residentMegabytesOf(api.pid)
  await using relay = await startRelay(hosts, fleet.port)
  while (fleet.links < 2 * hosts) await pause(100)
  const pages = Array.from({ length: VIEWERS }, (_, viewer) => pageOf(viewer, hosts))
  const browser = await openBrowser()
  await using _browser = { [Symbol.asyncDispose]: async () => browser.close() }
  await using dom = await watchDashboard(browser, api.url, { email: EMAIL, password: PASSWORD })
  const rounds = { ours: [] as Measured[], few: [] as Measured[], limit: [] as Measured[] }
  const ours = { pid: api.pid, watch: async (page: readonly number[]) => api.watch(page) }
  const limit = { pid: relay.pid, watch: async (page: readonly number[]) => relay.watch(page) }
  const loop = await watchLoop(api)
  for (let at = 0; at < ROUNDS; at += 1) {
    rounds.ours.push(await measure(fleet, ours, pages, dom))
    rounds.few.push(await measure(fleet, ours, pages.slice(0, FEW_VIEWERS), dom))
    rounds.limit.push(await measure(fleet, limit, pages, dom))
  }
  const loopGoal = await loop.goal()
  const viewedMb = residentMegabytesOf(api.pid)
  const back = await returnAtOnce(api, pages)
  const domMs = rounds.ours.flatMap(({ domLatenciesMs }) => domLatenciesMs)
  return {
    idleCore: round(idleCore),
    residentMb,
    ours: { ...summary(rounds.ours), ...back, residentMb: round(residentMb) },
    few: summary(rounds.few),
    dom: {
      shown: domMs.length,
      p50Ms: round(median(domMs)),
      p95Ms: round(percentile(domMs, 95)),
    },
    viewedMb: round(viewedMb),
    loopGoal,
    limit: summary(rounds.limit),
  }
}

async function deadHosts(hosts: number) {
  await using api = await startFleetApi(join(folder, 'dead'), { hosts, port: CLOSED_PORT })
  // An agent may only be starting again: for so long it is dialled more often.
  await pause(SETTLE_MS)
  const core = await coreOf(api.pid, async () => pause(2 * IDLE_FOR_MS))
  return { core: round(core) }
}

/** Runs and starts in turn, so that its card says something else. */
function toggle(fleet: FakeFleet, encoderId: string): void {
  const address = addressOf(Number(encoderId.slice('e-'.length)) - 1)
  const state =
    fleet.stateOf(address, `encoder-${encoderId}`) === 'running' ? 'starting' : 'running'
  fleet.report(address, `encoder-${encoderId}`, { state, sinceMs: Date.now() })
}

/** From each change to the first that the page shows of the same encoder. */
function latenciesOf(
  sent: readonly Pick<CardChange, 'id' | 'atMs'>[],
  shown: readonly CardChange[],
): number[] {
  return sent.flatMap(({ id, atMs }) => {
    const seen = shown.find((change) => change.id === id && change.atMs >= atMs)
    return seen === undefined ? [] : [seen.atMs - atMs]
  })
}

interface Measured {
  viewers: ViewerLatencies
  /** To the page of the browser, which shows hosts of its own. */
  domLatenciesMs: number[]
  core: number
}

/** Changes on hosts of chance, for as long as a round takes, and when their viewers hear of them. */
async function measure(
  fleet: FakeFleet,
  served: Served & { pid: number },
  pages: readonly number[][],
  dom: DomWatch,
): Promise<Measured> {
  await dom.take()
  const random = randomFrom(7)
  const onPage: Pick<CardChange, 'id' | 'atMs'>[] = []
  await using viewers = new ViewerLatencies()
  for (const page of pages) await viewers.watch(served, page)
  const core = await coreOf(served.pid, async () => {
    const endsAtMs = performance.now() + CHANGE_FOR_MS
    for (let change = 0; performance.now() < endsAtMs; change += 1) {
      viewers.change(fleet, Math.floor(random() * LARGE))
      if (change % SHOWN_EVERY === 0) {
        const id = dom.ids[(change / SHOWN_EVERY) % dom.ids.length] ?? ''
        onPage.push({ id, atMs: performance.timeOrigin + performance.now() })
        toggle(fleet, id)
      }
      await pause(1000 / CHANGES_PER_S)
    }
  })
  await pause(1000)
  const domLatenciesMs = latenciesOf(onPage, await dom.take())
  return { viewers, domLatenciesMs, core }
}

function summary(rounds: readonly Measured[]) {
  return {
    ...latencyFigures(rounds.map(({ viewers }) => viewers)),
    core: round(median(rounds.map(({ core }) => core))),
  }
}

async function returnAtOnce(
  api: Awaited<ReturnType<typeof startFleetApi>>,
  pages: readonly number[][],
) {
  const beforeMb = residentMegabytesOf(api.pid)
  let mostMb = beforeMb
  const looking = setInterval(() => (mostMb = Math.max(mostMb, residentMegabytesOf(api.pid))), 20)
  const startedAtMs = performance.now()
  await using viewers = new AsyncDisposableStack()
  const opened = await Promise.all(pages.map(async (page) => api.watch(page)))
  const returnMs = performance.now() - startedAtMs
  for (const viewer of opened) viewers.use(viewer)
  clearInterval(looking)
  return { returnMs: round(returnMs), returnMb: round(mostMb - beforeMb) }
}
