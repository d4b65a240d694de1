/** What of the fleet a person sees, and how much of it. Pure. */
import type { HostStatus } from '@trunkline/contract/fleet/fleet.schema'
import { mayDo } from '@trunkline/contract/role-table'
import type { HostRecord } from '../hosts/host-record.ts'
import type { KnownProgram } from '../programs/wanted-program.ts'
import type { Actor } from '../security/actor.ts'
import { maySeeHost, maySeeProgram, maySeeStream } from './scope.rules.ts'
import type { KnownStream } from './streams/stream-board.ts'

interface FleetPart {
  programs: readonly KnownProgram[]
  hosts: readonly HostRecord[]
  streams: readonly KnownStream[]
}

/** The same object for all who get it, so that it is serialised once. */
const cut = new WeakMap<HostStatus, HostStatus>()

/** The cause of a fault names keys and networks, and a problem may be a weakness: both are for admins. */
export function forRole(actor: Pick<Actor, 'role'>, status: HostStatus): HostStatus {
  if (mayDo(actor.role, 'readFault')) return status
  const known = cut.get(status)
  if (known !== undefined) return known
  const { problem, isEncrypted: _, ...rest } = status
  const isShown = problem !== undefined && problem.kind !== 'command-lines-readable'
  const shown = { ...rest, fault: null, cause: '', ...(isShown ? { problem } : {}) }
  cut.set(status, shown)
  return shown
}

/** Of these what this person sees. */
export function visibleOf(actor: Actor, { programs, hosts, streams }: FleetPart): FleetPart {
  return {
    programs: programs.filter((wanted) => maySeeProgram(actor, wanted)),
    hosts: hosts.filter((record) => maySeeHost(actor, record)),
    streams: streams.filter(({ channel }) => maySeeStream(actor, channel.groupIds)),
  }
}
