/** What is known of one host and how it is asked, whichever API process has the link to it. */
import { isDeepStrictEqual } from 'node:util'
import type {
  HostCallAnswer,
  HostCallName,
  HostCallParams,
  HostMessage,
} from '@trunkline/contract/agent/host-link.messages'
import type { Capabilities } from '@trunkline/contract/agent/capability.schema'
import type { HostHealth } from '@trunkline/contract/agent/host-health.schema'
import { addressText, type HostAddress } from './host-address.ts'
import { HostReports, type KnownReport, type NewReadings } from './host-reports.ts'
import type { LinkFault } from './link-fault.ts'

export interface LinkStatus {
  online: boolean
  /** When this began, API clock. */
  sinceMs: number
  /** null when online, and until the first attempt to reach it has ended. */
  fault: LinkFault | null
}

export type LinkEvent =
  | { type: 'status' }
  /** How the host itself is. */
  | { type: 'health' }
  /** The host has said everything it runs. */
  | { type: 'hello' }
  | { type: 'program'; report: KnownReport }
  | { type: 'removed'; programId: string }
  | { type: 'restart'; programId: string; atMs: number; restarts: number; cause: string }
  | ({ type: 'readings' } & NewReadings)

export type SeatKind = Extract<HostMessage, { type: 'hello' }>['seatKind']

export abstract class LinkedHost {
  readonly address: HostAddress
  readonly reports = new HostReports()
  capabilities: Capabilities | null = null
  seatKind: SeatKind | null = null
  status: LinkStatus
  /** As last reported; null of an older agent. */
  health: HostHealth | null = null
  /** Last sign of life of the agent, as far as kept here, API clock. */
  protected lastHeardMs: number | null = null
  protected readonly onEvent: (event: LinkEvent) => void

  protected constructor(address: HostAddress, nowMs: number, onEvent: (event: LinkEvent) => void) {
    this.address = address
    this.onEvent = onEvent
    this.status = { online: false, sinceMs: nowMs, fault: null }
  }

  /** This process has the link. */
  abstract readonly isOwn: boolean

  /** Throws HostUnreachable, HostTimeout, or HostFault with the host's own words. */
  abstract call<N extends HostCallName>(
    name: N,
    params: HostCallParams<N>,
  ): Promise<HostCallAnswer<N>>

  /** Resolves once the host has said hello, or the attempt to reach it that is made now has failed. */
  abstract settled(): Promise<LinkStatus>

  /** Breaks what there is and dials now, whatever the back-off says. */
  abstract redial(): void

  abstract close(): void

  /**
   * Last sign of life of the agent, API clock; null before its first hello. There is no event for
   * it: read it.
   */
  get heardAtMs(): number | null {
    return this.lastHeardMs
  }

  /** API clock minus that host's clock, as last measured. */
  get clockOffsetMs(): number {
    return this.reports.offsetMs
  }

  /** As last reported; null while it does not answer, and of an older agent. */
  get knownHealth(): HostHealth | null {
    return this.status.online ? this.health : null
  }

  /** Round trip in milliseconds; throws as `call` does. */
  async ping(): Promise<number> {
    const startMs = performance.now()
    // The cheapest question there is: a WebSocket ping would measure the socket, not the agent.
    await this.call('probePort', { port: this.address.port })
    return performance.now() - startMs
  }

  /** The host has no such program any more. */
  forget(programId: string): void {
    this.reports.remove(programId)
    this.onEvent({ type: 'removed', programId })
  }

  /** Another carries on: what is known stays known, with its ages, until the host is heard again. */
  continueFrom(before: LinkedHost): void {
    this.capabilities = before.capabilities
    this.seatKind = before.seatKind
    this.status = before.status
    this.health = before.health
    this.lastHeardMs = before.heardAtMs
    this.reports.copyFrom(before.reports)
  }

  /** The same once more is no news. */
  protected takeHealth(health: HostHealth | null): void {
    const isNew = !isDeepStrictEqual(health, this.health)
    this.health = health
    if (isNew) this.onEvent({ type: 'health' })
  }

  protected at(): string {
    return addressText(this.address)
  }
}
