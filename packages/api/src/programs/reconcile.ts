/**
 * Brings what is wanted to the hosts: the only place that does. The database wins (decisions.md 9):
 * unknown programs are taken off, changed ones written again, and started or stopped as wanted.
 * Commands that a host did not take are never run later.
 */
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import { isAlive } from '@trunkline/contract/program-state'
import { TaskQueues } from '@trunkline/contract/task-queue'
import type { Logger } from 'pino'
import { AppError } from '../errors.ts'
import { HostFault } from '../hosts/host-fault.ts'
import { addressText, isSameAddress, type HostAddress } from '../hosts/host-address.ts'
import type { LinkedHost, SeatKind } from '../hosts/linked-host.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { Refusal } from '../hosts/sharing/process.messages.ts'
import { RelayedLink } from '../hosts/sharing/relayed-link.ts'
import { Refusals } from './refusals.ts'
import type { Retained } from './spared-program.service.ts'
import type { KnownProgram, ProgramPlace, WantedProgram } from './wanted-program.ts'
import type { WantedPrograms } from './wanted-programs.ts'

export interface ReconcileOptions {
  hosts: Hosts
  wanted: WantedPrograms
  /** Why a program that is not wanted there stays all the same; null for the others. */
  retainedAt: (place: ProgramPlace) => Promise<Retained | null>
  clock: () => number
  /** Called when a host refuses a program or takes it after a refusal (null). */
  onRefusal: (programId: string, refusal: Refusal | null) => void
  log: Logger
}

/** A host writes a unit and reloads its supervisor for each; more at once would only queue there. */
const AT_ONCE_PER_HOST = 4
/** A host that is up but silent is tried again after this. */
const RETRY_MS = 5000

export class Reconciler {
  readonly #options: ReconcileOptions
  /** By program. */
  readonly #work = new TaskQueues()
  /** As this process has got them from its hosts, and others from theirs. */
  readonly refusals = new Refusals()
  readonly #running = new Map<string, Promise<void>>()
  /** What the next run of a host looks at. */
  readonly #asked = new Map<string, Asked>()
  readonly #retries = new Map<string, NodeJS.Timeout>()
  #isClosed = false

  constructor(options: ReconcileOptions) {
    this.#options = options
  }

