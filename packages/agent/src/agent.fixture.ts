/** For tests: a real agent with a real supervisord in a temporary folder, and an API's end of its link. */
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentConfig, Seat } from '@trunkline/contract/agent/agent-config.schema'
import {
  HostMessage,
  LINK_PATH,
  type HostCallAnswer,
  type HostCallName,
} from '@trunkline/contract/agent/host-link.messages'
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import { pino } from 'pino'
import { afterAll, beforeAll, vi } from 'vitest'
import { WebSocket } from 'ws'
import { openAgent, type Agent } from './app.ts'
import type { Unit } from './commands/unit.ts'
import type { Context } from './context.ts'
import { claimPort } from './host/port-claim.ts'
import * as programService from './programs/program.service.ts'
import { reportOf, type ProgramEvent, type Wanted } from './programs/program.ts'
import { shutdownSupervisor } from './supervisor/supervisor.process.ts'

export interface TestAgent extends AsyncDisposable {
  readonly config: AgentConfig
  readonly ctx: Context
  /** Closes the agent and opens another on the same folder; supervisord and programs stay. */
  restart(whileAway?: () => Promise<unknown>): Promise<void>
  /** A program of streams: any tool, wanted running, revision r1, unless `more` says otherwise. */
  apply(programId: string, more?: ToolProgram): Promise<ProgramReport>
  control(programId: string, command: 'start' | 'stop' | 'restart'): Promise<ProgramReport>
  untilRunning(programId: string): Promise<ProgramReport>
}

interface ToolProgram {
  argv?: readonly string[]
  revision?: string
  wanted?: Wanted
}

const FOREVER = ['sleep', '1000']

/** Opened before the first test of a file, disposed of after the last. */
export function shared<T extends AsyncDisposable>(open: () => Promise<T>): T {
  let opened: T
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(async () => opened[Symbol.asyncDispose]())
  return new Proxy({} as T, {
    get: (_target, key) => Reflect.get(opened, key) as unknown,
    set: (_target, key, value) => Reflect.set(opened, key, value),
  })
}

export async function openTestAgent(
  kinds: readonly Seat['kind'][] = [],
  sources: AgentConfig['sources'] = [],
): Promise<TestAgent> {
  const config = { ...(await testConfig(kinds)), sources }
  let agent = await openAgent(config, quietLog())
  keepToolAnswers(config)
  return {
    config,
    get ctx() {
      return agent.ctx
    },
    async restart(whileAway) {
      await agent[Symbol.asyncDispose]()
      await whileAway?.()
      agent = await openAgent(config, quietLog())
    },
    async apply(programId, { argv = FOREVER, revision = 'r1', wanted = 'running' } = {}) {
      const asked = { programId, revision, unit: unitOf(argv), wanted }
      return programService.applyUnit(agent.ctx, asked)
    },
    async control(programId, command) {
      const { STREAMS_OWNER } = programService
      return programService.control(agent.ctx, STREAMS_OWNER, { programId, command })
    },
    async untilRunning(programId) {
      return untilReport(agent.ctx, programId, ({ state }) => state === 'running')
    },
    async [Symbol.asyncDispose]() {
      await endAgent(agent, config)
    },
  }
}

async function endAgent(agent: Agent, config: AgentConfig): Promise<void> {
  await agent[Symbol.asyncDispose]()
  await shutdownSupervisor(config.dataDir)
  rmSync(config.dataDir, { recursive: true, force: true })
}

export async function testConfig(kinds: readonly Seat['kind'][]): Promise<AgentConfig> {
  const seats = await Promise.all(
    kinds.map(async (kind, index) => ({
      kind,
      listenIp: '127.0.0.1',
      port: await freeTcpPort(),
      key: `key-of-seat-${index}`,
    })),
  )
  const dataDir = temporaryFolder()
  if (existsSync(KEPT_ANSWERS)) copyFileSync(KEPT_ANSWERS, join(dataDir, TOOL_ANSWERS))
  return { dataDir, seats, sources: [] }
}

/**
 * The agents of a run share what the tools of this machine say of themselves, as one agent does over
 * its restarts: asking all of them takes a second of processor time.
 */
const TOOL_ANSWERS = 'tools.json'
const KEPT_ANSWERS = join(tmpdir(), 'agent-tools.json')

function keepToolAnswers({ dataDir }: AgentConfig): void {
  if (existsSync(KEPT_ANSWERS)) return
  // Another worker may look at the same moment: it finds all of it or nothing.
  const whole = join(dataDir, `${TOOL_ANSWERS}.whole`)
  copyFileSync(join(dataDir, TOOL_ANSWERS), whole)
  renameSync(whole, KEPT_ANSWERS)
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'agent-test-'))
}

export function quietLog() {
  return pino({ level: 'silent' })
}

/**
 * Ports for tests lie below those that the kernel gives to whoever connects (32768 and up). Each is
 * held by name until this process of tests ends: a tool may take long to open its port, may be
 * ended and started again, and shares a port without a word with whoever asks for the same.
 */
