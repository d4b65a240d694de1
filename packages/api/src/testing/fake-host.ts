/**
 * A host that speaks the contract's messages over a real WebSocket, without running anything: what
 * it gets a start, it reports running. It can be silent, wrong, late or gone, as hosts are.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Capabilities } from '@trunkline/contract/agent/capability.schema'
import {
  hostCalls,
  HostConfirmation,
  HostRequest,
  LINK_PATH,
  type HostCallName,
  type HostCallParams,
  type HostMessage,
} from '@trunkline/contract/agent/host-link.messages'
import type {
  ProgramReport,
  ApplyProgram,
  ControlProgram,
  Thumbnail,
  TransportMinutes,
} from '@trunkline/contract/agent/program.messages'
import type { LinkTestReport } from '@trunkline/contract/agent/link-test.messages'
import type { Observed } from '@trunkline/contract/fleet/observed.schema'
import { WebSocketServer, type WebSocket } from 'ws'
import { PLANTED_SECRETS } from './inject.ts'
import { listenAsAsked } from './process/own-port.ts'
import type { z } from 'zod'

export const [FAKE_KEY] = PLANTED_SECRETS
export const OK_CAPABILITIES: Capabilities = {
  agentVersion: '0.1.0',
  cpuCores: 2,
  tools: { ffmpeg: '5.1' },
  encoders: ['libx264'],
  sources: [],
  adapters: [{ name: 'lo', ip: '127.0.0.1' }],
  localBus: { works: true, reason: '' },
  checksTransports: true,
  countsTransports: true,
  testsLinks: true,
}

export type AskedMinutes = HostCallParams<'readTransportMinutes'>

/** Of both ends alike. */
export const DONE_LINK_TEST: LinkTestReport = {
  rateKbps: 8000,
  durationMs: 30_000,
  port: 5040,
  phase: 'back',
  phaseMs: 16_000,
  outcome: 'done',
  fault: '',
  sent: { packets: 11_398, forMs: 15_000 },
  received: {
    packets: 11_398,
    duplicates: 0,
    reordered: 0,
    expected: 11_398,
    forMs: 14_999,
    jitterMs: 0.2,
    droppedByHost: 0,
  },
  probes: 310,
  roundTrips: {
    out: { samples: 155, medianMs: 20, p95Ms: 24, highestMs: 31 },
    back: { samples: 155, medianMs: 20, p95Ms: 30, highestMs: 33 },
  },
  strangerIp: '',
}

export interface FakeHostOptions {
  seatKind: 'encoder' | 'acants' | 'channel'
  key?: string
  /** Of a host that is back; without it, one that stays its own while it is away. */
  port?: number
  capabilities?: Partial<Capabilities>
}

export class FakeHost implements AsyncDisposable {
  readonly programs = new Map<string, ProgramReport>()
  readonly calls: { call: HostCallName; params: unknown }[] = []
  /** Of the calls of people that it was asked for. */
  readonly requestIds = new Set<string>()
  /** Of either end of a link test; null: it knows none. */
  linkTest: LinkTestReport | null = DONE_LINK_TEST
  /** What it has counted, as an agent answers it. */
  transportMinutes: (asked: AskedMinutes) => TransportMinutes = () => ({
    run: 'fake',
    upTo: 0,
    hasMore: false,
    minutes: [],
  })
  /** Of every program. */
  thumbnail: Thumbnail | null = null
  readonly takenPorts = new Set<number>()
  /** Multicast groups that another program of the host has joined. */
  readonly takenGroups = new Set<string>()
  /** Why it refuses calls of this name, if it does. */
  readonly refusals = new Map<HostCallName, string>()
  /** Calls of these names are never answered. */
  readonly silentOn = new Set<HostCallName>()
  /** What its hello says. It carries out what it is asked without asking back. */
  confirmsCalls = false
  readonly confirmations: HostConfirmation[] = []
  /** What it says of a program that it has just started. */
  startsAs: 'running' | 'starting' = 'running'
  log: string[] = ['one line']
  key: string
  port = 0
  #clockAheadMs = 0
  readonly #options: FakeHostOptions
  readonly #server: Server
  readonly #sockets = new Set<WebSocket>()
  #waiting: { isDone: () => boolean; resolve: () => void }[] = []

