/** Connections that have begun TLS, of whoever is not known yet: so many at once, in all and of one address. */
import type { Socket } from 'node:net'
import { networkOf } from '../../security/network.rules.ts'

export interface PeerLimits {
  /** Of each side. */
  total: Readonly<Record<Side, number>>
  /** Of one address, or of one IPv6 network of /64. */
  ofAddress: number
}

/** What speaks for a connection being of a host, before it has proven it. */
export interface HostSigns {
  isNameOfHost: (serverName: string) => boolean
  isNetworkOfHost: (network: string) => boolean
}

/** Strangers take no place from those that ask by the name of a host, or come from where one was. */
export type Side = 'strangers' | 'hosts'

export interface Place {
  readonly socket: Socket
  readonly side: Side
  /** The server name of a host that it asks by. */
  readonly host: string | null
  /** Whose places are counted together: that, or a network. */
  readonly of: string
}

/** A host that asks by its name is told to come later where all places are taken; others are closed. */
export type NoPlace = 'later' | 'close'

/** A host has one connection under way, and one that it has given up and we have not: a copied name takes no more. */
const OF_NAME = 3

export class UnknownPeers {
  readonly #limits: PeerLimits
  readonly #signs: HostSigns
  readonly #open = new Map<string, Place>()
  readonly #countOf = new Map<string, number>()
  readonly #ofSide: Record<Side, number> = { strangers: 0, hosts: 0 }

  constructor(limits: PeerLimits, signs: HostSigns) {
    this.#limits = limits
    this.#signs = signs
  }

  /** It counts until it closes or becomes known. */
  admit(socket: Socket, serverName: string | null): Place | NoPlace {
    const network = networkOf(socket.remoteAddress ?? '')
    const name = serverName !== null && this.#signs.isNameOfHost(serverName) ? serverName : null
    const side = name !== null || this.#signs.isNetworkOfHost(network) ? 'hosts' : 'strangers'
    const of = name ?? network
    const count = this.#countOf.get(of) ?? 0
    const most = name === null ? this.#limits.ofAddress : OF_NAME
    if (count >= most) return 'close'
    if (this.#ofSide[side] >= this.#limits.total[side]) return name === null ? 'close' : 'later'
    const at = placeOf(socket)
    const place: Place = { socket, side, host: name, of }
    this.#open.set(at, place)
    this.#countOf.set(of, count + 1)
    this.#ofSide[side] += 1
    socket.once('close', () => {
      if (this.#open.get(at) === place) this.#release(at)
    })
    return place
  }

  /** `socket`: the one that was admitted, or what speaks TLS over it. */
  find(socket: Socket): Place | undefined {
    return this.#open.get(placeOf(socket))
  }

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
    const left = (this.#countOf.get(place.of) ?? 1) - 1
    if (left === 0) this.#countOf.delete(place.of)
    else this.#countOf.set(place.of, left)
  }
}

function placeOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
