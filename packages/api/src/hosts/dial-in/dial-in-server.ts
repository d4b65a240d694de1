/**
 * The port that hosts connect to which cannot be dialled (docs/adr/0067): TLS 1.3, and nobody is served
 * but a host with a certificate of the site and a pinned key. Others get one sentence, and nothing that
 * they send is read.
 */
import { constants } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { Server as PlainServer, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContextOptions, TLSSocket } from 'node:tls'
import {
  LINK_CLOCK_HEADER,
  LINK_PATH,
  LINK_REFUSAL_HEADER,
} from '@trunkline/contract/agent/host-link.messages'
import { WebSocketServer, type WebSocket } from 'ws'
import { MAX_MESSAGE_BYTES } from '../certificates/host-socket.ts'
import { TasksInSlices } from '../../in-slices.ts'
import { SocketEnds } from '../pace/socket-end.ts'
import { HelloGate } from './hello-gate.ts'
import { closeAll, listenWidely, type ListenPlace } from './listeners.ts'
import { TlsTurns, type TurnLimits } from './tls-turns.ts'
import { UnknownPeers, type HostSigns, type PeerLimits, type Side } from './unknown-peers.ts'
import { comeLater } from './waiting-line.ts'

/** Why somebody is not let in: `code` for the agent, `sentence` for who reads its log. */
export interface DialInRefusal {
  code: string
  sentence: string
}

export interface DialInServerOptions {
  listen: ListenPlace
  /** Certificate, key and authority; asked again each hour. */
  identity: () => Promise<SecureContextOptions>
  /** Once TLS is set up: null for whoever is known. */
  judge: (socket: TLSSocket) => DialInRefusal | null
  /** Of a host that is known and asks for its link: null for one that may have it here. */
  judgeLink: (socket: TLSSocket) => DialInRefusal | null
  onLink: (link: WebSocket, socket: TLSSocket) => void
  /** It is one too many: closed, and nothing of it was read. */
  onFull: (socket: Socket) => void
  signs: HostSigns
  onFault: (error: unknown) => void
  /** Tests only. */
  limits?: DialInLimits
}

interface DialInLimits extends PeerLimits {
  /** How many have not begun TLS. */
  silent: number
  /** How long the begin of TLS, and later the request for the link, may take. */
  silentMs: number
}

/**
 * A handshake takes a millisecond of CPU, so that those that come together have their turns. All hosts of a large site
 * may wait: each is heard to wait, and its agent waits for as long as it hears that.
 */
const DIAL_IN_LIMITS: DialInLimits = {
  total: { hosts: 10_000, strangers: 100 },
  ofAddress: 30,
  silent: 5000,
  silentMs: 5000,
}
/** Even if all that are under way answer in the same moment, that takes less than 50 ms. */
const TLS_TURNS: Record<Side, TurnLimits> = {
  hosts: { atOnce: 4, atOnceLate: 8, underWay: 24, patienceMs: 2500, signEveryMs: 2000 },
  strangers: { atOnce: 2, atOnceLate: 2, underWay: 8, patienceMs: 750, signEveryMs: null },
}
const RENEW_MS = 3_600_000
/** For a client to read why it was refused. */
const LINGER_MS = 1000
const HEALTH_PATH = '/health'

export class DialInServer implements AsyncDisposable {
  readonly #options: DialInServerOptions
  readonly #peers: UnknownPeers
  readonly #server: Server
  readonly #silentMs: number
  readonly #gate: HelloGate
  readonly #turns: Record<Side, TlsTurns>
  readonly #linkTurns = new TasksInSlices()
  readonly #ends = new SocketEnds(this.#linkTurns)
  readonly #links = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  })
  #others: readonly PlainServer[] = []
  #renewTimer: NodeJS.Timeout | undefined

