/** The identities of the seats that an API links. Players meet a channel server over plain HTTP: it has none. */
import type { AgentConfig, Seat } from '@trunkline/contract/agent/agent-config.schema'
import type { Logger } from 'pino'
import { identityFile } from './identity-file.ts'
import { SeatIdentity } from './seat-identity.ts'

export class SeatIdentities implements Disposable {
  readonly #byOwner: ReadonlyMap<string, SeatIdentity>

  constructor({ dataDir, seats }: AgentConfig, log: Logger) {
    const linked = ownersOf(seats).filter(([seat]) => seat.kind !== 'channel')
    this.#byOwner = new Map(
      linked.map(([, owner]) => [owner, new SeatIdentity(identityFile(dataDir, owner), log)]),
    )
  }

  of(owner: string): SeatIdentity | null {
    return this.#byOwner.get(owner) ?? null
  }

  [Symbol.dispose](): void {
    for (const identity of this.#byOwner.values()) identity[Symbol.dispose]()
  }
}

/** 'encoder-0', 'acants-0', 'acants-1' …: by kind and order, not by port, which may be changed. */
export function ownersOf(seats: readonly Seat[]): [Seat, string][] {
  return seats.map((seat, index) => {
    const before = seats.slice(0, index).filter((other) => other.kind === seat.kind).length
    return [seat, `${seat.kind}-${before}`]
  })
}
