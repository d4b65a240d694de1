/**
 * The agents of thousands of hosts in one process: it answers on every loopback address. What it is
 * told to run it reports as running, without running anything, and it remembers that of each address.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { LINK_PATH, type HostMessage } from '@trunkline/contract/agent/host-link.messages'
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import { WebSocketServer, type WebSocket } from 'ws'

type Reports = Map<string, ProgramReport>

export class QuietHost implements AsyncDisposable {
  readonly port: number
  readonly #server: WebSocketServer
  /** By the address that was dialled. */
  readonly #reports = new Map<string, Reports>()
  #applied = 0
  #onApplied: () => void = () => undefined

  private constructor(server: WebSocketServer) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (socket, request) => {
      this.#greet(socket, request.socket.localAddress ?? '')
    })
  }

  static async open(): Promise<QuietHost> {
    const server = new WebSocketServer({ host: '0.0.0.0', port: 0, path: LINK_PATH })
    await once(server, 'listening')
    return new QuietHost(server)
  }

  /** Resolves once so many links stand. */
  async linked(count: number): Promise<void> {
    while (this.#server.clients.size < count) await once(this.#server, 'connection')
  }

  /** Resolves once so many programs in all were applied. */
  async applied(count: number): Promise<void> {
    while (this.#applied < count) {
      await new Promise<void>((resolve) => {
        this.#onApplied = resolve
      })
    }
  }

  #greet(socket: WebSocket, address: string): void {
    const reports: Reports = this.#reports.get(address) ?? new Map()
    this.#reports.set(address, reports)
    const send = (message: HostMessage) => socket.send(JSON.stringify(message))
    send(helloOf(reports))
    socket.on('message', (data: Buffer) => {
      const { id, call, params } = JSON.parse(data.toString('utf8')) as Request
      if (call !== 'applyProgram') return send({ type: 'answer', id, result: {} })
      const report = reportOf(params)
      reports.set(report.programId, report)
      send({ type: 'answer', id, result: report })
      this.#applied += 1
      this.#onApplied()
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#server.clients) socket.terminate()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

interface Applied {
  programId: string
  revision: string
  wanted: 'running' | 'stopped'
}

interface Request {
  id: number
  call: string
  params: Applied
}

function helloOf(reports: Reports): HostMessage {
  return {
    type: 'hello',
    seatKind: 'encoder',
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
    programs: [...reports.values()],
  }
}

function reportOf({ programId, revision, wanted }: Applied): ProgramReport {
  const isRunning = wanted === 'running'
  const nowMs = Date.now()
  return {
    programId,
    state: wanted,
    wanted,
    sinceMs: nowMs,
    startedAtMs: isRunning ? nowMs : null,
    pid: isRunning ? 1000 : null,
    cause: '',
    restarts: 0,
    hasFarEnd: false,
    peer: '',
    observed: null,
    appliedRevision: revision,
    runningRevision: isRunning ? revision : '',
    changedByHand: '',
    reading: null,
  }
}
