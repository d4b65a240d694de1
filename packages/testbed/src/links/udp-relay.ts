/** A way through a network that can be spoiled, in both directions: cut, slow, or losing packets. */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

export interface UdpRelay extends AsyncDisposable {
  readonly port: number
  /** Cut: nothing passes. */
  isCut: boolean
  /** Of a hundred datagrams so many are lost, evenly: by count, not by chance. */
  lossPercent: number
  /** Of each datagram, one way: the round trip takes twice as long. */
  delayMs: number
  /** That have passed towards the far end. */
  readonly forwarded: number
  readonly lost: number
}

/** As far as the kernel allows: a busy machine must not lose what the test did not ask for. */
const BUFFER_BYTES = 4_000_000

export interface RelayEnds {
  ip: string
  toIp: string
}

const LOOPBACK: RelayEnds = { ip: '127.0.0.1', toIp: '127.0.0.1' }

/** On loopback, from this port to that one. Throws when the port is taken. */
export async function openRelay(
  port: number,
  toPort: number,
  ends: RelayEnds = LOOPBACK,
): Promise<UdpRelay> {
  const relay = new Relay(await bound(port, ends.ip), { ip: ends.toIp, port: toPort })
  relay.start()
  return relay
}

class Relay implements UdpRelay {
  isCut = false
  lossPercent = 0
  delayMs = 0
  forwarded = 0
  lost = 0
  #due = 0
  #isClosed = false
  readonly #near: Socket
  readonly #to: { ip: string; port: number }
  /** The socket that speaks to the far end for a caller, by the caller's address. */
  readonly #far = new Map<string, Promise<Socket>>()

  constructor(near: Socket, to: { ip: string; port: number }) {
    this.#near = near
    this.#to = to
  }

  get port(): number {
    return this.#near.address().port
  }

  start(): void {
    this.#near.on('message', (bytes, from) => {
      if (!this.#passes()) return
      this.forwarded += 1
      const key = `${from.address}:${from.port}`
      const far = this.#far.get(key) ?? this.#openFar(from)
      this.#far.set(key, far)
      void far.then((socket) => this.#later(() => socket.send(bytes, this.#to.port, this.#to.ip)))
    })
  }

  /** In the order in which they came: timers of one length fire in theirs. */
  #later(send: () => void): void {
    if (this.delayMs === 0) send()
    else void pause(this.delayMs).then(() => this.#isClosed || send())
  }

  async #openFar(caller: RemoteInfo): Promise<Socket> {
    const socket = await bound(0, LOOPBACK.ip)
    return socket.on('message', (answer) => {
      if (!this.#passes()) return
      this.#later(() => this.#near.send(answer, caller.port, caller.address))
    })
  }

  #passes(): boolean {
    if (this.isCut) return false
    this.#due += this.lossPercent
    if (this.#due < 100) return true
    this.#due -= 100
    this.lost += 1
    return false
  }

  async [Symbol.asyncDispose]() {
    this.isCut = true
    this.#isClosed = true
    const far = await Promise.all(this.#far.values())
    await Promise.all([this.#near, ...far].map(closed))
  }
}

async function bound(port: number, ip: string): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(port, ip)
  await once(socket, 'listening')
  socket.setRecvBufferSize(BUFFER_BYTES)
  return socket
}

async function closed(socket: Socket): Promise<void> {
  const end = once(socket, 'close')
  socket.close()
  await end
}
