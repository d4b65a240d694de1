/**
 * How the cost of a host grows, at 50 and at 500 programs: at rest, for a command, and for the tail of a
 * log, short and long (G5, G7); how often the agent asks supervisord for all of them (G5); that edits of
 * programs touch no other program (G6); and that the agent's memory stays as it is (G4).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openAgent, type Agent } from '@trunkline/agent/app'
import * as programService from '@trunkline/agent/programs/program.service'
import { logFile } from '@trunkline/agent/supervisor/layout'
import { shutdownSupervisor } from '@trunkline/agent/supervisor/supervisor.process'
import { freeTcpPort } from '@trunkline/testbed/free-port'
import { pino } from 'pino'
import { closedBySignals } from '../kit/ending.ts'
import { atMost, cpuSecondsOf, median, printFigure, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { supervisorPid } from '../kit/site.ts'
import { SLEEPING, startSleepingPrograms } from '../kit/sleeping-programs.ts'
import { randomFrom } from '../truth/draw.ts'

const LARGE = settingOf('PROGRAMS', 500)
const SMALL = LARGE / 10
const EDITS = settingOf('EDITS', 1000)
/** Longer than a minute, in which all programs may be asked for once. */
const REST_MS = settingOf('SECONDS', 130) * 1000
const COMMANDS = 40
/** Every tenth edit also restarts its program. */
const RESTART_EVERY = 10
const EDITS_AT_ONCE = 5
const TAIL_LINES = 20
const TAILS = 200
const [SHORT_LOG_LINES, LONG_LOG_LINES] = [20_000, 200_000]
const SEAT = { kind: 'acants' as const, listenIp: '127.0.0.1', key: 'key-of-the-bench' }
/** Those that the host itself has: their settings can be anything. */
const OWNER = programService.STREAMS_OWNER

const collectGarbage = garbageCollector()
const small = await measure(SMALL)
const large = await measure(LARGE)
printFigure({
  bench: 'growth-host',
  rounds: 1,
  ours: { small, large },
  limit: { supervisordListsAllCpuMs: { small: small.listCpuMs, large: large.listCpuMs } },
  goals: [
    atMost(
      'G5 lists of all programs, a minute',
      Math.max(small.listsAMinute, large.listsAMinute),
      1,
      'a minute',
    ),
    atMost(`G5 CPU at rest, ${LARGE} programs to ${SMALL}`, ratio('restCpu'), 2, 'x'),
    atMost(`G5 CPU of a command, ${LARGE} programs to ${SMALL}`, ratio('commandCpuMs'), 2, 'x'),
    atMost(`G6 other programs touched by ${EDITS} edits`, large.touched, 0, 'programs'),
    atMost('G6 sections of programs, to programs', large.sections / LARGE, 1, 'x'),
    atMost('G7 CPU of a tail, long log to short', large.longTailMs / large.tailMs, 1.3, 'x'),
    atMost('G7 bytes read for a tail, long log to short', large.tailBytesGrowth, 1.3, 'x'),
    atMost(`G4 heap of the agent after ${EDITS} edits`, large.heapGrowth, 1.05, 'x'),
  ],
})

function ratio(of: 'restCpu' | 'commandCpuMs'): number {
  return large[of] / small[of]
}

async function measure(programs: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-growth-'))
  const agentDir = join(dataDir, 'agent')
  const close = closedBySignals(async () => {
    await shutdownSupervisor(agentDir)
    rmSync(dataDir, { recursive: true, force: true })
  })
  try {
    const ids = Array.from({ length: programs }, (_, at) => `input-${at}`)
    const all = ids.map((id) => ({ id, revision: 'r1' }))
    await startSleepingPrograms(agentDir, all, OWNER)
    const seats = [{ ...SEAT, port: await freeTcpPort(0) }]
    const config = { dataDir: agentDir, seats, sources: [] }
    await using agent = await openAgent(config, pino({ level: 'silent' }))
    while (!agent.ctx.board.all().every(({ state }) => state === 'running')) await pause(100)
    const supervisor = supervisorPid(dataDir)
    return {
      programs,
      ...(await atRest(agent, supervisor)),
      listCpuMs: await listCost(agent, supervisor),
      commandCpuMs: await commandCost(agent, supervisor, ids),
      ...tailCosts(agent, ids[0] ?? ''),
      ...(await edit(agent, ids)),
    }
  } finally {
    await close()
  }
}

/** Seconds of CPU of the agent, which is this process, and of supervisord. */
function cpuSeconds(supervisor: number): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + cpuSecondsOf(supervisor)
}

