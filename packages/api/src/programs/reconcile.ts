/**
 * Brings what is wanted to the hosts: the only place that does. The database wins (decisions.md 9):
 * unknown programs are taken off, changed ones written again, and started or stopped as wanted.
 * Commands that a host did not take are never run later.
 */
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import { isAlive } from '@trunkline/contract/program-state'
import type { Logger } from 'pino'
import { AppError, hostAway } from '../errors.ts'
import { HostFault } from '../hosts/host-fault.ts'
import { addressText, isSameAddress, type HostAddress } from '../hosts/host-address.ts'
import type { HostLink, SeatKind } from '../hosts/host-link.ts'
import type { Retained } from './spared-program.service.ts'
import type { ProgramPlace, WantedProgram } from './wanted-program.ts'
import type { WantedPrograms } from './wanted-programs.ts'

export interface ReconcileOptions {
  linkOf: (address: HostAddress) => HostLink | undefined
  wanted: WantedPrograms
  /** Why a program that is not wanted there stays all the same; null for the others. */
  retainedAt: (place: ProgramPlace) => Promise<Retained | null>
  clock: () => number
  /** Told when a host refuses a program or takes it after a refusal. */
  onRefusal: (programId: string) => void
  log: Logger
}

/** A host writes a unit and reloads its supervisor for each; more at once would only queue there. */
const AT_ONCE_PER_HOST = 4
/** A host that is up but silent is tried again after this. */
const RETRY_MS = 5000

export type ProgramCommand = 'start' | 'stop' | 'restart'

export class Reconciler {
  readonly #options: ReconcileOptions
  readonly #locks = new Map<string, Promise<void>>()
  readonly #refusals = new Map<string, { revision: string; sentence: string }>()
  readonly #running = new Map<string, Promise<void>>()
  readonly #again = new Set<string>()
  readonly #retries = new Map<string, NodeJS.Timeout>()
  #isClosed = false

  constructor(options: ReconcileOptions) {
    this.#options = options
  }

  /** Why the host does not take this program's present settings; '' when it does. */
  refusalOf(wanted: WantedProgram): string {
    const refusal = this.#refusals.get(wanted.programId)
    return refusal?.revision === wanted.revision ? refusal.sentence : ''
  }

  /** Resolves when the host has what is wanted, or cannot have it now. One run per host at a time. */
  async settle(address: HostAddress): Promise<void> {
    const at = addressText(address)
    const running = this.#running.get(at)
    if (running !== undefined) {
      this.#again.add(at)
      return running
    }
    const run = this.#settleUntilQuiet(address, at)
    this.#running.set(at, run)
    return run
  }

