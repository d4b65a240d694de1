/**
 * A host whose link another API process has: that process sends what happens to it, and calls to the
 * host go through that process. When the process is silent, or the link moves, what was known stays
 * with its age for a few seconds; then the host counts as unreachable.
 */
import type {
  HostCallAnswer,
  HostCallName,
  HostCallParams,
} from '@trunkline/contract/agent/host-link.messages'
import { hostAway } from '../../errors.ts'
import type { HostAddress } from '../host-address.ts'
import { linkMoves, processAway } from '../link-fault.ts'
import { LinkedHost, type LinkEvent, type LinkStatus } from '../linked-host.ts'
import type { HostNews, HostSnapshot, Question } from './process.messages.ts'

/** The connection to the process that has the link. */
export interface Carrier {
  /** Of that process. */
  readonly processId: string
  /** Where it listens; '' when nobody has the link yet. */
  readonly address: string
  /** false: it had the link, and is only listened to until the link has moved. */
  readonly isOwner: boolean
  /** Our clock minus the clock of that process. */
  readonly offsetMs: number
  /** All its online hosts have given a sign of life since then, our clock; null: not known. */
  readonly heardAtLeastMs: number | null
  /** Asks for everything of this host, now and at each new connection. */
  watch(host: HostAddress): void
  unwatch(at: string): void
  /** Throws HostUnreachable, HostTimeout, or HostFault with the host's own words. */
  ask(question: Question): Promise<unknown>
  /** Nothing else is done to this program until the answered function is called. Never throws. */
  takeTurn(host: HostAddress, programId: string): Promise<() => void>
}

export interface RelayedLinkOptions {
  address: HostAddress
  carrier: Carrier
  /** What is known of the host from before. */
  before: LinkedHost | undefined
  clock: () => number
  /** How long the last known state is kept while that process sends nothing. */
  graceMs: number
  onEvent: (event: LinkEvent) => void
}

export class RelayedLink extends LinkedHost {
  readonly isOwn = false
  readonly carrier: Carrier
  readonly #options: RelayedLinkOptions
  #clockOffsetMs = 0
  /** Not null until the other process has sent what it knows. */
  #waiting: PromiseWithResolvers<void> | null = null
  #graceTimer: NodeJS.Timeout | undefined
  /** The other process has sent what it knows, and the connection to it holds. */
  #isHeard = false
  #next: LinkedHost | null = null

  constructor(options: RelayedLinkOptions) {
    super(options.address, options.clock(), options.onEvent)
    this.#options = options
    this.carrier = options.carrier
    if (options.before !== undefined) {
      this.continueFrom(options.before)
      this.#clockOffsetMs = options.before.clockOffsetMs
    }
    this.await()
    this.carrier.watch(this.address)
  }

  override get heardAtMs(): number | null {
    const { heardAtLeastMs } = this.carrier
    if (!this.status.online || heardAtLeastMs === null || !this.#isHeard) {
      return this.lastHeardMs
    }
    return Math.max(this.lastHeardMs ?? 0, heardAtLeastMs)
  }

  override get clockOffsetMs(): number {
    return this.#clockOffsetMs
  }

