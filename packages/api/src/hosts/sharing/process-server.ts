/** Sends the other API processes what happens to the hosts of this one, and carries out what they ask. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { HostCallName } from '@trunkline/contract/agent/host-link.messages'
import type { Logger } from 'pino'
import { WebSocketServer, type WebSocket } from 'ws'
import { AppError } from '../../errors.ts'
import { mapInSlices } from '../../in-slices.ts'
import { addressText, type HostAddress } from '../host-address.ts'
import { HostFault } from '../host-fault.ts'
import type { LinkedHost, LinkEvent } from '../linked-host.ts'
import { HeardLinks } from './heard-links.ts'
import {
  PROCESS_PATH,
  PROCESS_VERSION,
  type Failure,
  type HostNews,
  type OwnerMessage,
  type Question,
  type ReaderMessage,
  type Refusal,
} from './process.messages.ts'

/** What the other processes may ask this one. */
export interface OwnHosts {
  /** Undefined when this process does not link it. */
  ownLink(at: string): LinkedHost | undefined
  call(host: HostAddress, name: HostCallName, params: unknown): Promise<unknown>
  reach(host: HostAddress, redial: boolean): Promise<unknown>
  settle(host: HostAddress, programIds: readonly string[]): Promise<void>
  /** Nothing else is done to the program meanwhile. */
  exclusive(programId: string, work: () => Promise<void>): Promise<void>
  /** Of programs at this host. */
  refusalsAt(host: HostAddress): ReadonlyMap<string, Refusal>
}

export interface ProcessServerOptions {
  /** Port 0 takes any free one. */
  listen: { ip: string; port: number }
  key: string
  processId: () => string
  hosts: OwnHosts
  clock: () => number
  log: Logger
}

/** Messages are gathered for so long: a frame costs the same with one of them or many. */
const GATHER_MS = 20
const BEAT_MS = 1000
/** A process that is so far behind is disconnected: it connects again and gets the current state. */
const BEHIND_BYTES = 64 * 1024 * 1024
const NOT_HERE = 'This API process does not link that host any more. Try again in a few seconds.'

export class ProcessServer implements AsyncDisposable {
  /** 'ip:port'. */
  readonly address: string
  readonly #options: ProcessServerOptions
  readonly #http: ReturnType<typeof createServer>
  readonly #sockets: WebSocketServer
  readonly #readers = new Set<Reader>()
  readonly #heardLinks = new HeardLinks<LinkedHost>()
  readonly #beat: NodeJS.Timeout

  private constructor(options: ProcessServerOptions, http: ReturnType<typeof createServer>) {
    this.#options = options
    this.#http = http
    const { address, port } = http.address() as AddressInfo
    this.address = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
    this.#sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
    http.on('upgrade', (request, socket, head) => {
      // Node no longer hears how it ends, and whoever hangs up now would end this process.
      socket.on('error', () => socket.destroy())
      if (request.url !== PROCESS_PATH || !this.#hasKey(request)) {
        socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n', () => socket.destroy())
        return
      }
      this.#sockets.handleUpgrade(request, socket, head, (reader) => this.#greet(reader))
    })
    this.#beat = setInterval(() => this.#sendBeat(), BEAT_MS)
  }

  /** Throws what listening throws. */
  static async open(options: ProcessServerOptions): Promise<ProcessServer> {
    const http = createServer((_request, response) => response.writeHead(404).end())
    http.listen({ host: options.listen.ip, port: options.listen.port })
    await once(http, 'listening')
    return new ProcessServer(options, http)
  }

  /** `link` is new here, or was taken over. */
  sendSnapshot(link: LinkedHost): void {
    if (link.status.online) this.#heardLinks.noteTakenOver(link)
    this.#sendSnapshotToAll(link)
  }

