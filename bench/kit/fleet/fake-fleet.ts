/**
 * Thousands of host agents in one process: one port on every loopback address, a host at each. What a
 * host is told to run it says it runs.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { TlsOptions } from 'node:tls'
import { fakeReport, movingSince } from '@trunkline/api/testing/fake-host'
import { LINK_PATH, type HostMessage } from '@trunkline/contract/agent/host-link.messages'
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import { WebSocketServer, type WebSocket } from 'ws'
import { SignsOfLife } from './signs-of-life.ts'

/** Of each network of 250: 127.1.0.1, 127.1.0.2 and so on. */
const HOSTS_PER_NETWORK = 250

export function addressOf(host: number): string {
  return `127.1.${Math.floor(host / HOSTS_PER_NETWORK)}.${1 + (host % HOSTS_PER_NETWORK)}`
}

interface FakeAgent {
  sockets: Set<WebSocket>
  programs: Map<string, ProgramReport>
}

type SeatKind = Extract<HostMessage, { type: 'hello' }>['seatKind']

export class FakeFleet implements AsyncDisposable {
  readonly port: number
  readonly #server: WebSocketServer
  readonly #web: Server
  readonly #seatKind: SeatKind
  readonly #agents = new Map<string, FakeAgent>()
  readonly #signs = new SignsOfLife()
  #hung: ReadonlySet<string> = new Set()
  #dialledHung = 0
  #givesSigns = true
  #applied = 0
  #onAsked: () => void = () => undefined

  private constructor(server: WebSocketServer, seatKind: SeatKind, web: Server) {
    this.#server = server
    this.#web = web
    this.#seatKind = seatKind
    this.port = (web.address() as AddressInfo).port
    server.on('connection', (socket, request) => {
      const address = request.socket.localAddress ?? ''
      this.#greet(socket, this.#agentAt(address), this.#hung.has(address))
    })
  }

  /** `tls`: hosts that are enrolled, with one certificate for all. */
  static async open(seatKind: SeatKind = 'encoder', tls?: TlsOptions): Promise<FakeFleet> {
    const web = tls === undefined ? createServer() : createTlsServer({ ...tls, requestCert: true })
    const server = new WebSocketServer({ server: web, path: LINK_PATH, perMessageDeflate: false })
    web.listen({ host: '0.0.0.0', port: 0, backlog: 8192 })
    await once(web, 'listening')
    return new FakeFleet(server, seatKind, web)
  }

  get links(): number {
    return this.#server.clients.size
  }

  /** Resolves once so many links stand. */
  async linked(count: number): Promise<void> {
    while (this.links < count) await once(this.#server, 'connection')
  }

  /** Resolves once so many programs in all were applied. */
  async applied(count: number): Promise<void> {
    while (this.#applied < count) {
      await new Promise<void>((resolve) => {
        this.#onAsked = resolve
      })
    }
  }

  /** Resolves once so many programs in all are running. */
  async allRunning(count: number): Promise<void> {
    while (this.#running < count) await pause(100)
  }

  get #running(): number {
    const all = [...this.#agents.values()].flatMap(({ programs }) => [...programs.values()])
    return all.filter(({ state }) => state === 'running').length
  }

  /** How often hosts that hang were dialled. */
  get dialledHung(): number {
    return this.#dialledHung
  }

  /** From now on these hosts take connections and say nothing; those that hung before are back. */
  hang(addresses: ReadonlySet<string>): void {
    for (const address of this.#hung) {
      for (const socket of this.#agentAt(address).sockets) socket.terminate()
    }
    this.#hung = addresses
    for (const address of addresses) {
      for (const socket of this.#agentAt(address).sockets) socket.pause()
    }
  }

  /** Something happens to the program of that host, as its `cause` tells. */
  change(address: string, cause: string): void {
    const agent = this.#agentAt(address)
    for (const report of agent.programs.values()) {
      this.#put(agent, { ...report, cause, sinceMs: Date.now() })
    }
  }

  programsAt(address: string): ProgramReport[] {
    return [...this.#agentAt(address).programs.values()]
  }

  stateOf(address: string, programId: string): ProgramReport['state'] | undefined {
    return this.#agentAt(address).programs.get(programId)?.state
  }

  /** Something of this program is another than before. */
  report(address: string, programId: string, change: Partial<ProgramReport>): void {
    const agent = this.#agentAt(address)
    const known = agent.programs.get(programId) ?? fakeReport(programId, Date.now())
    this.#put(agent, { ...known, ...change })
  }

  /** From now on hosts that connect are asked whether they are there, as agents of an older version. */
  giveNoSigns(): void {
    this.#givesSigns = false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signs[Symbol.dispose]()
    for (const socket of this.#server.clients) socket.terminate()
    this.#server.close()
    this.#web.close()
    this.#web.closeAllConnections()
    await once(this.#web, 'close')
  }

  #agentAt(address: string): FakeAgent {
    const known = this.#agents.get(address)
    if (known !== undefined) return known
    const agent: FakeAgent = { sockets: new Set(), programs: new Map() }
    this.#agents.set(address, agent)
    return agent
  }

  #greet(socket: WebSocket, agent: FakeAgent, isHung: boolean): void {
    agent.sockets.add(socket)
    socket.on('close', () => agent.sockets.delete(socket))
    socket.on('error', () => socket.terminate())
    if (isHung) {
      this.#dialledHung += 1
      socket.pause()
      return
    }
    if (this.#givesSigns) this.#signs.give(socket)
    socket.on('message', (data: Buffer) => this.#asked(socket, agent, data.toString('utf8')))
    const hello: HostMessage = {
      type: 'hello',
      seatKind: this.#seatKind,
      nowMs: Date.now(),
      capabilities: {
        agentVersion: '0.1.0',
        cpuCores: 2,
        tools: {},
        encoders: [],
        sources: [],
        adapters: [],
        localBus: { works: true, reason: '' },
      },
      programs: [...agent.programs.values()],
    }
    socket.send(JSON.stringify(hello))
  }

  #asked(socket: WebSocket, agent: FakeAgent, text: string): void {
    const { id, call, params } = JSON.parse(text) as {
      id: number
      call: string
      params: { programId: string; revision: string; wanted: 'running' | 'stopped' }
    }
    const { programId, revision, wanted } = params
    if (call === 'applyProgram') this.#applied += 1
    const known = agent.programs.get(programId) ?? fakeReport(programId, Date.now())
    const isOn = call === 'controlProgram' || wanted === 'running'
    const report = {
      ...known,
      ...(isOn ? runningSince(Date.now()) : {}),
      wanted: isOn ? ('running' as const) : ('stopped' as const),
      appliedRevision: revision ?? known.appliedRevision,
      runningRevision: revision ?? known.appliedRevision,
    }
    agent.programs.set(programId, report)
    socket.send(JSON.stringify({ type: 'answer', id, result: report }))
    this.#onAsked()
  }

  #put(agent: FakeAgent, report: ProgramReport): void {
    agent.programs.set(report.programId, report)
    const message: HostMessage = { type: 'program', nowMs: Date.now(), report }
    for (const socket of agent.sockets) socket.send(JSON.stringify(message))
  }
}

/** Its media moves: time alone makes no trouble of it. */
function runningSince(startedAtMs: number) {
  const observed = movingSince(startedAtMs)
  return { state: 'running' as const, pid: 1000, startedAtMs, observed }
}
