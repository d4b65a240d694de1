/** The socket of an end of a link test: what it sends and takes, and what it could not send. */
import { createSocket, type Socket } from 'node:dgram'
import { boundSockets, droppedBy } from '../host/free-port.ts'
import { TestPackets, type TestPacket } from './test-packet.ts'

/** The kernel may allow less. */
const BUFFER_BYTES = 4_000_000
/** Behind that much that waits for the network, nothing more is put. */
const MOST_QUEUED_BYTES = 256_000

export interface TestSocketOptions {
  testId: string
  onPacket: (packet: TestPacket, from: { address: string; port: number }) => void
  /** It cannot be opened. */
  onFailure: (reason: string) => void
}

export class TestSocket {
  readonly #packets: TestPackets
  readonly #socket: Socket
  readonly #onFailure: (reason: string) => void
  #state: 'new' | 'open' | 'connecting' | 'connected' | 'closed' = 'new'
  #inode = ''
  /** Why the last packet that could not be sent could not; '' when all were. */
  sendFault = ''

  constructor({ testId, onPacket, onFailure }: TestSocketOptions) {
    this.#packets = new TestPackets(testId)
    this.#onFailure = onFailure
    this.#socket = createSocket({
      type: 'udp4',
      recvBufferSize: BUFFER_BYTES,
      sendBufferSize: BUFFER_BYTES,
    })
    this.#socket.on('error', (error) => this.#failed(error))
    this.#socket.on('message', (bytes, from) => {
      const packet = this.#packets.read(bytes)
      if (packet !== null && this.#state !== 'closed') onPacket(packet, from)
    })
  }

  get isConnected(): boolean {
    return this.#state === 'connected'
  }

  listen(port: number, onOpen: () => void): void {
    this.#socket.bind({ port, exclusive: true }, () => {
      if (this.#state !== 'new') return
      this.#state = 'open'
      onOpen()
    })
  }

  /** From then on the kernel takes packets from there alone. */
  connect(host: string, port: number, onConnected: () => void): void {
    if (this.#state !== 'new' && this.#state !== 'open') return
    this.#state = 'connecting'
    // A callback would get the error instead of the listener for errors.
    this.#socket.once('connect', () => {
      if (this.#state !== 'connecting') return
      this.#state = 'connected'
      this.#inode = inodeAt(this.#socket.address().port)
      onConnected()
    })
    this.#socket.connect(port, host)
  }

  /** False when the network takes no more at the moment. */
  send(packet: TestPacket): boolean {
    if (!this.isConnected || this.#socket.getSendQueueSize() > MOST_QUEUED_BYTES) return false
    this.#socket.send(this.#packets.write(packet))
    return true
  }

  /** Packets that came to this host, but found no room in the socket. */
  dropped(): number {
    return droppedBy(this.#inode) ?? 0
  }

  close(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.#socket.close()
  }

  /** A port that is not open yet, or a firewall, is reported by ICMP: the next packet may come through. */
  #failed(error: Error): void {
    this.sendFault = error.message
    if (this.#state === 'connected' || this.#state === 'closed') return
    this.close()
    this.#onFailure(error.message)
  }
}

function inodeAt(port: number): string {
  return boundSockets().find((socket) => socket.port === port)?.inode ?? ''
}
