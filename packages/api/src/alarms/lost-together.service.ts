/**
 * Programs that ended with the supervisor of their host: the server stands for all of them, or the first
 * of them where their host is no server.
 */
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { startsAgain } from '@trunkline/contract/paths/hop-reason.rules'
import { seesDisk, STANDING_AT_MOST } from '../fleet/host-hops.ts'
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import { addressText, type HostAddress } from '../hosts/host-address.ts'
import type { KnownReport } from '../hosts/host-reports.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { Programs } from '../programs/programs.ts'
import { kindAndId, programIdOf } from '../programs/wanted-program.ts'
import type { CauseHop } from './cause.rules.ts'

interface Known {
  hosts: Pick<Hosts, 'report' | 'reports' | 'recordsAt' | 'recordsOnMachine' | 'health'>
  programs: Pick<Programs, 'wanted'>
}

/** Those before it by kind and id; none for a program that ended by itself. */
export function lostTogether(known: Known, object: ObjectKey, rule: AlarmRule): CauseHop[] {
  const { kind, id } = object
  if (rule !== 'program-down' || kind === 'server' || kind === 'channel' || kind === 'console')
    return []
  const wanted = known.programs.wanted(programIdOf(kind, id))
  const report = wanted && known.hosts.report(wanted)
  const cause = report?.cause ?? ''
  if (wanted === undefined || !namesSupervisor(cause)) return []
  const seats = seatsOf(known, wanted.address)
  const servers = serversAt(known, seats)
  if (!isOfSupervisor(cause)) return servers
  const reports = seats.flatMap((address) => known.hosts.reports(address))
  const together = firstBefore(
    keyOf(object),
    reports.filter(
      (each) => each.wanted === 'running' && each.state !== 'running' && isOfSupervisor(each.cause),
    ),
  )
  return [...servers, ...together]
}

function serversAt({ hosts }: Known, seats: readonly HostAddress[]): CauseHop[] {
  return seats
    .flatMap((address) => [...hosts.recordsAt(address)])
    .filter(({ kind, answerer }) => kind === 'server' && answerer === 'agent')
    .slice(0, STANDING_AT_MOST)
    .map(({ kind, id }) => ({ kind, id, isTogether: true }))
}

/** The first few by their keys: asked for each program that ended, of which a host has hundreds. */
function firstBefore(key: string, reports: readonly KnownReport[]): CauseHop[] {
  const first: { key: string; hop: CauseHop }[] = []
  for (const { programId } of reports) {
    const hop: CauseHop = { ...kindAndId(programId), isTogether: true }
    const own = keyOf(hop)
    const last = first.length === STANDING_AT_MOST ? first.at(-1)?.key : key
    if (own >= key || (last !== undefined && own >= last)) continue
    const at = first.findIndex((other) => own < other.key)
    first.splice(at === -1 ? first.length : at, 0, { key: own, hop })
    first.length = Math.min(first.length, STANDING_AT_MOST)
  }
  return first.map(({ hop }) => hop)
}

/** In the words of an agent: its supervisor died, or was reloaded, and starts all programs again. */
function isOfSupervisor(cause: string): boolean {
  return namesSupervisor(cause) && startsAgain(cause)
}

function namesSupervisor(cause: string): boolean {
  return cause.includes('(supervisord)')
}

/** One agent has several, which share a supervisor: they see the same disk. */
function seatsOf({ hosts }: Known, own: HostAddress): HostAddress[] {
  const disk = hosts.health(own)?.disk
  if (disk === undefined) return [own]
  const others = hosts
    .recordsOnMachine(own.host)
    .filter((other) => seesDisk({ hosts }, other, disk))
  const all = [own, ...others.map(({ address }) => address)]
  return [...new Map(all.map((address) => [addressText(address), address])).values()]
}
