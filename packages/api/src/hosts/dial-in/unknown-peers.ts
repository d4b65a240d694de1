/** Connections of whoever is not known yet: so many at once, in all and of one address. */
import type { Socket } from 'node:net'
import { networkOf } from '../../security/network.rules.ts'

export interface PeerLimits {
  total: number
  /** Of one address, or of one IPv6 network of /64. */
  ofAddress: number
}

export class UnknownPeers {
  readonly #limits: PeerLimits
  readonly #open = new Map<string, Socket>()
  readonly #ofNetwork = new Map<string, number>()

  constructor(limits: PeerLimits) {
    this.#limits = limits
  }

  /** False beyond a limit; else it counts until it closes or becomes known. */
  admit(socket: Socket): boolean {
    const network = networkOf(socket.remoteAddress ?? '')
    const count = this.#ofNetwork.get(network) ?? 0
    if (this.#open.size >= this.#limits.total || count >= this.#limits.ofAddress) return false
    const place = placeOf(socket)
    this.#open.set(place, socket)
    this.#ofNetwork.set(network, count + 1)
    socket.once('close', () => this.#release(place, network))
    return true
  }

  /** `socket`: this one, or what speaks TLS over it. */
  becameKnown(socket: Socket): void {
    this.#release(placeOf(socket), networkOf(socket.remoteAddress ?? ''))
  }

  destroyAll(): void {
    for (const socket of this.#open.values()) socket.destroy()
  }

  #release(place: string, network: string): void {
    if (!this.#open.delete(place)) return
    const left = (this.#ofNetwork.get(network) ?? 1) - 1
    if (left === 0) this.#ofNetwork.delete(network)
    else this.#ofNetwork.set(network, left)
  }
}

function placeOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