  /**
   * Resolves when the host has what is wanted, or cannot have it now. One run per host at a time. Only
   * the process that has the link does anything: another one has it done.
   * @param programIds that have changed; 'all' after a time without word of the host
   */
  async settle(address: HostAddress, programIds: Asked = 'all'): Promise<void> {
    const link = this.#options.hosts.link(address)
    if (link instanceof RelayedLink) {
      const known = [...this.#options.wanted.at(address), ...link.reports.all()]
      const all = [...new Set(known.map(({ programId }) => programId))]
      return link.settle(programIds === 'all' ? all : [...programIds])
    }
    const at = addressText(address)
    this.#asked.set(at, together(this.#asked.get(at), programIds))
    const running = this.#running.get(at)
    if (running !== undefined) return running
    const run = this.#settleUntilQuiet(address, at)
    this.#running.set(at, run)
    return run
  }

  /**
   * One piece of work on a program at a time, so that a command and a save never cross: neither with
   * what the process does that has the link.
   */
  async exclusive<T>(programId: string, work: () => Promise<T>): Promise<T> {
    const address = this.#options.wanted.get(programId)?.address
    const link = address && this.#options.hosts.link(address)
    if (!(link instanceof RelayedLink)) return this.exclusiveHere(programId, work)
    return link.inTurn(programId, async () => this.exclusiveHere(programId, work))
  }

  /** In this process alone. */
  async exclusiveHere<T>(programId: string, work: () => Promise<T>): Promise<T> {
    return this.#work.add(programId, work)
  }

  /**
   * Brings a program to a host that is not its own yet. Throws HostUnreachable, HostTimeout, or
   * HostFault with the host's words.
   */
  async tryOut(copy: WantedProgram): Promise<ProgramReport> {
    const { programId, revision } = copy
    return this.exclusive(programId, async () => {
      const link = await this.#options.hosts.onlineLink(copy.address, '')
      const report = await this.apply(link, copy)
      // What an earlier trial has left running still has that one's settings.
      if (report.state !== 'running' || report.runningRevision === revision) return report
      return link.call('controlProgram', { programId, command: 'restart' })
    })
  }

  /** Takes a program off a host, whatever is wanted; resolves false when the host is not there. */
  async takeOff(address: HostAddress, programId: string): Promise<boolean> {
    const link = this.#options.hosts.link(address)
    if (link === undefined || !link.status.online) return false
    await this.exclusive(programId, async () => this.#remove(link, programId))
    return true
  }

  /**
   * Ends a program for good. Call it inside `exclusive`. False when its host is away or silent: it is
   * taken off once the host is back, as nobody wants it then. Throws HostFault with the host's words.
   */
  async end(address: HostAddress, programId: string): Promise<boolean> {
    const link = this.#options.hosts.link(address)
    if (link === undefined || !link.status.online) return false
    if (link.reports.get(programId) === undefined) return true
    try {
      await this.#remove(link, programId)
      return true
    } catch (error) {
      if (error instanceof HostFault) throw error
      return false
    }
  }

  /** Something of ours runs there that nobody wants there. */
  hasStrays(link: LinkedHost): boolean {
    return link.reports.all().some(({ programId }) => this.isStray(programId, link))
  }

  close(): void {
    this.#isClosed = true
    for (const timer of this.#retries.values()) clearTimeout(timer)
  }

  async #settleUntilQuiet(address: HostAddress, at: string): Promise<void> {
    await Promise.resolve()
    try {
      for (;;) {
        const asked = this.#asked.get(at)
        if (asked === undefined) return
        this.#asked.delete(at)
        await this.#settleOnce(address, at, asked)
      }
    } finally {
      // In the same turn as the last look at #asked: a call after this starts a run of its own.
      this.#running.delete(at)
    }
  }

  async #settleOnce(address: HostAddress, at: string, asked: Asked): Promise<void> {
    const link = this.#options.hosts.link(address)
    if (link === undefined || !link.status.online) return
    // In one iterator: each is taken once.
    const programIds = this.#toSettle(link, asked).values()
    const worker = async () => {
      for (const programId of programIds) {
        await this.exclusive(programId, async () => this.#settleProgram(link, programId)).catch(
          (error: unknown) => this.#failed(address, at, error),
        )
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE_PER_HOST }, worker))
  }

