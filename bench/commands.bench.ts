/**
 * Commands on 10 hosts with 100 programs each, one at a time and 50 at once: from the call that a click
 * makes until the card on a real browser's screen says the confirmed state. In the same rounds the same
 * commands are given to as many supervisord alone, by XML-RPC.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SupervisorClient } from '@trunkline/agent/supervisor/supervisor.client'
import type { Connection } from '@trunkline/api/db/open'
import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { callApi, CallFailed, type Client } from '@trunkline/testbed/api-client'
import { signIn } from '@trunkline/testbed/seed'
import { watchDashboard, type CardChange, type DomWatch } from './browser/dom-watch.ts'
import { watchLoop } from './kit/event-loop.ts'
import { addressOf, FakeFleet } from './kit/fleet/fake-fleet.ts'
import { atMost, percentile, printFigure, round, type Goal } from './kit/figure.ts'
import { configNameOf, EMAIL, fillSite, HOST_KEY, PASSWORD, startApi } from './kit/large-site.ts'
import { settingOf } from './kit/settings.ts'
import { openBrowser } from './kit/site.ts'
import { startBareHost, startHost } from './kit/sleeping-hosts.ts'
import type { SleepingProgram } from './kit/sleeping-programs.ts'

const HOSTS = settingOf('HOSTS', 10)
const PER_HOST = settingOf('PROGRAMS', 100)
/** Each with a feeder: a host has 64 cards at most. */
const ENCODERS_PER_HOST = PER_HOST / 2
const ROUNDS = settingOf('ROUNDS', 5)
/** Of each host the first ones: the dashboard shows no more than 112, and these 50. */
const COMMANDED_PER_HOST = 5
const DASHBOARD_ROWS = 56
const COMMANDS = ['stop', 'start', 'restart'] as const
type Command = (typeof COMMANDS)[number]
const CONFIRMED: Record<Command, string> = { stop: 'Stopped', start: 'Running', restart: 'Running' }
const STATE: Record<Command, string> = { stop: 'STOPPED', start: 'RUNNING', restart: 'RUNNING' }
/** Every look also wakes supervisord, which else sleeps for up to a second. */
const LOOK_MS = 10
/** Only ends what hangs. */
const CONFIRMED_WITHIN_MS = 60_000
const ON_TOP_MS = 100
const TRIES = 5

type Figures = Record<Command, number[]>
const noFigures = (): Figures => ({ stop: [], start: [], restart: [] })

/** Commands that were not carried out at first. */
let repeated = 0
const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-commands-'))
try {
  await using ours = await openOurs(join(folder, 'site'))
  await using bare = await openBare(join(folder, 'bare'))
  const loop = await watchLoop(ours.api)
  const figures = { single: noFigures(), many: noFigures() }
  const limits = { single: noFigures(), many: noFigures() }
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const alone = turn % ours.ids.length
    for (const command of COMMANDS) {
      limits.single[command].push(...(await bare.give(command, [alone])))
      figures.single[command].push(...(await ours.give(command, [alone])))
    }
    for (const command of COMMANDS) {
      const all = ours.ids.map((_, at) => at)
      limits.many[command].push(...(await bare.give(command, all)))
      figures.many[command].push(...(await ours.give(command, all)))
    }
  }
  print(figures, limits, await loop.goal())
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Numbers of the encoders that get commands: the first of each host. */
function commandedNumbers(): number[] {
  return Array.from({ length: HOSTS }, (_, host) =>
    Array.from({ length: COMMANDED_PER_HOST }, (_, at) => host * ENCODERS_PER_HOST + at + 1),
  ).flat()
}

