/** Which things a browser has been told of, and what a change of scope means to it. */
import type { HostStatus, LiveEvent, LiveSnapshot } from '@trunkline/contract/fleet/fleet.schema'

export interface Sight {
  programs: ReadonlySet<string>
  /** Id of the encoder or server, and which of the two it is. */
  hosts: ReadonlyMap<string, HostStatus['kind']>
  streams: ReadonlySet<string>
}

export function sightOf(snapshot: LiveSnapshot): Sight {
  return {
    programs: new Set(snapshot.programs.map(programKey)),
    hosts: new Map(snapshot.hosts.map((host) => [host.id, host.kind])),
    streams: new Set(snapshot.streams.map(streamKey)),
  }
}

export interface ChangeOfSight {
  /** Something that was seen may be seen no longer. */
  lost: boolean
  gained: LiveEvent[]
  /** Encoders and servers that came into sight or went out of it: lists of them are stale. */
  turned: { kind: HostStatus['kind']; id: string }[]
}

export function changeOfSight(before: Sight, snapshot: LiveSnapshot): ChangeOfSight {
  const now = sightOf(snapshot)
  const lostHosts = missing(before.hosts, now.hosts)
  const lost =
    !before.programs.isSubsetOf(now.programs) ||
    lostHosts.length > 0 ||
    !before.streams.isSubsetOf(now.streams)
  const gained: LiveEvent[] = [
    ...snapshot.programs
      .filter((data) => !before.programs.has(programKey(data)))
      .map((data) => ({ event: 'program' as const, data })),
    ...snapshot.hosts
      .filter((data) => !before.hosts.has(data.id))
      .map((data) => ({ event: 'host' as const, data })),
    ...snapshot.streams
      .filter((data) => !before.streams.has(streamKey(data)))
      .map((data) => ({ event: 'stream' as const, data })),
  ]
  return { lost, gained, turned: [...lostHosts, ...missing(now.hosts, before.hosts)] }
}

type SeenHosts = Sight['hosts']

function missing(some: SeenHosts, others: SeenHosts) {
  return [...some].filter(([id]) => !others.has(id)).map(([id, kind]) => ({ id, kind }))
}

function programKey(one: { kind: string; id: string }): string {
  return `${one.kind} ${one.id}`
}

function streamKey(one: { serverId: string; streamName: string }): string {
  return `${one.serverId} ${one.streamName}`
}
