/** One host with 500 programs: the state of all in one message, and what one more costs the others. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openAgent, type Agent } from '@trunkline/agent/app'
import { capabilitiesOf } from '@trunkline/agent/host/host'
import * as programService from '@trunkline/agent/programs/program.service'
import { shutdownSupervisor } from '@trunkline/agent/supervisor/supervisor.process'
import { LINK_PATH, type HostMessage } from '@trunkline/contract/agent/host-link.messages'
import type { Reading } from '@trunkline/contract/fleet/reading.schema'
import { freeTcpPort } from '@trunkline/testbed/free-port'
import { pino } from 'pino'
import { WebSocket } from 'ws'
import { closedBySignals } from './kit/ending.ts'
import { supervisorPid } from './kit/site.ts'
import { SLEEPING, startSleepingPrograms } from './kit/sleeping-programs.ts'
import {
  atMost,
  cpuSecondsOf,
  median,
  percentile,
  printFigure,
  round,
  spread,
} from './kit/figure.ts'

const PROGRAMS = 500
const LOOKS = 50
const ADDED = 5
const IDLE_SECONDS = 10
const SEAT = { kind: 'acants' as const, listenIp: '127.0.0.1', key: 'key-of-the-bench' }
const OWNER = 'acants-0'

const READING: Reading = {
  kind: 'link',
  protocol: 'srt',
  direction: 'receive',
  atMs: 1_790_000_000_000,
  bitrateKbps: 1850.123,
  rttMs: 23.456,
  packets: 123_456_789,
  lostPackets: 12_345,
  retransmittedPackets: 12_344,
  droppedPackets: 12,
}

const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-programs-'))
const agentDir = join(dataDir, 'agent')
const port = await freeTcpPort(0)
const close = closedBySignals(async () => {
  await shutdownSupervisor(agentDir)
  rmSync(dataDir, { recursive: true, force: true })
})
try {
  const programs = Array.from({ length: PROGRAMS }, (_, index) => ({
    id: `input-${index}-0123456789abcdef01`,
    revision: 'r1',
  }))
  await startSleepingPrograms(agentDir, programs, OWNER)
  const config = { dataDir: agentDir, seats: [{ ...SEAT, port }], sources: [] }
  const startedAt = performance.now()
  await using agent = await openAgent(config, pino({ level: 'silent' }))
  await allRun(agent)
  const adoptedMs = performance.now() - startedAt
  for (const program of agent.ctx.board.all()) program.reading = READING
  printFigure(await measured(agent, adoptedMs))
} finally {
  await close()
}

async function allRun({ ctx }: Agent): Promise<void> {
  while (!ctx.board.all().every((program) => program.state === 'running')) await pause(100)
}

async function measured(agent: Agent, adoptedMs: number) {
  const idleCores = await idle()
  const looks = Array.from({ length: LOOKS }, () => fleetMessage(agent))
  const overLink: number[] = []
  for (let look = 0; look < LOOKS; look += 1) overLink.push(await helloMs())
  const bare = await bareFigures(agent)
  const added = await addSome(agent)
  const times = looks.map((look) => look.agentMs)
  return {
    bench: 'programs',
    rounds: LOOKS,
    ours: {
      programs: PROGRAMS,
      agentKnowsAllMs: Math.round(adoptedMs),
      statusOfAllCpuMs: { p50: round(median(times)), p95: round(percentile(times, 95)) },
      statusOfAllBytes: looks[0]?.bytes,
      connectToStatusOfAllMs: spread(overLink),
      addOneMs: spread(added.times),
      addOneSupervisordCpuMs: added.supervisordCpuMs,
      othersTouchedByAdding: added.touched,
      idleCores,
    },
    limit: bare,
    goals: [
      atMost('status of all in one message', percentile(times, 95), 20, 'ms'),
      atMost('programs touched by adding others', added.touched, 0, 'programs'),
    ],
  }
}

async function idle() {
  const pids = { agent: process.pid, supervisord: supervisorPid(dataDir) }
  const before = { agent: cpuSecondsOf(pids.agent), supervisord: cpuSecondsOf(pids.supervisord) }
  await pause(IDLE_SECONDS * 1000)
  return {
    agent: round((cpuSecondsOf(pids.agent) - before.agent) / IDLE_SECONDS),
    supervisord: round((cpuSecondsOf(pids.supervisord) - before.supervisord) / IDLE_SECONDS),
  }
}

/** What the agent does when an API connects: the list made and written as one message. Its own CPU. */
function fleetMessage({ ctx }: Agent): { agentMs: number; bytes: number } {
  const before = process.threadCpuUsage()
  const hello: HostMessage = {
    type: 'hello',
    seatKind: SEAT.kind,
    nowMs: ctx.clock(),
    capabilities: capabilitiesOf(ctx.host),
    programs: programService.list(ctx, OWNER),
  }
  const text = JSON.stringify(hello)
  const used = process.threadCpuUsage(before)
  return { agentMs: (used.user + used.system) / 1000, bytes: Buffer.byteLength(text) }
}

/** From the call to the whole message; both ends share this process. */
async function helloMs(): Promise<number> {
  const startedAt = performance.now()
  const socket = new WebSocket(`ws://127.0.0.1:${port}${LINK_PATH}`, {
    headers: { authorization: `Bearer ${SEAT.key}` },
  })
  await new Promise((resolve) => socket.once('message', resolve))
  const tookMs = performance.now() - startedAt
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.close()
  await closed
  return tookMs
}

/** The same asked of supervisord itself, and the least that adding a section takes there. */
async function bareFigures({ ctx }: Agent) {
  const { client } = ctx.supervisor
  const list: number[] = []
  const reread: number[] = []
  for (let turn = 0; turn < 5; turn += 1) {
    let startedAt = performance.now()
    await client.getAllProcessInfo()
    list.push(performance.now() - startedAt)
    startedAt = performance.now()
    await client.reloadConfig()
    reread.push(performance.now() - startedAt)
  }
  return { supervisordListsAllMs: spread(list), supervisordRereadsMs: spread(reread) }
}

async function addSome({ ctx }: Agent) {
  const processes = async () => ctx.supervisor.client.getAllProcessInfo()
  const before = await processes()
  const supervisor = supervisorPid(dataDir)
  const cpuBefore = cpuSecondsOf(supervisor)
  const times: number[] = []
  for (let turn = 0; turn < ADDED; turn += 1) {
    const startedAt = performance.now()
    const programId = `one-more-${turn}`
    await programService.applyUnit(ctx, {
      programId,
      revision: 'r1',
      unit: SLEEPING,
      wanted: 'running',
    })
    times.push(performance.now() - startedAt)
  }
  const supervisordCpuMs = Math.round(((cpuSecondsOf(supervisor) - cpuBefore) * 1000) / ADDED)
  const after = new Map((await processes()).map((running) => [running.name, running.pid]))
  const touched = before.filter((item) => after.get(item.name) !== item.pid).length
  return { times, supervisordCpuMs, touched }
}
