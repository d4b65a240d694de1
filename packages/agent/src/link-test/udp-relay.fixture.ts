/** For tests: stands between the two ends of a link test, and does to packets what a network does. */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'

export interface RelayedPacket {
  direction: 'out' | 'back'
  /** Of the load; else a probe or an echo. */
  isLoad: boolean
  /** Of the load of this direction, from 0. */
  index: number
}

/** 'hold': it comes after the next of its direction. A number: it comes so many ms later. */
type Fate = 'pass' | 'drop' | 'twice' | 'hold' | number

export class UdpRelay implements AsyncDisposable {
  readonly #near = createSocket('udp4')
  readonly #far = createSocket('udp4')
  readonly #target: number
  readonly #fateOf: (packet: RelayedPacket) => Fate
  readonly #counts = { out: 0, back: 0 }
  readonly #held = { out: [] as Buffer[], back: [] as Buffer[] }
  readonly fates: { packet: RelayedPacket; fate: Fate }[] = []
  #caller: RemoteInfo | null = null

  constructor(target: number, fateOf: (packet: RelayedPacket) => Fate) {
    this.#target = target
    this.#fateOf = fateOf
    this.#near.on('message', (bytes, from) => {
      this.#caller = from
      this.#take('out', bytes)
    })
    this.#far.on('message', (bytes) => this.#take('back', bytes))
    // A port that is not open: the packet is lost.
    for (const socket of [this.#near, this.#far]) socket.on('error', () => undefined)
  }

  static async open(target: number, fateOf: (packet: RelayedPacket) => Fate): Promise<UdpRelay> {
    const relay = new UdpRelay(target, fateOf)
    await Promise.all([bound(relay.#near, '127.0.0.1'), bound(relay.#far, '127.0.0.1')])
    return relay
  }

  get port(): number {
    return this.#near.address().port
  }

  count(direction: 'out' | 'back', fate: Fate): number {
    return this.fates.filter((each) => each.packet.direction === direction && each.fate === fate)
      .length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = [this.#near, this.#far].map(async (socket) => once(socket, 'close'))
    this.#near.close()
    this.#far.close()
    await Promise.all(closed)
  }

  #take(direction: 'out' | 'back', bytes: Buffer): void {
    const isLoad = bytes.length > 1000
    const packet = { direction, isLoad, index: isLoad ? this.#counts[direction]++ : -1 }
    const fate = this.#fateOf(packet)
    this.fates.push({ packet, fate })
    if (typeof fate === 'number') return void setTimeout(() => this.#pass(direction, bytes), fate)
    if (fate === 'drop') return
    if (fate === 'hold') return void this.#held[direction].push(bytes)
    this.#pass(direction, bytes)
    if (fate === 'twice') this.#pass(direction, bytes)
    if (isLoad) for (const held of this.#held[direction].splice(0)) this.#pass(direction, held)
  }

  #pass(direction: 'out' | 'back', bytes: Buffer): void {
    const caller = this.#caller
    if (direction === 'out') this.#far.send(bytes, this.#target, '127.0.0.1')
    else if (caller !== null) this.#near.send(bytes, caller.port, caller.address)
  }
}

async function bound(socket: Socket, address: string): Promise<void> {
  socket.bind(0, address)
  await once(socket, 'listening')
}