async function atRest({ ctx }: Agent, supervisor: number) {
  const { client } = ctx.supervisor
  const listAll = client.getAllProcessInfo.bind(client)
  let lists = 0
  client.getAllProcessInfo = async () => {
    lists += 1
    return listAll()
  }
  const before = cpuSeconds(supervisor)
  await pause(REST_MS)
  client.getAllProcessInfo = listAll
  return {
    restCpu: round((cpuSeconds(supervisor) - before) / (REST_MS / 1000)),
    // One more may fall into any time that is no whole number of minutes.
    listsAMinute: round(Math.max(0, lists - 1) / Math.max(1, Math.floor(REST_MS / 60_000))),
  }
}

async function listCost({ ctx }: Agent, supervisor: number): Promise<number> {
  const before = cpuSeconds(supervisor)
  const times = 10
  for (let at = 0; at < times; at += 1) await ctx.supervisor.client.getAllProcessInfo()
  return round(((cpuSeconds(supervisor) - before) * 1000) / times)
}

async function commandCost(
  { ctx }: Agent,
  supervisor: number,
  ids: readonly string[],
): Promise<number> {
  const before = cpuSeconds(supervisor)
  for (let at = 0; at < COMMANDS; at += EDITS_AT_ONCE) {
    const some = Array.from({ length: EDITS_AT_ONCE }, (_, next) => ids[(at + next) % ids.length])
    await Promise.all(
      some.map(async (programId = '') =>
        programService.control(ctx, OWNER, { programId, command: 'restart' }),
      ),
    )
  }
  return round(((cpuSeconds(supervisor) - before) * 1000) / COMMANDS)
}

function tailCosts({ ctx }: Agent, programId: string) {
  const file = logFile(ctx.supervisor.layout, programId, 'err')
  const cost = (lines: number) => {
    const text = Array.from({ length: lines }, (_, at) => `Line ${at}: nothing happened here.`)
    writeFileSync(file, `${text.join('\n')}\n`)
    const read = () => programService.tail(ctx, OWNER, programId, TAIL_LINES)
    read()
    const [startedAt, bytesBefore] = [process.cpuUsage(), bytesRead()]
    for (let at = 0; at < TAILS; at += 1) read()
    const { user, system } = process.cpuUsage(startedAt)
    return { ms: (user + system) / 1000 / TAILS, bytes: (bytesRead() - bytesBefore) / TAILS }
  }
  const short = cost(SHORT_LOG_LINES)
  const long = cost(LONG_LOG_LINES)
  writeFileSync(file, '')
  return {
    tailMs: round(short.ms),
    longTailMs: round(long.ms),
    tailBytes: round(long.bytes),
    tailBytesGrowth: round(long.bytes / short.bytes),
  }
}

/** By this process so far. */
function bytesRead(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0)
}

/** Random programs get new settings, some are restarted; all others must keep their processes. */
async function edit(agent: Agent, ids: readonly string[]) {
  const random = randomFrom(7)
  const draw = () => ids[Math.floor(random() * ids.length)] ?? ''
  const touched = new Set<string>()
  const heaps = [heapMegabytes()]
  let expected = await pidsOf(agent)
  for (let done = 0; done < EDITS; done += EDITS_AT_ONCE * RESTART_EVERY) {
    const batch = Array.from({ length: EDITS_AT_ONCE * RESTART_EVERY }, (_, at) => done + at)
    const restarted = new Set<string>()
    const work = batch.map(async (number) => {
      const programId = draw()
      await applySettings(agent, programId, `edit-${number}`)
      if (number % RESTART_EVERY !== 0) return
      restarted.add(programId)
      await programService.control(agent.ctx, OWNER, { programId, command: 'restart' })
    })
    await Promise.all(work)
    const now = await pidsOf(agent)
    for (const [id, pid] of expected) {
      if (!restarted.has(id) && now.get(id) !== pid) touched.add(id)
    }
    expected = now
    heaps.push(heapMegabytes())
  }
  const sections = (await agent.ctx.supervisor.client.getAllProcessInfo()).filter(({ name }) =>
    ids.includes(name),
  ).length
  const last = Math.ceil(heaps.length / 3)
  return {
    touched: touched.size,
    sections,
    heapGrowth: round(median(heaps.slice(-last)) / median(heaps.slice(1, 1 + last))),
  }
}

/** As the API does it, but for what is run: other seconds of sleep. */
async function applySettings({ ctx }: Agent, programId: string, revision: string): Promise<void> {
  await programService.applyUnit(ctx, {
    programId,
    revision,
    unit: { ...SLEEPING, argv: ['sleep', `${1_000_000 + Number(revision.slice(5))}`] },
    wanted: 'running',
  })
}

async function pidsOf({ ctx }: Agent): Promise<Map<string, number>> {
  await pause(50)
  const infos = await ctx.supervisor.client.getAllProcessInfo()
  return new Map(infos.map(({ name, pid }) => [name, pid]))
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

function heapMegabytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1024 / 1024
}
