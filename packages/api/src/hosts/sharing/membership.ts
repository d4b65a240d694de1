/**
 * Which API processes there are, and until when this process may act on the hosts that are its own.
 *
 * A process may act for `leaseMs` from the moment at which it last asked the database for the list
 * of processes and was still in it. The others remove it only after they have seen its count stand
 * still for `silentMs`, which is longer; and one that has come acts on nothing for `silentMs`, in
 * which each of the others has read of it or may not act any more. So two never act on a host at
 * once, whatever the clocks say: each compares only spans of its own (ADR 0039).
 */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { ownerOf } from './host-owner.rules.ts'
import type { ProcessRow, ProcessTable } from './process.store.ts'

export interface ShareTiming {
  beatMs: number
  leaseMs: number
  silentMs: number
}

/** Hosts of a process that died are linked by others within 3 s, the dials included. */
export const SHARE_TIMING: ShareTiming = { beatMs: 300, leaseMs: 1100, silentMs: 1400 }

const START_TRIES = 5

export interface MembershipOptions {
  table: Pick<ProcessTable, 'join' | 'renew' | 'removeSilent' | 'remove'>
  /** Where the others reach this process, 'ip:port'. */
  address: string
  timing: ShareTiming
  log: Logger
  /** Which hosts are whose may have changed. */
  onChange: () => void
}

export class Membership {
  readonly #options: MembershipOptions
  #id = ''
  #rows: ProcessRow[] = []
  /** What each of the others had counted, and since when; by the clock of this process. */
  readonly #counts = new Map<string, { beats: number; sinceMs: number }>()
  #leaseEndsMs = -Infinity
  /** From when on it acts on hosts. */
  #activeFromMs = Infinity
  #timer: NodeJS.Timeout | undefined
  #activating: NodeJS.Timeout | undefined
  #beating: Promise<void> | null = null
  #isLost = false
  #isClosed = false

  private constructor(options: MembershipOptions) {
    this.#options = options
  }

  /** Throws when the database does not answer. */
  static async join(options: MembershipOptions): Promise<Membership> {
    const membership = new Membership(options)
    await membership.#joinAtStart(START_TRIES)
    membership.#beatLater()
    return membership
  }

  /** Another one after the others had to take this process for dead. */
  get id(): string {
    return this.#id
  }

  get others(): readonly ProcessRow[] {
    return this.#rows.filter(({ id }) => id !== this.#id)
  }

  /** Id of the process that links this host, as last read; its own as well before it may act. */
  ownerOf(at: string): string {
    const ids = this.#rows.map(({ id }) => id)
    return ownerOf(at, ids) ?? this.#id
  }

  /** Who links it as long as this process does not. */
  ownerBefore(at: string): string | undefined {
    return ownerOf(
      at,
      this.others.map(({ id }) => id),
    )
  }

  /** It has been here long enough for the others to know. */
  get isActive(): boolean {
    return performance.now() >= this.#activeFromMs
  }

  /** At this very moment. */
  mayAct(at: string): boolean {
    return this.isActive && performance.now() < this.#leaseEndsMs && this.ownerOf(at) === this.#id
  }

  /** The same after the next beat, if it is not so now: this process may only have been busy. */
  async willAct(at: string): Promise<boolean> {
    if (this.mayAct(at)) return true
    if (this.isActive) {
      clearTimeout(this.#timer)
      await this.#beat()
    }
    return this.mayAct(at)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#activating)
    await this.#beating
    // In this order: the others act as soon as it is gone from the list.
    this.#leaseEndsMs = -Infinity
    await this.#options.table.remove(this.#id).catch(() => undefined)
  }

  /** A machine that starts many things at once may take longer than a lease for a connection. */
  async #joinAtStart(tries: number): Promise<void> {
    try {
      await this.#join('at start')
    } catch (error) {
      if (tries === 1) throw error
      await this.#joinAtStart(tries - 1)
    }
  }

  async #join(when: 'at start' | 'again'): Promise<void> {
    const { table, address, timing } = this.#options
    const id = randomUUID()
    this.#activeFromMs = Infinity
    const askedMs = performance.now()
    const rows = await table.join({ id, address })
    this.#id = id
    this.#counts.clear()
    this.#take(rows, askedMs)
    // A database that was restored, or taken over by a replica, may have lost the others' rows.
    const isAlone = this.others.length === 0 && when === 'at start'
    const waitMs = isAlone ? 0 : timing.silentMs
    this.#activeFromMs = performance.now() + waitMs
    clearTimeout(this.#activating)
    if (!isAlone) this.#activating = setTimeout(() => this.#options.onChange(), waitMs + 1)
  }

  #beatLater(): void {
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    const nowMs = performance.now()
    const { beatMs, silentMs } = this.#options.timing
    const dueMs = [...this.#counts.values()].map(({ sinceMs }) => sinceMs + silentMs - nowMs)
    const waitMs = Math.max(beatMs / 10, Math.min(beatMs, ...dueMs))
    this.#timer = setTimeout(() => void this.#beat(), waitMs)
  }

  /** One at a time: who asks meanwhile gets the same. Never throws. */
  async #beat(): Promise<void> {
    this.#beating ??= this.#renew().finally(() => (this.#beating = null))
    return this.#beating
  }

  async #renew(): Promise<void> {
    if (this.#isClosed) return
    const { table, log, onChange } = this.#options
    const before = this.#ids()
    try {
      const askedMs = performance.now()
      const rows = await table.renew(this.#id)
      if (rows.some(({ id }) => id === this.#id)) {
        this.#take(rows, askedMs)
        await this.#removeSilent()
      } else {
        log.warn(
          'The other API processes have taken over: this process did not reach the database.',
        )
        await this.#join('again')
      }
      this.#isLost = false
    } catch (error) {
      if (!this.#isLost) log.warn({ err: error }, 'The list of API processes cannot be read.')
      this.#isLost = true
    }
    if (this.#ids() !== before) onChange()
    this.#beatLater()
  }

  #take(rows: ProcessRow[], askedMs: number): void {
    // After a while without an answer nothing is known of the others: each gets its time anew.
    if (askedMs > this.#leaseEndsMs) this.#counts.clear()
    this.#leaseEndsMs = askedMs + this.#options.timing.leaseMs
    this.#rows = rows
    const nowMs = performance.now()
    for (const { id, beats } of this.others) {
      if (this.#counts.get(id)?.beats !== beats) this.#counts.set(id, { beats, sinceMs: nowMs })
    }
    const ids = new Set(rows.map(({ id }) => id))
    for (const id of this.#counts.keys()) if (!ids.has(id)) this.#counts.delete(id)
  }

  async #removeSilent(): Promise<void> {
    const silentSinceMs = performance.now() - this.#options.timing.silentMs
    for (const row of this.others) {
      const count = this.#counts.get(row.id)
      if (count === undefined || count.sinceMs > silentSinceMs) continue
      if (!(await this.#options.table.removeSilent(row))) continue
      this.#options.log.warn({ process: row.address }, 'An API process is gone.')
      this.#counts.delete(row.id)
      this.#rows = this.#rows.filter(({ id }) => id !== row.id)
    }
  }

  #ids(): string {
    return [this.#id, ...this.others.map(({ id }) => id)].join(' ')
  }
}
