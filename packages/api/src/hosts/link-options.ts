/** What a link to a host is made of. */
import type { Logger } from 'pino'
import type { DialGuard } from '../security/host-guard.ts'
import type { HostAccess } from './certificates/host-access.ts'
import type { DialPace } from './pace/dial-pace.ts'
import type { TasksInSlices } from '../in-slices.ts'
import type { HostAddress } from './host-address.ts'
import type { HostLink } from './host-link.ts'
import type { LinkedHost, LinkEvent } from './linked-host.ts'
import type { LinkTiming } from './link-timing.ts'

/** Whether this process may act on hosts: on PostgreSQL several share them. */
export interface Lease {
  /** At this very moment, on the host at this address. */
  mayAct(at: string): boolean
  /** As soon as that is known. */
  willAct(at: string): Promise<boolean>
}

export interface LinkOptions {
  address: HostAddress
  access: HostAccess
  timing: LinkTiming
  clock: () => number
  log: Logger
  guard: DialGuard
  /** Shared by all links. */
  pace: DialPace
  /** The same. */
  turns: TasksInSlices
  /** Absent where no other process can have the host. */
  lease?: Lease | undefined
  /** What is known of the host from before. */
  before?: LinkedHost | undefined
  onEvent: (event: LinkEvent) => void
  /** At each sign of life of a host that has said hello. */
  onHeard?: ((link: HostLink) => void) | undefined
}