const FIRST_PORT = 10_000
const PORT_COUNT = 10_000
/** Neighbours begin apart, and rarely meet a port that is held. */
const PORTS_A_PROCESS = 80
let taken = process.pid * PORTS_A_PROCESS

export async function freeTcpPort(): Promise<number> {
  return nextPort('tcp')
}

export async function freeUdpPort(): Promise<number> {
  return nextPort('udp')
}

/** Even, as RIST wants them. */
async function nextPort(kind: 'tcp' | 'udp'): Promise<number> {
  taken += 2
  const port = FIRST_PORT + (taken % PORT_COUNT)
  return (await claimPort(kind, port)) === null ? nextPort(kind) : port
}

/** A unit that runs any tool; its output is read as ffmpeg's. */
export function unitOf(argv: readonly string[], more: Partial<Unit> = {}): Unit {
  return { argv, repeat: 'never', output: 'ffmpeg', direction: 'none', secrets: [], ...more }
}

/** Only ends what hangs, below the limit of a test: a busy machine may need long for what comes. */
const EVENT_LIMIT_MS = 120_000
/**
 * For a test that waits for several starts of real programs, one after the other: each wait has the
 * limit above, so this one only ends what hangs beside them.
 */
export const LIFE_LIMIT_MS = 5 * EVENT_LIMIT_MS
/** Looking is cheap, and what is looked at changes within seconds. */
const LOOK_MS = 50

/** The next event for which `isIt` holds; rejects when none comes. */
export async function nextEvent<E extends ProgramEvent>(
  ctx: Context,
  isIt: (event: ProgramEvent) => event is E,
): Promise<E>
export async function nextEvent(
  ctx: Context,
  isIt: (event: ProgramEvent) => boolean,
): Promise<ProgramEvent>
export async function nextEvent(
  ctx: Context,
  isIt: (event: ProgramEvent) => boolean,
): Promise<ProgramEvent> {
  const { promise, resolve, reject } = Promise.withResolvers<ProgramEvent>()
  const stop = ctx.board.listen((event) => {
    if (isIt(event)) resolve(event)
  })
  const timer = setTimeout(
    () => reject(new Error('The awaited event did not come.')),
    EVENT_LIMIT_MS,
  )
  try {
    return await promise
  } finally {
    stop()
    clearTimeout(timer)
  }
}

/** Until `check` holds: for what nobody tells of, such as a line in a tool's log. Throws its last failure. */
export async function eventually(check: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(check, { timeout: EVENT_LIMIT_MS, interval: LOOK_MS })
}

/** Resolves with the report once it is so, at once when it is so already. */
export async function untilReport(
  ctx: Context,
  programId: string,
  isSo: (report: ProgramReport) => boolean,
): Promise<ProgramReport> {
  const program = ctx.board.find(programId)
  if (!program) throw new Error(`No program ${programId}.`)
  await ctx.board.until(program, () => isSo(reportOf(program)), EVENT_LIMIT_MS)
  const report = reportOf(program)
  if (!isSo(report)) throw new Error(`It did not become so: ${JSON.stringify(report)}`)
  return report
}

export interface TestLink extends AsyncDisposable {
  readonly messages: HostMessage[]
  ask<N extends HostCallName>(call: N, params: unknown): Promise<HostCallAnswer<N>>
  until(isIt: (message: HostMessage) => boolean): Promise<HostMessage>
  readonly socket: WebSocket
}

/** Resolves after the hello. */
export async function openLink(seat: Seat): Promise<TestLink> {
  const socket = new WebSocket(`ws://127.0.0.1:${seat.port}${LINK_PATH}`, {
    headers: { authorization: `Bearer ${seat.key}` },
  })
  const messages: HostMessage[] = []
  const watchers = new Set<() => void>()
  socket.on('message', (data: Buffer) => {
    messages.push(HostMessage.parse(JSON.parse(data.toString())))
    for (const watcher of watchers) watcher()
  })
  const until = async (isIt: (message: HostMessage) => boolean) => {
    const { promise, resolve, reject } = Promise.withResolvers<HostMessage>()
    const look = () => {
      const found = messages.find(isIt)
      if (found) resolve(found)
    }
    watchers.add(look)
    look()
    const timer = setTimeout(
      () => reject(new Error('The awaited message did not come.')),
      EVENT_LIMIT_MS,
    )
    return promise.finally(() => {
      watchers.delete(look)
      clearTimeout(timer)
    })
  }
  let lastId = 0
  const ask = async <N extends HostCallName>(call: N, params: unknown) => {
    lastId += 1
    const id = lastId
    socket.send(JSON.stringify({ id, call, params }))
    const reply = await until((message) => 'id' in message && message.id === id)
    if (reply.type === 'failure') throw new LinkFailure(reply.failure)
    return (reply as { result: HostCallAnswer<N> }).result
  }
  await once(socket, 'open')
  await until((message) => message.type === 'hello')
  return {
    messages,
    ask,
    until,
    socket,
    async [Symbol.asyncDispose]() {
      if (socket.readyState === socket.CLOSED) return
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

class LinkFailure extends Error {
  readonly code: string
  constructor(failure: { code: string; message: string }) {
    super(failure.message)
    this.code = failure.code
  }
}
