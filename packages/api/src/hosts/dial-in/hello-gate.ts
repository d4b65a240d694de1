/**
 * Holds new connections until they have begun TLS, which costs them a round trip and us no key: of those that say
 * nothing, the oldest make room for newer ones, so that a crowd of them keeps nobody out.
 */
import type { Socket } from 'node:net'
import { networkOf } from '../../security/network.rules.ts'
import { readClientHello } from './client-hello.rules.ts'

export interface HelloGateOptions {
  limits: HelloLimits
  /** `heard`: what was read of it. */
  onHello: (socket: Socket, heard: Buffer, serverName: string | null) => void
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

/** Those whose time is over, or that make room, are closed in pieces. */
const CLOSED_AT_ONCE = 100
const LOOKS = 50
/** Of the event loop: until what a client sends at once has come, and is read. */
const TURNS_TO_BE_READ = 4

export class HelloGate {
  readonly #options: HelloGateOptions
  /** In the order in which they came. */
  readonly #waiting = new Map<Socket, Waiting>()
  readonly #ofNetwork = new Map<string, Set<Socket>>()
  /** Those of a network that may be too many. */
  readonly #crowded = new Set<Set<Socket>>()
  readonly #timer: NodeJS.Timeout
  #willMakeRoom = false

  constructor(options: HelloGateOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#closeSilent(), options.limits.silentMs / LOOKS)
    this.#timer.unref()
  }

  add(socket: Socket): void {
    const { limits } = this.#options
    const network = networkOf(socket.remoteAddress ?? '')
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
    if (neighbours !== undefined && neighbours.size > limits.ofAddress)
      this.#crowded.add(neighbours)
    if (this.#crowded.size > 0 || this.#waiting.size > limits.total) this.#makeRoomSoon()
    socket.on('error', () => socket.destroy())
    socket.on('readable', onReadable).on('end', onEnd).on('close', onClose)
  }

  close(): void {
    clearInterval(this.#timer)
    for (const socket of this.#waiting.keys()) socket.destroy()
  }

  /**
   * Those that come together are accepted together, before anything is read of them: who makes room has had its turn to
   * be read.
   */
  #makeRoomSoon(): void {
    if (this.#willMakeRoom) return
    this.#willMakeRoom = true
    const after = (turns: number) => {
      if (turns > 0) return void setImmediate(() => after(turns - 1))
      this.#willMakeRoom = false
      this.#makeRoom()
    }
    after(TURNS_TO_BE_READ)
  }

  #makeRoom(): void {
    const { total, ofAddress } = this.#options.limits
    let left = CLOSED_AT_ONCE
    for (const neighbours of this.#crowded) {
      left = this.#closeOldest(neighbours, ofAddress, left)
      if (neighbours.size <= ofAddress) this.#crowded.delete(neighbours)
    }
    this.#closeOldest(this.#waiting, total, left)
    if (this.#crowded.size > 0 || this.#waiting.size > total) this.#makeRoomSoon()
  }

  /** Answers how many more may be closed now. */
  #closeOldest(
    oldestFirst: ReadonlySet<Socket> | ReadonlyMap<Socket, unknown>,
    most: number,
    atOnce: number,
  ): number {
    let left = atOnce
    for (const socket of oldestFirst.keys()) {
      if (oldestFirst.size <= most || left === 0) break
      this.#options.onFull(socket)
      this.#end(socket)
      left -= 1
    }
    return left
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
    this.#options.onHello(socket, waiting.heard, reading.serverName)
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
