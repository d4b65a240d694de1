/** Events of hosts and their programs. */
import type { HostAddress } from './host-address.ts'
import type { RescopedHost } from './host-record.ts'

export type HostsEvent =
  /** Something of these programs is new: what is wanted, or what the host says. */
  | { type: 'programs'; programIds: readonly string[] }
  /** Only their readings are new. */
  | { type: 'readings'; programIds: readonly string[] }
  /** What was measured of the transport streams of these programs is new. */
  | { type: 'transports'; programIds: readonly string[] }
  /** As the host at this address says: of a program that is not its own it counts for nothing. */
  | {
      type: 'restart'
      address: HostAddress
      programId: string
      atMs: number
      restarts: number
      cause: string
    }
  /** A link came or went. */
  | { type: 'host'; address: HostAddress }
  /** These records or programs came, went, or changed the people that may see them. */
  | { type: 'scope'; hosts: readonly RescopedHost[]; programIds: readonly string[] }
