/**
 * Holds new connections until they have begun TLS, which costs them a round trip and us no key: of those that say
 * nothing, the oldest make room for newer ones, so that a crowd of them keeps nobody out.
 */
import type { Socket } from 'node:net'
import { networkOf } from '../../security/network.rules.ts'
import { readClientHello } from './client-hello.rules.ts'

export interface HelloGateOptions {
  limits: HelloLimits
  /** Nothing of it was taken from the socket. */
  onHello: (socket: Socket, serverName: string | null) => void
  /** It made room for a newer one, and is closed. */
  onFull: (socket: Socket) => void
}

interface HelloLimits {
  /** How many wait at once. */
  total: number
  /** The same of one address, or of one IPv6 network of /64. */
  ofAddress: number
  silentMs: number
}

interface Waiting {
  network: string
  sinceMs: number
  heard: Buffer
  stop: () => void
}

/** Those whose time is over are closed in pieces. */
const CLOSED_AT_ONCE = 50
const LOOKS = 50

export class HelloGate {
  readonly #options: HelloGateOptions
  /** In the order in which they came. */
  readonly #waiting = new Map<Socket, Waiting>()
  readonly #ofNetwork = new Map<string, Set<Socket>>()
  readonly #timer: NodeJS.Timeout

  constructor(options: HelloGateOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#closeSilent(), options.limits.silentMs / LOOKS)
    this.#timer.unref()
  }

  add(socket: Socket): void {
    const network = networkOf(socket.remoteAddress ?? '')
    this.#makeRoom(network)
    const onReadable = () => this.#read(socket)
    const onEnd = () => socket.destroy()
    const onClose = () => this.#release(socket)
    const stop = () => {
      socket.off('readable', onReadable).off('end', onEnd).off('close', onClose)
    }
    this.#waiting.set(socket, {
      network,
      sinceMs: performance.now(),
      heard: Buffer.alloc(0),
      stop,
    })
    const neighbours = this.#ofNetwork.get(network)
    if (neighbours === undefined) this.#ofNetwork.set(network, new Set([socket]))
    else neighbours.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('readable', onReadable).on('end', onEnd).on('close', onClose)
  }

  close(): void {
    clearInterval(this.#timer)
    for (const socket of this.#waiting.keys()) socket.destroy()
  }

  #makeRoom(network: string): void {
    const { total, ofAddress } = this.#options.limits
    const neighbours = this.#ofNetwork.get(network)
    const isCrowded = neighbours !== undefined && neighbours.size >= ofAddress
    if (!isCrowded && this.#waiting.size < total) return
    const [oldest] = isCrowded ? neighbours : this.#waiting.keys()
    if (oldest === undefined) return
    this.#options.onFull(oldest)
    this.#end(oldest)
  }

  #read(socket: Socket): void {
    const waiting = this.#waiting.get(socket)
    const bytes = socket.read() as Buffer | null
    if (waiting === undefined || bytes === null) return
    waiting.heard = Buffer.concat([waiting.heard, bytes])
    const reading = readClientHello(waiting.heard)
    if (reading.kind === 'incomplete') return
    if (reading.kind === 'none') {
      this.#end(socket)
      return
    }
    this.#release(socket)
    socket.unshift(waiting.heard)
    this.#options.onHello(socket, reading.serverName)
  }

  #closeSilent(): void {
    const beganBeforeMs = performance.now() - this.#options.limits.silentMs
    let closed = 0
    for (const [socket, { sinceMs }] of this.#waiting) {
      if (sinceMs > beganBeforeMs || closed === CLOSED_AT_ONCE) return
      this.#end(socket)
      closed += 1
    }
  }

  #end(socket: Socket): void {
    this.#release(socket)
    socket.destroy()
  }

  #release(socket: Socket): void {
    const waiting = this.#waiting.get(socket)
    if (waiting === undefined) return
    waiting.stop()
    this.#waiting.delete(socket)
    const neighbours = this.#ofNetwork.get(waiting.network)
    neighbours?.delete(socket)
    if (neighbours?.size === 0) this.#ofNetwork.delete(waiting.network)
  }
}