  /** Nothing comes from the other process at the moment. */
  await(): void {
    this.lastHeardMs = this.heardAtMs
    this.#isHeard = false
    if (this.#waiting !== null) return
    this.#waiting = Promise.withResolvers()
    this.#graceTimer = setTimeout(() => this.#giveUp(), this.#options.graceMs)
  }

  hear(news: HostNews): void {
    if (news.type === 'host') return this.#hearAll(news)
    // A change that comes before the snapshot would be applied to an outdated state.
    if (!this.#isHeard) return
    this.reports.offsetMs = this.carrier.offsetMs
    switch (news.type) {
      case 'status':
        this.lastHeardMs = this.#ours(news.heardAtMs)
        return this.#setStatus(news.status)
      case 'health':
        return this.takeHealth(news.health)
      case 'program':
        this.reports.putKnown(news.report)
        return this.onEvent({ type: 'program', report: news.report })
      case 'readings': {
        const readAtMs = this.reports.toApiClock(news.readAtMs)
        const { readings, transports } = news
        const taken = this.reports.read(readings, this.reports.offsetMs, readAtMs, transports)
        return this.onEvent({ type: 'readings', ...taken })
      }
      case 'removed':
        return this.forget(news.programId)
      case 'restart':
        return this.onEvent({ ...news, atMs: this.reports.toApiClock(news.atMs) })
    }
  }

  async call<N extends HostCallName>(
    name: N,
    params: HostCallParams<N>,
  ): Promise<HostCallAnswer<N>> {
    await this.#waiting?.promise
    if (this.#next !== null) return this.#next.call(name, params)
    const host = this.address
    if (!this.status.online) {
      // Reconnects it now, so that a second try succeeds if the host is back.
      void this.#ask({ type: 'reach', host, redial: false })
      throw hostAway(this.status.fault?.sentence ?? '')
    }
    const answer = await this.carrier.ask({ type: 'call', host, name, params })
    return answer as HostCallAnswer<N>
  }

  /** The other process does nothing to the program meanwhile, as long as it can be asked. */
  async inTurn<T>(programId: string, work: () => Promise<T>): Promise<T> {
    await this.#waiting?.promise
    if (this.#next instanceof RelayedLink) return this.#next.inTurn(programId, work)
    if (this.#next !== null) return work()
    const release = await this.carrier.takeTurn(this.address, programId)
    return work().finally(release)
  }

  /** Has the other process bring there what is wanted of these programs; never throws. */
  async settle(programIds: readonly string[]): Promise<void> {
    await this.#waiting?.promise
    if (this.#next instanceof RelayedLink) return this.#next.settle(programIds)
    // Of its own hosts this process settles each as soon as it says hello.
    if (this.#next !== null) return
    await this.#ask({ type: 'settle', host: this.address, programIds })
  }

  async settled(): Promise<LinkStatus> {
    await this.#waiting?.promise
    if (this.#next !== null) return this.#next.settled()
    if (!this.status.online) await this.#ask({ type: 'reach', host: this.address, redial: false })
    return this.status
  }

  redial(): void {
    void this.#ask({ type: 'reach', host: this.address, redial: true })
  }

  /** The link was moved: calls that still wait go on with the next one. */
  continueWith(next: LinkedHost): void {
    this.#next = next
  }

  close(): void {
    this.carrier.unwatch(this.at())
    this.#endWaiting()
  }

  async #ask(question: Question): Promise<void> {
    // A failure shows in the state of the host.
    await this.carrier.ask(question).catch(() => undefined)
  }

  #hearAll(all: HostSnapshot): void {
    this.#isHeard = true
    this.capabilities = all.capabilities
    this.seatKind = all.seatKind
    this.health = all.health
    this.reports.offsetMs = this.carrier.offsetMs
    this.#clockOffsetMs = all.clockOffsetMs + this.carrier.offsetMs
    this.lastHeardMs = this.#ours(all.heardAtMs)
    this.reports.clear()
    for (const report of all.reports) this.reports.putKnown(report)
    const transportIds = this.reports.putTransports(all.transports)
    this.#setStatus(all.status)
    if (this.carrier.isOwner) this.#endWaiting()
    this.onEvent({ type: 'hello' })
    if (transportIds.length > 0) {
      this.onEvent({ type: 'readings', programIds: [], transportIds })
    }
  }

  #setStatus({ online, sinceMs, fault }: LinkStatus): void {
    const status = { online, sinceMs: this.#ours(sinceMs) ?? sinceMs, fault }
    const isNews = JSON.stringify(status) !== JSON.stringify(this.status)
    this.status = status
    if (isNews) this.onEvent({ type: 'status' })
  }

  #giveUp(): void {
    const { clock } = this.#options
    const { address } = this.carrier
    const fault = address === '' ? linkMoves(this.at()) : processAway(this.at(), address)
    this.status = { ...awaySince(this.status, clock()), fault }
    this.#endWaiting()
    this.onEvent({ type: 'status' })
  }

  #endWaiting(): void {
    clearTimeout(this.#graceTimer)
    this.#waiting?.resolve()
    this.#waiting = null
  }

  #ours(otherMs: number | null): number | null {
    return otherMs === null ? null : otherMs + this.carrier.offsetMs
  }
}

function awaySince({ online, sinceMs }: LinkStatus, nowMs: number): Omit<LinkStatus, 'fault'> {
  return { online: false, sinceMs: online ? nowMs : sinceMs }
}
