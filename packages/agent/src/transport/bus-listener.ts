/** Receives one multicast group of the local bus, in addition to its other readers. */
import { createSocket, type Socket } from 'node:dgram'
import { boundSockets, droppedBy, socketsOf, type UdpAddress } from '../host/free-port.ts'
import { PACKET_BYTES, TransportParser } from './transport-parser.ts'
import type { ListenerAnswer } from './listener.messages.ts'

const LOOPBACK = '127.0.0.1'
/** The kernel may allow less. */
const RECEIVE_BUFFER_BYTES = 2_000_000

export interface BusListenerOptions {
  leg: UdpAddress
  windowMs: number
  keepsPackets: boolean
  /** `isWhole`: nothing was lost on the way from the kernel to us. */
  onWindow: (taken: TakenWindow) => void
  onFailure: (reason: string) => void
}

type TakenWindow = Omit<Extract<ListenerAnswer, { type: 'window' }>, 'type' | 'key'>

/** Two seconds at 16 Mbit/s: of a faster stream the first part is kept. */
const KEPT_BYTES = 4_000_000

export class BusListener {
  readonly #options: BusListenerOptions
  readonly #socket: Socket
  #timer: NodeJS.Timeout | undefined
  #inode = ''
  #dropped = 0
  #kept: Buffer[] = []
  #keptBytes = 0

  constructor(options: BusListenerOptions) {
    this.#options = options
    this.#socket = createSocket({
      type: 'udp4',
      reuseAddr: true,
      recvBufferSize: RECEIVE_BUFFER_BYTES,
    })
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.bind(options.leg.port, options.leg.ip, () => this.#open())
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#socket.removeAllListeners('message')
    // One that failed to bind is closed already.
    try {
      this.#socket.close()
    } catch {
      // Nothing is left to be closed.
    }
  }

  #open(): void {
    const { leg, windowMs, keepsPackets, onWindow } = this.#options
    try {
      this.#socket.addMembership(leg.ip, LOOPBACK)
    } catch (error) {
      return this.#fail(error)
    }
    this.#inode = inodeOf(leg)
    const parser = new TransportParser(nowMs())
    this.#socket.on('message', (bytes) => {
      parser.push(bytes, nowMs())
      if (keepsPackets) this.#keep(bytes)
    })
    this.#timer = setInterval(() => {
      const window = parser.take(nowMs())
      onWindow({ window, isWhole: this.#isWhole(), packets: keepsPackets ? this.#taken() : null })
    }, windowMs)
  }

  /** Without what stands before the first packet, as a header of RTP. */
  #keep(bytes: Buffer): void {
    if (this.#keptBytes + bytes.length > KEPT_BYTES) return
    const packets = bytes.subarray(bytes.length % PACKET_BYTES)
    this.#kept.push(packets)
    this.#keptBytes += packets.length
  }

  #taken(): Uint8Array<ArrayBuffer> {
    const packets = new Uint8Array(this.#keptBytes)
    let at = 0
    for (const part of this.#kept) {
      packets.set(part, at)
      at += part.length
    }
    this.#kept = []
    this.#keptBytes = 0
    return packets
  }

  #isWhole(): boolean {
    const before = this.#dropped
    this.#dropped = droppedBy(this.#inode) ?? before
    return this.#dropped === before
  }

  #fail(error: unknown): void {
    this[Symbol.dispose]()
    this.#options.onFailure(error instanceof Error ? error.message : String(error))
  }
}

/** Of our own socket among those that are bound there. */
function inodeOf({ ip, port }: UdpAddress): string {
  const own = new Set(socketsOf(process.pid))
  const bound = boundSockets().find(
    (socket) => socket.ip === ip && socket.port === port && own.has(socket.inode),
  )
  return bound?.inode ?? ''
}

/** Milliseconds since 1970 by a clock that is never set. */
function nowMs(): number {
  return performance.timeOrigin + performance.now()
}
