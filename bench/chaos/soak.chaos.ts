/**
 * F19: a fault every 20 s for as long as CHAOS_MINUTES says (60): an agent killed, the API hung, a network
 * cut, a tool killed, in turn. Memory and descriptors of the API, and of an agent that is never killed, do
 * not grow, nothing is shown wrongly, and the console answers.
 */
import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { programIdOf } from '@trunkline/api/programs/wanted-program'
import { atMost, printFigure, residentMegabytesOf, round } from '../kit/figure.ts'
import { numberOf } from '../kit/settings.ts'
import { growthGoal, trendOf, type Point } from '../kit/trend.ts'
import { MediaRig } from './rig/media-rig.ts'
import type { MediaHost } from './rig/media-site.ts'
import { ShownTruth } from './rig/shown-truth.ts'
import { processesOn, statesOn } from './rig/truth.ts'

const MINUTES = numberOf('CHAOS_MINUTES', 60)
const FAULT_EVERY_MS = 20_000
const HUNG_MS = 3000
const CUT_MS = 5000
const AWAY_MS = 1000
const LOOK_MS = 500
const PROBE_MS = 500
/** Longer than this a person takes the console for broken. */
const ANSWER_LIMIT_MS = 2000
/** Caches fill and the code is compiled: not counted as growth. */
const WARM_UP_SHARE = 0.2
/** A slope is judged over a day of it, as far as it is more than the scatter of the readings. */
const JUDGED_MINUTES = 60
const MEMORY_PERCENT = 10
const FILES_PERCENT = 5

await using rig = await MediaRig.open()
const { api, hosts } = rig.site
const [first, second, steady] = hosts
if (first === undefined || second === undefined || steady === undefined) throw new Error('Hosts.')
const ending = new AbortController()
const truth = new ShownTruth()
const series = new Map<string, Point[]>()
const caused: Record<string, number> = {}
const probes = { answered: 0, failed: 0 }
let repairedAtMs: number | null = performance.now()
const startedMs = performance.now()
const endMs = startedMs + MINUTES * 60_000
const faults: Record<string, (host: MediaHost) => Promise<void>> = {
  agentKilled: async ({ host }) => {
    process.kill(host.agent.pid, 'SIGKILL')
    await pause(AWAY_MS)
    await host.restartAgent(ending.signal)
  },
  apiHung: async () => {
    process.kill(api.process.pid, 'SIGSTOP')
    await pause(HUNG_MS)
    process.kill(api.process.pid, 'SIGCONT')
  },
  networkCut: async ({ door }) => {
    door.cut('both')
    await pause(CUT_MS)
    door.cut('none')
  },
  toolKilled: async (host) => {
    const link = rig.linksOn(host).find(({ receiver }) => receiver === host)
    const keys = processesOn(host).get(programIdOf('input', link?.inputId ?? '')) ?? []
    for (const key of keys) process.kill(Number(key.slice(0, key.indexOf(':'))), 'SIGKILL')
    await pause(AWAY_MS)
  },
}
// All links may be touched: the goals of the rig about other links are those of the single faults.
await rig.round({ links: rig.site.links }, async () => {
  const watching = [every(LOOK_MS, lookAtStates), every(PROBE_MS, probe), every(5000, measure)]
  // The first that fails is the cause: what went on would find processes that are gone.
  await Promise.all([causeFaults(), ...watching]).finally(() => ending.abort())
})
const { figures, goals } = await rig.finish()
const trends = [...series].map(([name, points]) => ({ name, ...trendOf(afterWarmUp(points)) }))
printFigure({
  bench: 'soak',
  rounds: Object.values(caused).reduce((sum, count) => sum + count, 0),
  ours: {
    ...figures,
    minutes: MINUTES,
    caused,
    probes,
    wrongSeconds: round(truth.wrongMs / 1000),
    unknownTooLongSeconds: round(truth.unknownMs / 1000),
    examples: truth.examples,
    trends: trends.map(({ name, level, first: begin, last, perMinute, perMinuteError }) => ({
      name,
      level,
      first: round(begin),
      last: round(last),
      perHour: round(perMinute * 60),
      perHourError: round(perMinuteError * 60),
    })),
  },
  limit: {},
  goals: [
    ...goals,
    ...trends.map(({ name, ...trend }) =>
      growthGoal(name, trend, JUDGED_MINUTES, name.endsWith('MB') ? MEMORY_PERCENT : FILES_PERCENT),
    ),
    atMost('states shown wrongly for longer than 2 s', truth.wrongMs / 1000, 0, 'seconds'),
    atMost('states not known 10 s after a repair', truth.unknownMs / 1000, 0, 'seconds'),
    atMost(
      'calls not answered within 2 s while the API is not hung, in percent',
      (100 * probes.failed) / (probes.failed + probes.answered),
      0.05,
      '%',
    ),
  ],
})

async function causeFaults(): Promise<void> {
  for (let at = 0; performance.now() < endMs; at += 1) {
    const nextMs = startedMs + (at + 1) * FAULT_EVERY_MS
    const names = Object.keys(faults)
    const name = names[at % names.length] ?? ''
    const host = Math.floor(at / names.length) % 2 === 0 ? first : second
    repairedAtMs = null
    if (host !== undefined) await faults[name]?.(host)
    repairedAtMs = performance.now()
    caused[name] = (caused[name] ?? 0) + 1
    await pause(Math.max(0, Math.min(nextMs, endMs) - performance.now()))
  }
}

async function every(stepMs: number, work: () => Promise<void>): Promise<void> {
  while (performance.now() < endMs && !ending.signal.aborted) {
    await work()
    await pause(stepMs)
  }
}

async function lookAtStates(): Promise<void> {
  const seen = await Promise.all(
    hosts.map(async (host) => ({
      real: await statesOn(host),
      shown: rig.shownOn(host, rig.shown),
    })),
  )
  truth.look(performance.now(), repairedAtMs, seen)
}

/** While the API is halted on purpose nobody can answer. */
async function probe(): Promise<void> {
  const halted = caused['apiHung'] ?? 0
  const wasFault = repairedAtMs === null
  const isAnswered = await fetch(`http://127.0.0.1:${api.process.port}/api/health`, {
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  }).then(
    async (answer) => (await answer.text()) !== '' && answer.ok,
    () => false,
  )
  if (isAnswered) probes.answered += 1
  else if (!wasFault && repairedAtMs !== null && halted === (caused['apiHung'] ?? 0)) {
    probes.failed += 1
  }
}

async function measure(): Promise<void> {
  const { heapUsedMb } =
    repairedAtMs === null ? { heapUsedMb: null } : await api.process.readGauge()
  note('API resident MB', residentMegabytesOf(api.process.pid))
  if (heapUsedMb !== null) note('API heap MB', heapUsedMb)
  note('API descriptors', descriptorsOf(api.process.pid))
  const { pid } = steady?.host.agent ?? { pid: 0 }
  note('agent resident MB', residentMegabytesOf(pid))
  note('agent descriptors', descriptorsOf(pid))
}

function note(name: string, value: number): void {
  const atMinutes = (performance.now() - startedMs) / 60_000
  series.set(name, [...(series.get(name) ?? []), { atMinutes, value }])
}

function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

function afterWarmUp(points: readonly Point[]): Point[] {
  return points.filter(({ atMinutes }) => atMinutes > MINUTES * WARM_UP_SHARE)
}