async function openOurs(dataDir: string) {
  await using opening = new AsyncDisposableStack()
  const { port, revisions } = await fill(dataDir)
  for (let host = 0; host < HOSTS; host += 1) {
    const address = addressOf(host)
    const programs = revisions.get(address) ?? []
    const at = join(folder, `host-${host}`)
    opening.use(await startHost(at, { address, port, key: HOST_KEY, programs }))
  }
  const api = opening.use(await startApi(dataDir))
  const url = `http://127.0.0.1:${api.port}`
  const client = await signIn(url, EMAIL, PASSWORD)
  const browser = await openBrowser()
  opening.defer(async () => browser.close())
  const dom = opening.use(
    await watchDashboard(
      browser,
      url,
      { email: EMAIL, password: PASSWORD },
      { 'dashboard-rows-per-page': String(DASHBOARD_ROWS) },
    ),
  )
  const ids = commandedNumbers().map((number) => `e-${number}`)
  const missing = ids.filter((id) => !dom.ids.includes(id))
  if (missing.length > 0) throw new Error(`The dashboard does not show ${missing.join(', ')}.`)
  const life = opening.move()
  return {
    api,
    ids,
    give: async (command: Command, which: readonly number[]) =>
      clickAll(
        client,
        dom,
        command,
        which.map((at) => ids[at] ?? ''),
      ),
    [Symbol.asyncDispose]: async () => life.disposeAsync(),
  }
}

/** A site whose programs all run, and what revision each has: asked of hosts that are not real. */
async function fill(dataDir: string) {
  await using fleet = await FakeFleet.open()
  const { port } = fleet
  const encoders = HOSTS * ENCODERS_PER_HOST
  await fillSite(dataDir, { encoders, perHost: ENCODERS_PER_HOST, port }, wantAll)
  await using _api = await startApi(dataDir)
  await fleet.allRunning(HOSTS * PER_HOST)
  const revisions = new Map<string, SleepingProgram[]>()
  for (let host = 0; host < HOSTS; host += 1) {
    const programs = fleet.programsAt(addressOf(host))
    revisions.set(
      addressOf(host),
      programs.map(({ programId, appliedRevision }) => ({
        id: programId,
        revision: appliedRevision,
      })),
    )
  }
  return { port, revisions }
}

async function wantAll(db: Connection): Promise<void> {
  await db.updateTable('feeders').set({ wanted_running: 1 }).execute()
  await db.updateTable('encoders').set({ is_enabled: 1, wanted_running: 1 }).execute()
  // On the first page of the dashboard.
  const ids = commandedNumbers().map((number) => `e-${number}`)
  await db
    .updateTable('encoders')
    .set({ created_at: '2026-11-19T08:00:00.000Z' })
    .where('id', 'in', ids)
    .execute()
}

interface Sent {
  id: string
  atMs: number
  answeredAtMs: number | null
}

/** Milliseconds of each, from its call until its card says that it is done. */
async function clickAll(
  client: Client,
  dom: DomWatch,
  command: Command,
  ids: readonly string[],
): Promise<number[]> {
  await dom.take()
  const sent: Sent[] = []
  const answers = ids.map(async (id) => {
    const call: Sent = { id, atMs: performance.timeOrigin + performance.now(), answeredAtMs: null }
    sent.push(call)
    await give(client, id, command)
    call.answeredAtMs = performance.timeOrigin + performance.now()
  })
  const [took] = await Promise.all([confirmed(dom, command, sent), ...answers])
  return took
}

/** Again where a busy machine did not carry it out: so often is counted. */
async function give(client: Client, id: string, command: Command): Promise<void> {
  const name = configNameOf(numberOf(id), ENCODERS_PER_HOST)
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const input = { params: { id }, body: { data: { name, command } } }
    const sentence = await callApi(client, controlEncoder, input).then(
      ({ status, error = '' }) => (status ? null : error),
      timeoutOf,
    )
    if (sentence === null) return
    repeated += 1
    process.stderr.write(`${command} of ${id}, try ${tried}: ${sentence}\n`)
  }
  throw new Error(`${command} of ${id} was not carried out.`)
}

/** It may have been carried out: the card tells. */
function timeoutOf(error: unknown): null {
  if (error instanceof CallFailed && error.httpStatus === 504) return null
  throw error
}

function numberOf(id: string): number {
  return Number(id.slice('e-'.length))
}

