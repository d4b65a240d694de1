/** The programs that are wanted of all hosts, and the commands to them. The links are the hosts'. */
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import { ERROR_DISABLED, isAlive } from '@trunkline/contract/program-state'
import type { Logger } from 'pino'
import { conflict, notFound } from '../errors.ts'
import type { HostAddress } from '../hosts/host-address.ts'
import type { LinkEvent } from '../hosts/host-link.ts'
import { canTakeChanges } from '../hosts/host-problem.rules.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { FleetSource } from './fleet-source.ts'
import { Reconciler, type ProgramCommand } from './reconcile.ts'
import type { ProgramFilter, ProgramPlace, WantedProgram } from './wanted-program.ts'
import { WantedPrograms } from './wanted-programs.ts'

export interface ProgramsOptions {
  hosts: Hosts
  log: Logger
  clock: () => number
}

/** With 5 s for an answer, a start is given up after 15 s. */
const START_ANSWERS = 3

export class Programs {
  readonly #hosts: Hosts
  readonly #log: Logger
  readonly #wanted: WantedPrograms
  readonly #refreshes = new Map<string, Promise<void>>()
  readonly #reconciler: Reconciler
  readonly #stopFollowing: () => void
  #source: FleetSource | null = null
  /** Resolves once the hosts and what is wanted of them are known. */
  #isOpen: PromiseWithResolvers<void> | null = null

