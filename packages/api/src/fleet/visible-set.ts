/** Which things a browser has been told of, and what a change of scope means to it. */
import {
  ProgramKind,
  type LiveEvent,
  type LiveSnapshot,
  type ProgramStatus,
  type UnseenThings,
} from '@trunkline/contract/fleet/fleet.schema'
import type { HostKey } from '../hosts/host-record.ts'
import { kindAndId } from '../programs/wanted-program.ts'
import type { ScopeChange } from './board.ts'
import type { StreamKey } from './stream-board.ts'

type ProgramKey = Pick<ProgramStatus, 'kind' | 'id'>

export interface VisibilityChange {
  /** Seen until now, and no longer. */
  lost: UnseenThings
  gained: LiveEvent[]
  /** Encoders and servers that came into sight or went out of it: lists of them are stale. */
  turned: HostKey[]
}

export class VisibleSet {
  readonly #programs = new SeenThings<ProgramKey>(
    ({ kind, id }) => `${kind} ${id}`,
    (key) => {
      const [kind, id] = halves(key)
      return { kind: ProgramKind.parse(kind), id }
    },
  )
  readonly #hosts = new SeenThings<HostKey>(
    ({ kind, id }) => `${kind} ${id}`,
    (key) => {
      const [kind, id] = halves(key)
      return { kind: kind === 'server' ? 'server' : 'encoder', id }
    },
  )
  readonly #streams = new SeenThings<StreamKey>(
    ({ serverId, streamName }) => `${serverId} ${streamName}`,
    (key) => {
      const [serverId, streamName] = halves(key)
      return { serverId, streamName }
    },
  )

  /** After a snapshot: this and nothing else. */
  become(snapshot: LiveSnapshot): void {
    this.#programs.become(snapshot.programs)
    this.#hosts.become(snapshot.hosts)
    this.#streams.become(snapshot.streams)
  }

  seesHost(key: HostKey): boolean {
    return this.#hosts.has(key)
  }

  /** `seen` is what may be seen of the things in `of`, or of everything. */
  change(seen: LiveSnapshot, of: ScopeChange | 'all'): VisibilityChange {
    const programs = of === 'all' ? 'all' : of.programIds.map(kindAndId)
    const [program, host, stream] = [
      this.#programs.change(seen.programs, programs),
      this.#hosts.change(seen.hosts, of === 'all' ? 'all' : of.hosts),
      this.#streams.change(seen.streams, of === 'all' ? 'all' : of.streams),
    ]
    return {
      lost: { programs: program.lost, hosts: host.lost, streams: stream.lost },
      gained: [
        ...program.gained.map((data) => ({ event: 'program' as const, data })),
        ...host.gained.map((data) => ({ event: 'host' as const, data })),
        ...stream.gained.map((data) => ({ event: 'stream' as const, data })),
      ],
      turned: [...host.lost, ...host.gained.map(({ kind, id }) => ({ kind, id }))],
    }
  }
}

/** Held as keys: a viewer of everything holds ten thousands of them. */
class SeenThings<K extends object> {
  readonly #keyOf: (thing: K) => string
  readonly #thingOf: (key: string) => K
  #seen = new Set<string>()

  constructor(keyOf: (thing: K) => string, thingOf: (key: string) => K) {
    this.#keyOf = keyOf
    this.#thingOf = thingOf
  }

  become(things: readonly K[]): void {
    this.#seen = new Set(things.map(this.#keyOf))
  }

  has(thing: K): boolean {
    return this.#seen.has(this.#keyOf(thing))
  }

  change<T extends K>(seen: readonly T[], of: 'all' | readonly K[]): { lost: K[]; gained: T[] } {
    const now = new Map(seen.map((item) => [this.#keyOf(item), item]))
    const asked = new Set(of === 'all' ? this.#seen : of.map(this.#keyOf))
    const lost = [...asked].filter((key) => this.#seen.has(key) && !now.has(key))
    const gained = [...now].filter(([key]) => !this.#seen.has(key))
    for (const key of lost) this.#seen.delete(key)
    for (const [key] of gained) this.#seen.add(key)
    return { lost: lost.map(this.#thingOf), gained: gained.map(([, thing]) => thing) }
  }
}

/** No kind and no server's id has a space in it. */
function halves(key: string): [string, string] {
  const at = key.indexOf(' ')
  return [key.slice(0, at), key.slice(at + 1)]
}