async function confirmed(
  dom: DomWatch,
  command: Command,
  sent: readonly Sent[],
): Promise<number[]> {
  const changes: CardChange[] = []
  const endsAt = performance.now() + CONFIRMED_WITHIN_MS
  const doneAtMs = ({ id, answeredAtMs }: Sent): number | null => {
    const own = changes.filter((change) => change.id === id)
    const change = own.find(({ word }) => word === CONFIRMED[command])
    // A card that never left the word: what was between was over before it was drawn.
    const isUnseen = command === 'restart' && own.length === 0 && answeredAtMs !== null
    return change?.atMs ?? (isUnseen ? answeredAtMs : null)
  }
  while (performance.now() < endsAt) {
    changes.push(...(await dom.take()))
    const done = sent.flatMap((call) => {
      const atMs = doneAtMs(call)
      return atMs === null ? [] : [atMs - call.atMs]
    })
    if (done.length === sent.length) return done
    await pause(LOOK_MS)
  }
  const seen = changes.map(({ id, word }) => `${id} ${word}`).join(', ')
  throw new Error(`Not each card came to say '${CONFIRMED[command]}' at ${command}: ${seen}`)
}

async function openBare(dataDir: string) {
  await using opening = new AsyncDisposableStack()
  const programs: { client: SupervisorClient; name: string }[] = []
  for (let host = 0; host < HOSTS; host += 1) {
    const all = Array.from({ length: PER_HOST }, (_, at) => ({ id: `p-${at}`, revision: 'r' }))
    const { socket } = opening.use(await startBareHost(join(dataDir, String(host)), all))
    const client = opening.use(new SupervisorClient(socket))
    for (let at = 0; at < COMMANDED_PER_HOST; at += 1) programs.push({ client, name: `p-${at}` })
  }
  for (const { client, name } of programs) await until(client, name, 'RUNNING')
  const life = opening.move()
  return {
    give: async (command: Command, which: readonly number[]) =>
      Promise.all(
        which.map(async (at) => {
          const program = programs[at]
          if (program === undefined) throw new Error(`There is no program ${at}.`)
          const startedAt = performance.now()
          if (command !== 'start') {
            await program.client.stopProcess(program.name)
            await until(program.client, program.name, 'STOPPED')
          }
          if (command !== 'stop') await program.client.startProcess(program.name)
          await until(program.client, program.name, STATE[command])
          return performance.now() - startedAt
        }),
      ),
    [Symbol.asyncDispose]: async () => life.disposeAsync(),
  }
}

async function until(client: SupervisorClient, name: string, statename: string): Promise<void> {
  while ((await client.getProcessInfo(name)).statename !== statename) await pause(LOOK_MS)
}

type Both = Record<'single' | 'many', Figures>

function print(figures: Both, limits: Both, loopGoal: Goal): void {
  const p95 = (values: readonly number[]) => percentile(values, 95)
  const summary = (of: Figures) =>
    Object.fromEntries(
      COMMANDS.map((command) => [
        command,
        { p50: round(percentile(of[command], 50)), p95: round(p95(of[command])) },
      ]),
    )
  const goals = (['single', 'many'] as const).flatMap((size) =>
    COMMANDS.map((command) =>
      atMost(
        `${command}, ${size === 'single' ? 'one' : 'all'} at once: p95 on top of supervisord's`,
        p95(figures[size][command]) - p95(limits[size][command]),
        ON_TOP_MS,
        'ms',
      ),
    ),
  )
  printFigure({
    bench: 'commands',
    rounds: ROUNDS,
    ours: {
      hosts: HOSTS,
      programsEach: PER_HOST,
      atOnce: commandedNumbers().length,
      singleMs: summary(figures.single),
      manyMs: summary(figures.many),
      repeated,
    },
    limit: { singleMs: summary(limits.single), manyMs: summary(limits.many) },
    goals: [...goals, atMost('commands that were repeated', repeated, 0, 'commands'), loopGoal],
  })
}