  /** Inert until `open`: no host is dialled, nothing is read. */
  constructor({ hosts, log, clock }: ProgramsOptions) {
    this.#hosts = hosts
    this.#log = log
    this.#wanted = new WantedPrograms((programIds, rescoped) => {
      hosts.tell({ type: 'programs', programIds })
      if (rescoped.length > 0) hosts.tell({ type: 'scope', hosts: [], programIds: rescoped })
    })
    this.#reconciler = new Reconciler({
      log,
      linkOf: (address) => hosts.link(address),
      wanted: this.#wanted,
      clock,
      retainedAt: async (place) => (await this.#source?.retainedAt(place)) ?? null,
      onRefusal: (programId) => hosts.tell({ type: 'programs', programIds: [programId] }),
    })
    this.#stopFollowing = hosts.follow((address, event) => this.#heard(address, event))
  }

  /** From now on `opened` waits for `open`. */
  expectOpening(): void {
    this.#isOpen ??= Promise.withResolvers()
  }

  /** Resolves once it is known what is wanted of which host; at once where nothing is to be opened. */
  async opened(): Promise<void> {
    return this.#isOpen?.promise
  }

  /** Reads what is wanted, then dials every host. Throws when the database cannot be read. */
  async open(source: FleetSource): Promise<void> {
    this.#source = source
    this.#hosts.use(source)
    this.#wanted.use(async (filter) => source.readPrograms(filter))
    // Wanted first: a host that says hello to an empty list would have its programs taken off.
    await this.#wanted.read({ by: 'all' })
    await this.#hosts.sync({ by: 'all' })
    this.#isOpen?.resolve()
  }

  /**
   * After a saved change: reads the wanted programs again and brings them to their hosts. Resolves
   * when the hosts that answer have them. Never throws: the change itself is saved already.
   */
  async refresh(filter: ProgramFilter): Promise<void> {
    const key = JSON.stringify(filter)
    const waiting = this.#refreshes.get(key)
    if (waiting !== undefined) return waiting
    // The service that saved and the notice that it gave ask in one breath: one reading serves both.
    const refresh = Promise.resolve().then(async () => {
      this.#refreshes.delete(key)
      await this.#refresh(filter)
    })
    this.#refreshes.set(key, refresh)
    return refresh
  }

  async #refresh(filter: ProgramFilter): Promise<void> {
    if (this.#source === null) return
    try {
      // Before a link goes with its record. No program of an encoder is kept on a host that it has left.
      if (filter.by !== 'encoder') await this.#dropOutdated()
      if (filter.by === 'encoder' || filter.by === 'server' || filter.by === 'all') {
        await this.#hosts.sync(filter)
      }
      const touched = await this.#wanted.read(filter)
      await Promise.all(touched.map(async (address) => this.#reconciler.settle(address)))
      await Promise.all(this.#hosts.left().map(async ({ address }) => this.#forgetHost(address)))
    } catch (error) {
      this.#log.error({ err: error, filter }, 'wanted programs could not be read again')
    }
  }

  async #dropOutdated(): Promise<void> {
    const addresses = (await this.#source?.dropOutdated()) ?? []
    await Promise.all(addresses.map(async (address) => this.#reconciler.settle(address)))
  }

  wanted(programId: string): WantedProgram | undefined {
    return this.#wanted.get(programId)
  }

  wantedAt(address: HostAddress): readonly WantedProgram[] {
    return this.#wanted.at(address)
  }

  allWanted(): IterableIterator<WantedProgram> {
    return this.#wanted.all()
  }

  refusalOf(wanted: WantedProgram): string {
    return this.#reconciler.refusalOf(wanted)
  }

  /**
   * A person's command. `commit` writes the wanted state down once the host has taken it; a command
   * that the host did not take changes nothing and is not run later (decisions.md 9).
   */
  async command(
    wanted: WantedProgram,
    command: ProgramCommand,
    commit: (report: ProgramReport) => Promise<void>,
  ): Promise<ProgramReport> {
    const { programId } = wanted
    return this.#reconciler.exclusive(programId, async () => {
      const current = await this.#wanted.fresh(programId)
      if (current === undefined && this.#source !== null) throw notFound(wanted.kind)
      if (current?.isEnabled === false) throw conflict(ERROR_DISABLED)
      const report = await this.#reconciler.perform(current ?? wanted, command)
      await this.#writeDown(wanted, async () => commit(report))
      return report
    })
  }

  /** The database wins: what could not be written down is undone on the host. */
  async #writeDown(
    { address, programId }: ProgramPlace,
    write: () => Promise<void>,
  ): Promise<void> {
    try {
      await write()
    } catch (error) {
      void this.#reconciler.settle(address)
      throw error
    }
    await this.#wanted.fresh(programId)
  }

  /**
   * Ends a program on its host for good, then writes that down. `commit` is told whether the host has
   * confirmed it; one that is away is no hindrance. Throws HostFault when the host cannot end it.
   */
  async withdraw(place: ProgramPlace, commit: (isOff: boolean) => Promise<void>): Promise<void> {
    const { address, programId } = place
    await this.#reconciler.exclusive(programId, async () => {
      const isOff = await this.#reconciler.end(address, programId)
      await this.#writeDown(place, async () => commit(isOff))
    })
  }

  /** Starts a program on a host that is not its own yet; throws as `Hosts.call` does. */
  async tryOut(copy: WantedProgram): Promise<ProgramReport> {
    return this.#reconciler.tryOut(copy)
  }

  /** Brings what is wanted to this host, and takes off what is not; never throws. */
  async settle(address: HostAddress): Promise<void> {
    return this.#reconciler.settle(address)
  }

  /** How long a program may take until it runs: some answers' time. */
  get startLimitMs(): number {
    return START_ANSWERS * this.#hosts.callLimitMs
  }

  /** Takes a program off a host that it has left; resolves false when that host is not there. */
  async takeOff(address: HostAddress, programId: string): Promise<boolean> {
    return this.#reconciler.takeOff(address, programId)
  }

  [Symbol.dispose](): void {
    this.#source = null
    this.#hosts.use(null)
    this.#stopFollowing()
    this.#reconciler.close()
  }

  #heard(address: HostAddress, event: LinkEvent): void {
    switch (event.type) {
      case 'hello':
        this.#tellAllOf(address)
        void this.#reconciler.settle(address).then(async () => this.#forgetHost(address))
        return
      case 'status':
        this.#tellAllOf(address)
        return
      case 'health':
        // What its silent supervisor or its full disk did not take before.
        if (canTakeChanges(this.#hosts.problem(address))) void this.#reconciler.settle(address)
        return
      case 'program':
        this.#endStray(address, event.report)
        return
      case 'removed':
        void this.#forgetHost(address)
        return
      case 'readings':
      case 'restart':
        return
    }
  }

  /** Such as what was asked of a host that then fell silent, and that does it after all. */
  #endStray(address: HostAddress, { programId, state }: ProgramReport): void {
    const link = this.#hosts.link(address)
    if (link === undefined || !isAlive(state) || !this.#reconciler.isStray(programId, link)) return
    void this.#reconciler.settle(address)
  }

  /** A left host is kept until it has said itself that nothing of ours is on it. */
  async #forgetHost(address: HostAddress): Promise<void> {
    const link = this.#hosts.link(address)
    if (!this.#hosts.isLeft(address) || link?.status.online !== true) return
    try {
      // What another process has removed may be wanted in our memory still.
      for (const { programId } of link.reports.all()) await this.#wanted.fresh(programId)
      if (this.#reconciler.hasStrays(link)) return void this.#reconciler.settle(address)
      await this.#source?.forgetLeftHost(address)
      await this.#hosts.sync({ by: 'address', address })
      this.#hosts.tell({ type: 'host', address })
    } catch (error) {
      this.#log.error({ err: error, address }, 'a left host could not be forgotten')
    }
  }

  #tellAllOf(address: HostAddress): void {
    const programIds = this.#wanted.at(address).map((each) => each.programId)
    if (programIds.length > 0) this.#hosts.tell({ type: 'programs', programIds })
  }
}
