/** Connections of whoever is not known yet: so many at once, in all and of one address. */
import type { Socket } from 'node:net'
import { networkOf } from '../../security/network.rules.ts'

export interface PeerLimits {
  /** Of strangers; as many more come from networks that hosts are in. */
  total: number
  /** Of one address, or of one IPv6 network of /64. */
  ofAddress: number
}

interface Place {
  socket: Socket
  network: string
  side: Side
}

/** Strangers take no place from hosts that come back from where they were. */
type Side = 'strangers' | 'hosts'

export class UnknownPeers {
  readonly #limits: PeerLimits
  readonly #isNetworkOfHost: (network: string) => boolean
  readonly #open = new Map<string, Place>()
  readonly #ofNetwork = new Map<string, number>()
  readonly #ofSide: Record<Side, number> = { strangers: 0, hosts: 0 }

  constructor(limits: PeerLimits, isNetworkOfHost: (network: string) => boolean) {
    this.#limits = limits
    this.#isNetworkOfHost = isNetworkOfHost
  }

  /** False beyond a limit; else it counts until it closes or becomes known. */
  admit(socket: Socket): boolean {
    const network = networkOf(socket.remoteAddress ?? '')
    const count = this.#ofNetwork.get(network) ?? 0
    const side = this.#isNetworkOfHost(network) ? 'hosts' : 'strangers'
    if (this.#ofSide[side] >= this.#limits.total || count >= this.#limits.ofAddress) return false
    const place = placeOf(socket)
    this.#open.set(place, { socket, network, side })
    this.#ofNetwork.set(network, count + 1)
    this.#ofSide[side] += 1
    socket.once('close', () => {
      if (this.#open.get(place)?.socket === socket) this.#release(place)
    })
    return true
  }

  /** `socket`: this one, or what speaks TLS over it. */
  becameKnown(socket: Socket): void {
    this.#release(placeOf(socket))
  }

  destroyAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy()
  }

  #release(at: string): void {
    const place = this.#open.get(at)
    if (place === undefined) return
    this.#open.delete(at)
    this.#ofSide[place.side] -= 1
    const left = (this.#ofNetwork.get(place.network) ?? 1) - 1
    if (left === 0) this.#ofNetwork.delete(place.network)
    else this.#ofNetwork.set(place.network, left)
  }
}

function placeOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
