/**
 * How long the local bus is without a stream after its feeder was killed, and after the supervisord
 * of either host was killed or got a signal to reload (HUP): the longest pause between two
 * datagrams there, over a link from an SRT caller on one host to an SRT listener on another.
 */
import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openAgent, type Agent } from '@trunkline/agent/app'
import type { Context } from '@trunkline/agent/context'
import { apply, applyUnit, report } from '@trunkline/agent/programs/program.service'
import { instanceOf, shutdownSupervisor } from '@trunkline/agent/supervisor/supervisor.process'
import type { ProgramSpec, SrtLeg } from '@trunkline/contract/agent/program.messages'
import { GROUP_IP, startStream } from '@trunkline/testbed/encoder-streams/steady-stream'
import { pino } from 'pino'
import { closedBySignals } from './kit/ending.ts'
import { atMost, printFigure, processTree, round, spread } from './kit/figure.ts'
import { nextFeedPort } from './kit/clock-feed.ts'

/** `node bench/gap.bench.ts 5 Reloaded`: so many rounds, of the events that are named so. */
const [, , rounds = '5', only = ''] = process.argv
const ROUNDS = Number(rounds)
const LATENCY_MS = 300
/** Others that supervisord stops as well, each like a packager whose input is silent: deaf to TERM. */
const BYSTANDERS = 3
const DEAF = ['sh', '-c', "trap '' TERM; while :; do sleep 1; done"]
/** A connection that has lasted is taken up again sooner than one that was refused. */
const SETTLE_MS = 11_000
/** Longer than SRT's own limit and a caller's wait after it. */
const HEARD_MS = 9000

type Host = Agent & { dataDir: string }

const load = loadavg()[0] ?? 0
const [outerPort, busPort, sourcePort] = [
  await nextFeedPort(),
  await nextFeedPort(),
  await nextFeedPort(),
]
const gateway = await openHost()
const encoderHost = await openHost()
await start(gateway.ctx, 'receiver', {
  kind: 'receiver',
  local: { ip: GROUP_IP, port: busPort, ttl: 1 },
  outer: outerLeg('listen'),
})
await start(encoderHost.ctx, 'feeder', {
  kind: 'sender',
  local: { ip: GROUP_IP, port: sourcePort, ttl: 1 },
  outer: outerLeg('call'),
})
using _source = await startStream(2000, sourcePort)
const ear = listen(busPort)
await ear.untilHeard()

const EVENTS = {
  supervisordOfReceiverReloaded: () => signal(gateway, 'SIGHUP'),
  supervisordOfFeederReloaded: () => signal(encoderHost, 'SIGHUP'),
  supervisordOfReceiverKilled: () => signal(gateway, 'SIGKILL'),
  supervisordOfFeederKilled: () => signal(encoderHost, 'SIGKILL'),
  feederScriptKilled: () => killFeeder('sh'),
  feederToolKilled: () => killFeeder('srt-live-transmit'),
} as const
const gaps = new Map<string, number[]>()
for (const [name, cause] of Object.entries(EVENTS)) {
  if (!name.includes(only)) continue
  const ofEvent: number[] = []
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    await pause(SETTLE_MS)
    ear.forget()
    cause()
    await pause(HEARD_MS)
    ofEvent.push(ear.longestPauseMs())
  }
  gaps.set(name, ofEvent)
}
ear.close()
printFigure({
  bench: 'gap',
  rounds: ROUNDS,
  ours: {
    ...Object.fromEntries([...gaps].map(([name, values]) => [`${name}Ms`, spread(values)])),
    loadBefore: round(load),
  },
  limit: {},
  goals: [...gaps].map(([name, values]) => atMost(name, Math.max(...values), 2000, 'ms')),
})
await gateway[Symbol.asyncDispose]()
await encoderHost[Symbol.asyncDispose]()

async function openHost(): Promise<Host> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-gap-'))
  const opening = openAgent({ dataDir, seats: [], sources: [] }, pino({ level: 'silent' }))
  const close = closedBySignals(async () => {
    const agent = await opening.catch(() => null)
    await agent?.[Symbol.asyncDispose]()
    await shutdownSupervisor(dataDir)
    rmSync(dataDir, { recursive: true, force: true })
  })
  const { ctx } = await opening
  for (let count = 0; count < BYSTANDERS; count += 1) {
    await applyUnit(ctx, {
      programId: `bystander${count}`,
      revision: 'r1',
      unit: {
        argv: DEAF,
        repeat: 'never',
        output: 'ffmpeg',
        direction: 'none',
        secrets: [],
      },
      wanted: 'running',
    })
  }
  return { ctx, dataDir, [Symbol.asyncDispose]: close }
}

async function start(ctx: Context, programId: string, spec: ProgramSpec): Promise<void> {
  await apply(ctx, 'acants-0', { programId, revision: 'r1', spec, wanted: 'running' })
  while (report(ctx, programId)?.state !== 'running') await pause(50)
}

function outerLeg(mode: 'listen' | 'call'): SrtLeg {
  return {
    protocol: 'srt',
    mode,
    host: mode === 'call' ? '127.0.0.1' : '',
    port: outerPort,
    adapterIp: '',
    key: null,
    latencyMs: LATENCY_MS,
    maxBandwidthBytes: 0,
    advanced: [],
  }
}

function signal(host: Host, name: 'SIGHUP' | 'SIGKILL'): void {
  const supervisord = instanceOf(host.ctx.supervisor.layout)
  if (supervisord === null) throw new Error('supervisord does not run.')
  process.kill(supervisord.pid, name)
}

/** The feeder's script, which is its process in supervisord's eyes, or the tool below it. */
function killFeeder(command: string): void {
  const pid = report(encoderHost.ctx, 'feeder')?.pid ?? null
  // Below process 0 stands every process of the machine.
  if (pid === null) throw new Error('The feeder does not run.')
  const found = processTree(pid).find((running) => running.command.split(' ')[0] === command)
  if (found === undefined) throw new Error(`The feeder has no process ${command}.`)
  process.kill(found.pid, 'SIGKILL')
}

/** Hears the local bus. A pause that still lasts counts as well. */
function listen(port: number) {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  let lastMs = 0
  let longestMs = 0
  socket.on('message', () => {
    const nowMs = performance.now()
    if (lastMs > 0) longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
  })
  socket.bind(port, GROUP_IP, () => socket.addMembership(GROUP_IP, '127.0.0.1'))
  return {
    untilHeard: async () => {
      while (lastMs === 0) await pause(50)
    },
    forget: () => (longestMs = 0),
    longestPauseMs: () => Math.max(longestMs, performance.now() - lastMs),
    close: () => socket.close(),
  }
}
