/**
 * What API processes send each other about the hosts that they link. A reader connects to each other
 * process, the owner of its hosts. The owner sends what happens to the hosts that are watched, and
 * carries out what it is asked. Times are by the owner's clock. A frame is a JSON array of messages.
 */
import type { HostCallName } from '@trunkline/contract/agent/host-link.messages'
import type { Capabilities } from '@trunkline/contract/agent/capability.schema'
import type { HostHealth } from '@trunkline/contract/agent/host-health.schema'
import type { FailureCode } from '@trunkline/contract/failure.schema'
import type { HostAddress } from '../host-address.ts'
import type { HostFault } from '../host-fault.ts'
import type { HostReading, HostTransport, KnownReport } from '../host-reports.ts'
import type { LinkEvent, LinkStatus, SeatKind } from '../linked-host.ts'

export const PROCESS_PATH = '/hosts'
/** Processes with another number do not talk to each other. */
export const PROCESS_VERSION = 1

/** Why a host does not take the settings of this revision of a program. */
export interface Refusal {
  revision: string
  sentence: string
  /** That host, 'host:port'. */
  at: string
}

/** Everything that is known of one host. */
export interface HostSnapshot {
  status: LinkStatus
  heardAtMs: number | null
  clockOffsetMs: number
  seatKind: SeatKind | null
  capabilities: Capabilities | null
  health: HostHealth | null
  reports: readonly KnownReport[]
  transports: readonly HostTransport[]
}

export type HostNews =
  | ({ type: 'host' } & HostSnapshot)
  | { type: 'status'; status: LinkStatus; heardAtMs: number | null }
  | { type: 'health'; health: HostHealth | null }
  | { type: 'program'; report: KnownReport }
  | {
      type: 'readings'
      readAtMs: number
      readings: HostReading[]
      transports: HostTransport[]
    }
  | Extract<LinkEvent, { type: 'removed' | 'restart' }>

export type OwnerMessage =
  /** The first of each connection. */
  | { type: 'owner'; processId: string; version: number; nowMs: number }
  /** Each second. `heardAtLeastMs`: since then each host that is online has given a sign of life. */
  | { type: 'beat'; nowMs: number; heardAtLeastMs: number }
  | { type: 'news'; at: string; news: HostNews }
  | { type: 'refusal'; programId: string; refusal: Refusal | null }
  | { type: 'answer'; id: number; result: unknown }
  | { type: 'failure'; id: number; failure: Failure }

/** `app`: an AppError. `host`: a HostFault, the host's own words. */
export type Failure =
  | { of: 'app'; code: FailureCode; message: string; neutral: string | null }
  | { of: 'host'; code: HostFault['code']; message: string }

export type ReaderMessage =
  /** Send everything known of these hosts, as far as they are the owner's. */
  | { type: 'watch'; hosts: readonly HostAddress[] }
  | { type: 'ask'; id: number; question: Question }
  /** The turn with this id is over. */
  | { type: 'release'; id: number }

export type Question =
  | { type: 'call'; host: HostAddress; name: HostCallName; params: unknown }
  /** What is wanted of these programs has changed: bring it there, and answer when that is done. */
  | { type: 'settle'; host: HostAddress; programIds: readonly string[] }
  /** Answered when nothing else is done to this program; nothing else is, until the release. */
  | { type: 'turn'; host: HostAddress; programId: string }
  /** Dial now, and answer when it is known whether the host is there. */
  | { type: 'reach'; host: HostAddress; redial: boolean }