  private constructor(options: FakeHostOptions) {
    this.#options = options
    this.key = options.key ?? FAKE_KEY
    this.#server = createServer((_, response) => response.writeHead(404).end())
    const sockets = new WebSocketServer({ noServer: true })
    this.#server.on('upgrade', (request, socket, head) => {
      // Whoever was refused, or hangs up meanwhile, may cut the connection short.
      socket.on('error', () => socket.destroy())
      if (request.url !== LINK_PATH || request.headers.authorization !== `Bearer ${this.key}`) {
        socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n')
        return
      }
      sockets.handleUpgrade(request, socket, head, (link) => this.serve(link))
    })
  }

  static async open(options: FakeHostOptions): Promise<FakeHost> {
    const host = new FakeHost(options)
    host.port = await listenAsAsked(host.#server, options.port)
    return host
  }

  get links(): number {
    return this.#sockets.size
  }

  setClockAhead(aheadMs: number): void {
    this.#clockAheadMs = aheadMs
  }

  /** To every linked API. */
  tell(message: HostMessage): void {
    for (const socket of this.#sockets) socket.send(JSON.stringify(message))
    this.#look()
  }

  tellRaw(text: string): void {
    for (const socket of this.#sockets) socket.send(text)
  }

  /** A change that nobody asked for, such as a death. */
  change(programId: string, change: Partial<ProgramReport>): void {
    this.#put({ ...this.#known(programId), ...change, sinceMs: this.nowMs() })
  }

  nowMs(): number {
    return Date.now() + this.#clockAheadMs
  }

  /** Cuts every link; the host itself stays. */
  cut(): void {
    for (const socket of this.#sockets) socket.terminate()
  }

  /** Stops reading, so that neither requests nor pings are answered. */
  hang(): void {
    for (const socket of this.#sockets) socket.pause()
  }

  /** Resolves once it has been asked `call`, `times` times. */
  async asked(call: HostCallName, times = 1): Promise<void> {
    return this.#until(() => this.calls.filter((each) => each.call === call).length >= times)
  }

  /** Resolves once the API has answered so many questions whether a call still stands. */
  async confirmed(count: number): Promise<void> {
    return this.#until(() => this.confirmations.length >= count)
  }

  async linked(count = 1): Promise<void> {
    return this.#until(() => this.links >= count)
  }

  /** Resolves once nobody is linked any more. */
  async unlinked(): Promise<void> {
    return this.#until(() => this.links === 0)
  }

  paramsOf<N extends HostCallName>(call: N): z.output<(typeof hostCalls)[N]['params']>[] {
    return this.calls
      .filter((each) => each.call === call)
      .map((each) => each.params as z.output<(typeof hostCalls)[N]['params']>)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut()
    if (!this.#server.listening) return
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  async #until(isDone: () => boolean): Promise<void> {
    if (isDone()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ isDone, resolve })
    return promise
  }

  #look(): void {
    for (const item of this.#waiting.filter(({ isDone }) => isDone())) item.resolve()
    this.#waiting = this.#waiting.filter(({ isDone }) => !isDone())
  }

  /** A link, whichever end has opened it. */
  serve(socket: WebSocket): void {
    this.#sockets.add(socket)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      this.#look()
    })
    socket.on('message', (data: Buffer) => this.#asked(socket, data.toString('utf8')))
    const hello: HostMessage = {
      type: 'hello',
      seatKind: this.#options.seatKind,
      nowMs: this.nowMs(),
      capabilities: { ...OK_CAPABILITIES, ...this.#options.capabilities },
      programs: [...this.programs.values()],
      confirmsCalls: this.confirmsCalls,
    }
    socket.send(JSON.stringify(hello))
    this.#look()
  }

  #asked(socket: WebSocket, text: string): void {
    const message: unknown = JSON.parse(text)
    const confirmation = HostConfirmation.safeParse(message)
    if (confirmation.success) {
      this.confirmations.push(confirmation.data)
      return this.#look()
    }
    const { id, call, params, requestId } = HostRequest.parse(message)
    this.calls.push({ call, params })
    if (requestId !== undefined) this.requestIds.add(requestId)
    this.#look()
    if (this.silentOn.has(call)) return
    socket.send(JSON.stringify(this.#answer(id, call, params)))
  }

  #answer(id: number, call: HostCallName, params: unknown): HostMessage {
    const parsed = hostCalls[call].params.safeParse(params)
    if (!parsed.success) return failure(id, 'invalid', parsed.error.message)
    const refusal = this.refusals.get(call)
    if (refusal !== undefined) return failure(id, 'refused', refusal)
    return { type: 'answer', id, ...this.#run(id, call, parsed.data) } as HostMessage
  }

  #run(id: number, call: HostCallName, params: unknown): object {
    switch (call) {
      case 'applyProgram':
        return { result: this.#apply(params as z.output<typeof ApplyProgram>) }
      case 'controlProgram': {
        const asked = params as z.output<typeof ControlProgram>
        if (!this.programs.has(asked.programId)) {
          return failure(id, 'not_found', 'This host has no such program.')
        }
        return { result: this.#control(asked) }
      }
      case 'removeProgram': {
        const { programId } = params as { programId: string }
        const removed = this.programs.delete(programId)
        if (removed) this.tell({ type: 'removed', programId })
        return { result: { removed } }
      }
      case 'tailProgram':
        return { result: { lines: this.log } }
      case 'readCapabilities':
        return { result: { ...OK_CAPABILITIES, ...this.#options.capabilities } }
      case 'readThumbnail': {
        const { newerThanMs } = params as { newerThanMs: number }
        const picture = this.thumbnail
        return { result: { picture: (picture?.takenAtMs ?? 0) > newerThanMs ? picture : null } }
      }
      case 'followTransports': {
        const { programIds } = params as { programIds: readonly string[] }
        return { result: { followed: programIds.length } }
      }
      case 'readTransportMinutes':
        return { result: this.transportMinutes(params as AskedMinutes) }
      case 'openLinkTest':
        return { result: { port: (params as { port: number }).port } }
      case 'callLinkTest':
        return { result: { called: true } }
      case 'readLinkTest':
        return this.linkTest === null
          ? failure(id, 'not_found', 'This host has no such link test.')
          : { result: this.linkTest }
      case 'endLinkTest':
        return { result: { ended: true } }
      case 'makeCertificateKey':
      case 'useCertificate':
        return failure(id, 'refused', 'This host is reached by its key.')
      case 'probePort':
        return {
          result: this.#probe(params as z.output<(typeof hostCalls)['probePort']['params']>),
        }
    }
  }

  #probe({ port, group }: { port: number; group?: string | undefined }) {
    const free = !this.takenPorts.has(port)
    // As the agent: only a caller that names a group gets one.
    return group === undefined ? { free } : { free, groupFree: !this.takenGroups.has(group) }
  }

  #apply({ programId, revision, wanted }: z.output<typeof ApplyProgram>): ProgramReport {
    const known = this.#known(programId)
    const applied = { ...known, appliedRevision: revision, wanted }
    const isStart = wanted === 'running' && known.state !== 'running'
    return this.#put(isStart ? { ...started(applied), state: this.startsAs } : applied)
  }

  #control({ programId, command }: z.output<typeof ControlProgram>): ProgramReport {
    const known = this.#known(programId)
    if (command !== 'stop') return this.#put(started({ ...known, wanted: 'running', restarts: 0 }))
    const stopped = { state: 'stopped', pid: null, startedAtMs: null, runningRevision: '' } as const
    return this.#put({ ...known, ...stopped, wanted: 'stopped', sinceMs: this.nowMs() })
  }

  #put(report: ProgramReport): ProgramReport {
    this.programs.set(report.programId, report)
    this.tell({ type: 'program', nowMs: this.nowMs(), report })
    return report
  }

  #known(programId: string): ProgramReport {
    return this.programs.get(programId) ?? fakeReport(programId, this.nowMs())
  }
}

let lastPid = 1000

function started(report: ProgramReport): ProgramReport {
  lastPid++
  const nowMs = report.sinceMs
  const { appliedRevision } = report
  const running = { state: 'running', runningRevision: appliedRevision, pid: lastPid } as const
  return { ...report, ...running, startedAtMs: nowMs, cause: '' }
}

/** Of a program whose media moves, and of which nothing is wrong. */
export function movingSince(sinceMs: number): Observed {
  return {
    peerSinceMs: sinceMs,
    peerFacts: null,
    media: 'moving',
    mediaSinceMs: sinceMs,
    warning: '',
    warningSinceMs: sinceMs,
  }
}

export function fakeReport(programId: string, nowMs: number): ProgramReport {
  return {
    programId,
    state: 'stopped',
    wanted: 'stopped',
    sinceMs: nowMs,
    startedAtMs: null,
    pid: null,
    cause: '',
    restarts: 0,
    hasFarEnd: true,
    peer: '',
    observed: null,
    appliedRevision: '',
    runningRevision: '',
    changedByHand: '',
    reading: null,
  }
}

function failure(
  id: number,
  code: 'not_found' | 'refused' | 'invalid',
  message: string,
): HostMessage {
  return { type: 'failure', id, failure: { code, message } }
}