  /** Strays first: they may hold what others need. Most are as they should be, and cost a look here. */
  #toSettle(link: LinkedHost, asked: Asked): string[] {
    if (asked === 'all') {
      const reported = link.reports.all().map(({ programId }) => programId)
      const wanted = this.#options.wanted.at(link.address).filter((known) => {
        // A command under way may leave it otherwise than it looks now.
        const isBusy = this.#work.has(known.programId)
        return isBusy || !isSettled(known, link.reports.get(known.programId))
      })
      return [
        ...reported.filter((programId) => this.isStray(programId, link)),
        ...wanted.map(({ programId }) => programId),
      ]
    }
    // What was refused before may be possible now: what stood in its way may be what has changed.
    const ids = [...new Set([...asked, ...this.refusals.at(link.address).keys()])]
    const [strays, others] = [[] as string[], [] as string[]]
    for (const id of ids) (this.isStray(id, link) ? strays : others).push(id)
    return [...strays, ...others]
  }

  async #settleProgram(link: LinkedHost, programId: string): Promise<void> {
    if (!this.isStray(programId, link)) return this.#applyWanted(link, programId)
    if (link.reports.get(programId) !== undefined) return this.#removeStray(link, programId)
  }

  /**
   * A silent host is asked again later, and so is one for which the database did not answer; a host that is gone says
   * hello when it comes back.
   */
  #failed(address: HostAddress, at: string, error: unknown): void {
    this.#options.log.warn({ host: at, err: error }, 'a host does not take what is wanted')
    if (error instanceof HostFault) return
    // Online all the same: this process did not know at that moment whether the host is its own still.
    const isOnline = this.#options.hosts.status(address)?.online === true
    if (error instanceof AppError && error.code !== 'host_timeout' && !isOnline) return
    this.#settleLater(address, at, RETRY_MS)
  }

  #settleLater(address: HostAddress, at: string, waitMs: number): void {
    if (this.#isClosed || this.#retries.has(at)) return
    const timer = setTimeout(() => {
      this.#retries.delete(at)
      void this.settle(address)
    }, waitMs)
    this.#retries.set(at, timer)
  }

  /** Of a kind that this seat runs, yet not wanted at this address. A seat tells of its own programs only. */
  isStray(programId: string, link: LinkedHost): boolean {
    if (!SEAT_PROGRAMS[link.seatKind ?? 'channel'].test(programId)) return false
    const wanted = this.#options.wanted.get(programId)
    return wanted === undefined || !isSameAddress(wanted.address, link.address)
  }

  async #removeStray(link: LinkedHost, programId: string): Promise<void> {
    const { address } = link
    // In this order: a copy becomes the wanted program at the moment that it is no longer retained.
    const retained = await this.#options.retainedAt({ address, programId })
    await this.#options.wanted.fresh(programId)
    if (!this.isStray(programId, link)) return
    switch (retained?.as) {
      case undefined:
        return this.#remove(link, programId)
      case 'kept':
        return this.#keepStopped(link, programId)
      case 'copy':
        // Whoever tries it settles the host itself, unless that process has ended by then.
        this.#settleLater(address, addressText(address), retained.untilMs - this.#options.clock())
    }
  }

  /** Its definition stays, and is never started again. */
  async #keepStopped(link: LinkedHost, programId: string): Promise<void> {
    const report = link.reports.get(programId)
    if (report === undefined) return
    if (report.wanted === 'stopped' && !isAlive(report.state)) return
    await link.call('controlProgram', { programId, command: 'stop' })
  }

  async #applyWanted(link: LinkedHost, programId: string): Promise<void> {
    const known = this.#options.wanted.get(programId)
    if (known === undefined || isSettled(known, link.reports.get(programId))) return
    const wanted = await this.#options.wanted.fresh(programId)
    const report = link.reports.get(programId)
    if (wanted === undefined || isSettled(wanted, report)) return
    if (!isSameAddress(wanted.address, link.address)) return
    if (!wanted.isEnabled) return this.#remove(link, programId)
    try {
      const applied = await this.apply(link, wanted)
      if (wanted.wanted === 'stopped' && isAlive(applied.state)) {
        await link.call('controlProgram', { programId, command: 'stop' })
      }
    } catch (error) {
      // Refused in words: kept for whoever looks at the program, and tried again with other settings.
      if (!(error instanceof HostFault)) throw error
      this.#options.log.warn({ programId, reason: error.message }, 'a host refuses a program')
    }
  }

  /** Writes the settings of a program to its host. Call it inside `exclusive`; throws as `tryOut` does. */
  async apply(link: LinkedHost, wanted: WantedProgram): Promise<ProgramReport> {
    const { programId, revision, spec } = wanted
    try {
      const params = { programId, revision, spec, wanted: wanted.wanted }
      const report = await link.call('applyProgram', params)
      if (this.refusals.forget(programId)) this.#options.onRefusal(programId, null)
      return report
    } catch (error) {
      if (error instanceof HostFault) {
        const at = addressText(link.address)
        const refusal = { revision, sentence: error.message, at }
        this.refusals.set(programId, refusal)
        this.#options.onRefusal(programId, refusal)
      }
      throw error
    }
  }

  async #remove(link: LinkedHost, programId: string): Promise<void> {
    this.refusals.forget(programId)
    await link.call('removeProgram', { programId })
    link.forget(programId)
  }
}

type Asked = 'all' | readonly string[]

function together(some: Asked | undefined, others: Asked): Asked {
  if (some === undefined) return others
  return some === 'all' || others === 'all' ? 'all' : [...some, ...others]
}

const SEAT_PROGRAMS: Record<SeatKind, RegExp> = {
  encoder: /^(encoder|feeder)-/,
  acants: /^(input|output)-/,
  // A channel server's programs are its own.
  channel: /^(?!)/,
}

/** The host has what is wanted, or tries by itself to get there. */
function isSettled(wanted: KnownProgram, report: ProgramReport | undefined): boolean {
  if (!wanted.isEnabled) return report === undefined
  if (report?.appliedRevision !== wanted.revision || report.wanted !== wanted.wanted) return false
  // The agent itself tries a fatal program again and again.
  return report.state === 'fatal' || (wanted.wanted === 'running') === isAlive(report.state)
}