  /** `link` is one of this process. */
  sendEvent(link: LinkedHost, event: LinkEvent): void {
    if (this.#readers.size === 0) return
    if (event.type === 'hello') return this.#sendSnapshotToAll(link)
    const news = newsOf(link, event)
    if (news !== null) this.#sendToAll({ type: 'news', at: addressText(link.address), news })
  }

  /** The host of this link has given a sign of life. */
  noteHeard(link: LinkedHost): void {
    this.#heardLinks.noteHeard(link)
  }

  sendRefusal(programId: string, refusal: Refusal | null): void {
    this.#sendToAll({ type: 'refusal', programId, refusal })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#beat)
    for (const reader of this.#readers) reader.close()
    this.#sockets.close()
    this.#http.close()
    this.#http.closeAllConnections()
    await once(this.#http, 'close')
  }

  #hasKey({ headers }: IncomingMessage): boolean {
    const given = Buffer.from(headers.authorization ?? '')
    const right = Buffer.from(`Bearer ${this.#options.key}`)
    return given.length === right.length && timingSafeEqual(given, right)
  }

  #greet(socket: WebSocket): void {
    const reader = new Reader(socket)
    this.#readers.add(reader)
    socket.on('close', () => {
      this.#readers.delete(reader)
      reader.endTurns()
    })
    socket.on('error', () => socket.terminate())
    socket.on('message', (data: Buffer) => {
      void this.#asked(reader, JSON.parse(data.toString('utf8')) as ReaderMessage)
    })
    const { processId, clock } = this.#options
    const about = { processId: processId(), version: PROCESS_VERSION, nowMs: clock() }
    reader.sendNow(textOf({ type: 'owner', ...about }))
  }

  async #asked(reader: Reader, message: ReaderMessage): Promise<void> {
    if (message.type === 'watch') {
      await mapInSlices(message.hosts, (host) => {
        const link = this.#options.hosts.ownLink(addressText(host))
        if (link !== undefined) this.#sendSnapshot(reader, link)
      })
      return
    }
    if (message.type === 'release') return reader.endTurn(message.id)
    const { id, question } = message
    const answering =
      question.type === 'turn'
        ? this.#giveTurn(reader, id, question.programId)
        : this.#answerTo(question)
    const answer = await answering.then(
      (result): OwnerMessage => ({ type: 'answer', id, result }),
      (error: unknown): OwnerMessage => ({ type: 'failure', id, failure: this.#failureOf(error) }),
    )
    // After the messages about what it changed: a process with the answer has the new state too.
    reader.sendNow(textOf(answer))
  }

  /** Resolves when the turn has begun. */
  async #giveTurn(reader: Reader, id: number, programId: string): Promise<void> {
    const over = reader.beginTurn(id)
    const begun = Promise.withResolvers<void>()
    void this.#options.hosts.exclusive(programId, async () => {
      begun.resolve()
      await over
    })
    return begun.promise
  }

  async #answerTo(question: Exclude<Question, { type: 'turn' }>): Promise<unknown> {
    const { hosts } = this.#options
    switch (question.type) {
      case 'call':
        if (hosts.ownLink(addressText(question.host)) === undefined) {
          return Promise.reject(new AppError('host_unreachable', NOT_HERE, {}))
        }
        return hosts.call(question.host, question.name, question.params)
      case 'settle':
        return hosts.settle(question.host, question.programIds)
      case 'reach':
        return hosts.reach(question.host, question.redial)
    }
  }

  #failureOf(error: unknown): Failure {
    if (error instanceof HostFault) {
      return { of: 'host', code: error.code, message: error.message }
    }
    if (error instanceof AppError) {
      const { code, message, more } = error
      return { of: 'app', code, message, neutral: more.neutral ?? null }
    }
    this.#options.log.error({ err: error }, 'Another API process could not be answered.')
    const message = 'The API process that links this host failed. Try again.'
    return { of: 'app', code: 'host_unreachable', message, neutral: null }
  }

  #sendSnapshotToAll(link: LinkedHost): void {
    for (const reader of this.#readers) this.#sendSnapshot(reader, link)
  }

  #sendSnapshot(reader: Reader, link: LinkedHost): void {
    const { status, heardAtMs, clockOffsetMs, seatKind, capabilities, health, address } = link
    const all = { status, heardAtMs, clockOffsetMs, seatKind, capabilities, health }
    const { reports } = link
    const known = { reports: reports.all(), transports: reports.transports() }
    const news: HostNews = { type: 'host', ...all, ...known }
    reader.send(textOf({ type: 'news', at: addressText(address), news }))
    for (const [programId, refusal] of this.#options.hosts.refusalsAt(address)) {
      reader.send(textOf({ type: 'refusal', programId, refusal }))
    }
  }

  #sendBeat(): void {
    if (this.#readers.size === 0) return
    const { clock, hosts } = this.#options
    const nowMs = clock()
    const heardAtLeastMs = this.#heardLinks.heardAtLeastMs(
      (link) => link.status.online && hosts.ownLink(addressText(link.address)) === link,
    )
    this.#sendToAll({ type: 'beat', nowMs, heardAtLeastMs: Math.min(nowMs, heardAtLeastMs) })
  }

  /** Serialised once for all readers. */
  #sendToAll(message: OwnerMessage): void {
    if (this.#readers.size === 0) return
    const text = textOf(message)
    for (const reader of this.#readers) reader.send(text)
  }
}

/** One other process. */
class Reader {
  readonly #socket: WebSocket
  readonly #turns = new Map<number, () => void>()
  #gathered: string[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  send(text: string): void {
    this.#gathered.push(text)
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS)
  }

  /** At once, after everything that is gathered. */
  sendNow(text: string): void {
    this.#gathered.push(text)
    this.#flush()
  }

  /** Resolves when the turn is over. */
  async beginTurn(id: number): Promise<void> {
    const turn = Promise.withResolvers<void>()
    this.#turns.set(id, turn.resolve)
    return turn.promise
  }

  endTurn(id: number): void {
    this.#turns.get(id)?.()
    this.#turns.delete(id)
  }

  endTurns(): void {
    for (const id of this.#turns.keys()) this.endTurn(id)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#socket.terminate()
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const frame = `[${this.#gathered.join(',')}]`
    this.#gathered = []
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > BEHIND_BYTES) this.#socket.terminate()
    else this.#socket.send(frame)
  }
}

function textOf(message: OwnerMessage): string {
  return JSON.stringify(message)
}

/** null: another message says it. */
function newsOf(link: LinkedHost, event: Exclude<LinkEvent, { type: 'hello' }>): HostNews | null {
  switch (event.type) {
    case 'status':
      // A host that is back says hello next, which sends everything.
      if (link.status.online) return null
      return { type: 'status', status: link.status, heardAtMs: link.heardAtMs }
    case 'health':
      return { type: 'health', health: link.health }
    case 'program': {
      const report = link.reports.get(event.report.programId)
      return report === undefined ? null : { type: 'program', report }
    }
    case 'readings': {
      const known = event.programIds.flatMap((id) => link.reports.get(id) ?? [])
      const readings = known.flatMap(({ programId, reading }) =>
        reading === null ? [] : [{ programId, reading }],
      )
      const transports = event.transportIds.map((programId) => ({
        programId,
        report: link.reports.transport(programId),
      }))
      if (readings.length === 0 && transports.length === 0) return null
      const readAtMs = link.reports.confirmedAtMs ?? 0
      return { type: 'readings', readAtMs, readings, transports }
    }
    case 'removed':
    case 'restart':
      return event
  }
}