  private constructor(options: DialInServerOptions, identity: SecureContextOptions) {
    this.#options = options
    const { silent, silentMs, ...limits } = options.limits ?? DIAL_IN_LIMITS
    this.#peers = new UnknownPeers(limits, options.signs)
    this.#server = createServer({
      ...identity,
      ...TLS_1_3,
      requestCert: true,
      rejectUnauthorized: false,
      // Its begin has arrived: a round trip is missing.
      handshakeTimeout: silentMs / 2,
    })
    this.#silentMs = silentMs
    this.#turns = this.#serve()
    const onHello = (socket: Socket, heard: Buffer, name: string | null) =>
      this.#begin(socket, heard, name)
    const gateLimits = { total: silent, ofAddress: limits.ofAddress, silentMs }
    this.#gate = new HelloGate({ limits: gateLimits, onHello, onFull: options.onFull })
  }

  /** Throws what listening throws. */
  static async open(options: DialInServerOptions): Promise<DialInServer> {
    const server = new DialInServer(options, await options.identity())
    await server.#listen()
    return server
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#renewTimer)
    this.#gate.close()
    for (const turns of Object.values(this.#turns)) turns.close()
    for (const link of this.#links.clients) link.terminate()
    this.#peers.destroyAll()
    await closeAll([this.#server, ...this.#others])
  }

  async #listen(): Promise<void> {
    const { listen, identity, onFault } = this.#options
    this.#others = await listenWidely(this.#server, listen, (socket) => this.#gate.add(socket))
    const renew = () =>
      void identity()
        .then((fresh) => this.#server.setSecureContext({ ...fresh, ...TLS_1_3 }))
        .catch(onFault)
    this.#renewTimer = setInterval(renew, RENEW_MS)
    this.#renewTimer.unref()
  }

  #begin(socket: Socket, heard: Buffer, serverName: string | null): void {
    const place = this.#peers.admit(socket, serverName)
    if (typeof place !== 'string') {
      this.#turns[place.side].add({ socket, heard, host: place.host })
      return
    }
    this.#options.onFull(socket)
    if (place === 'later') comeLater(socket)
    else socket.destroy()
  }

  #serve(): Record<Side, TlsTurns> {
    const server = this.#server
    // Node's own: TLS on what connects, then HTTP on what has set up TLS.
    const setUpTls = takeListeners<Socket>(server, 'connection')
    const serveHttp = takeListeners<TLSSocket>(server, 'secureConnection')
    const turns = {
      hosts: new TlsTurns(setUpTls, TLS_TURNS.hosts),
      strangers: new TlsTurns(setUpTls, TLS_TURNS.strangers),
    }
    server.on('connection', (socket: Socket) => this.#gate.add(socket))
    // What was under way closes, which ends its turn.
    server.on('tlsClientError', (_error, socket) => socket.destroy())
    server.on('secureConnection', (socket: TLSSocket) => {
      socket.on('error', () => socket.destroy())
      const place = this.#peers.find(socket)
      if (place !== undefined) turns[place.side].answered(place.socket)
      // All that are under way may answer in the same moment.
      this.#linkTurns.add(() => {
        if (place !== undefined) turns[place.side].end(place.socket)
        if (!socket.destroyed) this.#serveKnown(socket, serveHttp)
      })
    })
    server.on('request', (request, response) => {
      response.setHeader('connection', 'close')
      if (request.url !== HEALTH_PATH) response.statusCode = 404
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ status: request.url === HEALTH_PATH }))
    })
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
    return turns
  }

  #serveKnown(socket: TLSSocket, serveHttp: (socket: TLSSocket) => void): void {
    const refusal = this.#options.judge(socket)
    if (refusal !== null) {
      refuse(socket, refusal)
      return
    }
    this.#closeUnlessKnown(socket)
    serveHttp(socket)
  }

  /** Those that came together are not closed together: each takes a part of a millisecond. */
  #closeUnlessKnown(socket: TLSSocket): void {
    const close = () => {
      if (this.#peers.find(socket) !== undefined) socket.destroy()
    }
    const timer = setTimeout(close, this.#silentMs * (1 - Math.random() / 4))
    socket.once('close', () => clearTimeout(timer))
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const secure = request.socket as TLSSocket
    socket.on('error', () => socket.destroy())
    if (request.url !== LINK_PATH) {
      refuse(socket, { code: 'NOT_FOUND', sentence: 'There is no such link here.' })
      return
    }
    // The key may have been revoked since the handshake.
    const refusal = this.#options.judge(secure) ?? this.#options.judgeLink(secure)
    if (refusal !== null) {
      refuse(socket, refusal)
      return
    }
    this.#links.handleUpgrade(request, socket, head, (link) => {
      this.#peers.becameKnown(secure)
      this.#ends.add(secure)
      this.#options.onLink(link, secure)
    })
  }
}

function takeListeners<T>(server: Server, event: string): (socket: T) => void {
  const listeners = server.listeners(event) as ((socket: T) => void)[]
  server.removeAllListeners(event)
  return (socket) => {
    for (const listener of listeners) listener.call(server, socket)
  }
}

const TLS_1_3 = {
  minVersion: 'TLSv1.3',
  // A session that goes on is one whose certificate is not looked at again.
  secureOptions: constants.SSL_OP_NO_TICKET,
} as const

/** Unread: what a stranger sends costs nothing. */
function refuse(socket: Duplex, { code, sentence }: DialInRefusal): void {
  const body = JSON.stringify({ status: false, error: sentence, msg: sentence })
  const head = [
    `HTTP/1.1 403 ${STATUS_CODES[403]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    `${LINK_REFUSAL_HEADER}: ${code}`,
    `${LINK_CLOCK_HEADER}: ${Date.now()}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