  /** One piece of work on a program at a time, so that a command and a save never cross. */
  async exclusive<T>(programId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#locks.get(programId) ?? Promise.resolve()
    const result = before.then(work)
    const done = result.then(noop, noop)
    this.#locks.set(programId, done)
    void done.then(() => {
      if (this.#locks.get(programId) === done) this.#locks.delete(programId)
    })
    return result
  }

  /**
   * A person's command, with the saved settings brought along on start and restart. Call it inside
   * `exclusive`. Throws HostUnreachable, HostTimeout, or HostFault with the host's words.
   */
  async perform(wanted: WantedProgram, command: ProgramCommand): Promise<ProgramReport> {
    const link = this.#onlineLink(wanted.address)
    const { programId } = wanted
    if (command === 'stop') return this.#stop(link, wanted)
    const report = link.reports.get(programId)
    const isFresh = report?.appliedRevision === wanted.revision && report.wanted === 'running'
    const wasAlive = report !== undefined && isAlive(report.state)
    if (!isFresh) await this.#apply(link, { ...wanted, wanted: 'running' })
    return link.call('controlProgram', { programId, command: wasAlive ? command : 'start' })
  }

  /** Brings a program to a host that is not its own yet; throws as `perform` does. */
  async tryOut(copy: WantedProgram): Promise<ProgramReport> {
    const { programId, revision } = copy
    return this.exclusive(programId, async () => {
      const link = this.#onlineLink(copy.address)
      const report = await this.#apply(link, copy)
      // What an earlier trial has left running still has that one's settings.
      if (report.state !== 'running' || report.runningRevision === revision) return report
      return link.call('controlProgram', { programId, command: 'restart' })
    })
  }

  /** Takes a program off a host, whatever is wanted; resolves false when the host is not there. */
  async takeOff(address: HostAddress, programId: string): Promise<boolean> {
    const link = this.#options.linkOf(address)
    if (link === undefined || !link.status.online) return false
    await this.exclusive(programId, async () => this.#remove(link, programId))
    return true
  }

  /**
   * Ends a program for good. Call it inside `exclusive`. False when its host is away or silent: it is
   * taken off once the host is back, as nobody wants it then. Throws HostFault with the host's words.
   */
  async end(address: HostAddress, programId: string): Promise<boolean> {
    const link = this.#options.linkOf(address)
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
  hasStrays(link: HostLink): boolean {
    return link.reports.all().some(({ programId }) => this.isStray(programId, link))
  }

  close(): void {
    this.#isClosed = true
    for (const timer of this.#retries.values()) clearTimeout(timer)
  }

  async #stop(link: HostLink, wanted: WantedProgram): Promise<ProgramReport> {
    const { programId } = wanted
    if (link.reports.get(programId) === undefined) {
      return this.#apply(link, { ...wanted, wanted: 'stopped' })
    }
    return link.call('controlProgram', { programId, command: 'stop' })
  }

  #onlineLink(address: HostAddress): HostLink {
    const link = this.#options.linkOf(address)
    if (link?.status.online === true) return link
    const sentence = link?.status.fault?.sentence
    throw hostAway(sentence ?? `The host ${addressText(address)} is not connected.`)
  }

  async #settleUntilQuiet(address: HostAddress, at: string): Promise<void> {
    await Promise.resolve()
    try {
      do {
        this.#again.delete(at)
        await this.#settleOnce(address, at)
      } while (this.#again.has(at))
    } finally {
      // In the same turn as the last look at #again: a call after this starts a run of its own.
      this.#running.delete(at)
    }
  }

  async #settleOnce(address: HostAddress, at: string): Promise<void> {
    const link = this.#options.linkOf(address)
    if (link === undefined || !link.status.online) return
    const wanted = this.#options.wanted.at(address)
    const strays = link.reports.all().filter((report) => this.isStray(report.programId, link))
    const tasks = [
      ...strays.map(({ programId }) => ({
        programId,
        act: async () => this.#removeStray(link, programId),
      })),
      ...wanted.map(({ programId }) => ({
        programId,
        act: async () => this.#applyWanted(link, programId),
      })),
    ]
    const worker = async () => {
      for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
        await this.exclusive(task.programId, task.act).catch((error: unknown) => {
          this.#failed(address, at, error)
        })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE_PER_HOST }, worker))
  }

  /**
   * A silent host is asked again later, and so is one for which the database did not answer; a host that is gone says
   * hello when it comes back.
   */
  #failed(address: HostAddress, at: string, error: unknown): void {
    this.#options.log.warn({ host: at, err: error }, 'a host does not take what is wanted')
    if (error instanceof HostFault) return
    if (error instanceof AppError && error.code !== 'host_timeout') return
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
  isStray(programId: string, link: HostLink): boolean {
    if (!SEAT_PROGRAMS[link.seatKind ?? 'channel'].test(programId)) return false
    const wanted = this.#options.wanted.get(programId)
    return wanted === undefined || !isSameAddress(wanted.address, link.address)
  }

  async #removeStray(link: HostLink, programId: string): Promise<void> {
    const { address } = link
    // In this order: a copy becomes the wanted program in the moment that it is spared no longer.
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
  async #keepStopped(link: HostLink, programId: string): Promise<void> {
    const report = link.reports.get(programId)
    if (report === undefined) return
    if (report.wanted === 'stopped' && !isAlive(report.state)) return
    await link.call('controlProgram', { programId, command: 'stop' })
  }

  async #applyWanted(link: HostLink, programId: string): Promise<void> {
    const known = this.#options.wanted.get(programId)
    if (known === undefined || isSettled(known, link.reports.get(programId))) return
    const wanted = await this.#options.wanted.fresh(programId)
    const report = link.reports.get(programId)
    if (wanted === undefined || isSettled(wanted, report)) return
    if (!isSameAddress(wanted.address, link.address)) return
    if (!wanted.isEnabled) return this.#remove(link, programId)
    try {
      const applied = await this.#apply(link, wanted)
      if (wanted.wanted === 'stopped' && isAlive(applied.state)) {
        await link.call('controlProgram', { programId, command: 'stop' })
      }
    } catch (error) {
      // Refused in words: kept for whoever looks at the program, and tried again with other settings.
      if (!(error instanceof HostFault)) throw error
      this.#options.log.warn({ programId, reason: error.message }, 'a host refuses a program')
    }
  }

  async #apply(link: HostLink, wanted: WantedProgram): Promise<ProgramReport> {
    const { programId, revision, spec } = wanted
    try {
      const params = { programId, revision, spec, wanted: wanted.wanted }
      const report = await link.call('applyProgram', params)
      if (this.#refusals.delete(programId)) this.#options.onRefusal(programId)
      return report
    } catch (error) {
      if (error instanceof HostFault) {
        this.#refusals.set(programId, { revision, sentence: error.message })
        this.#options.onRefusal(programId)
      }
      throw error
    }
  }

  async #remove(link: HostLink, programId: string): Promise<void> {
    this.#refusals.delete(programId)
    await link.call('removeProgram', { programId })
    link.forget(programId)
  }
}

const SEAT_PROGRAMS: Record<SeatKind, RegExp> = {
  encoder: /^(encoder|feeder)-/,
  acants: /^(input|output)-/,
  // A channel server's programs are its own.
  channel: /^(?!)/,
}

/** The host has what is wanted, or tries by itself to get there. */
function isSettled(wanted: WantedProgram, report: ProgramReport | undefined): boolean {
  if (!wanted.isEnabled) return report === undefined
  if (report?.appliedRevision !== wanted.revision || report.wanted !== wanted.wanted) return false
  // The agent itself tries a fatal program again and again.
  return report.state === 'fatal' || (wanted.wanted === 'running') === isAlive(report.state)
}

function noop(): void {}
