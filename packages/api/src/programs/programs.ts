/** The programs that are wanted of all hosts, and the commands to them. The links are the hosts'. */
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import { isAlive } from '@trunkline/contract/program-state'
import type { Logger } from 'pino'
import { addressText, type HostAddress } from '../hosts/host-address.ts'
import type { LinkedHost, LinkEvent } from '../hosts/linked-host.ts'
import { canTakeChanges } from '../hosts/host-problem.rules.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { SharedPrograms } from '../hosts/sharing/host-sharing.ts'
import type { Refusal } from '../hosts/sharing/process.messages.ts'
import type { FleetSource } from './fleet-source.ts'
import { ProgramPublisher } from './program-publisher.ts'
import { Reconciler } from './reconcile.ts'
import type { KnownProgram, ProgramFilter, ProgramPlace, WantedProgram } from './wanted-program.ts'
import { WantedPrograms } from './wanted-programs.ts'

export interface ProgramsOptions {
  hosts: Hosts
  log: Logger
  clock: () => number
}

/** With 5 s for an answer, a start is given up after 15 s. */
const START_ANSWERS = 3

export class Programs implements SharedPrograms {
  readonly #hosts: Hosts
  readonly #log: Logger
  readonly #wanted: WantedPrograms
  readonly #refreshes = new Map<string, { isOurs: boolean; done: Promise<void> }>()
  readonly #publisher: ProgramPublisher
  readonly #reconciler: Reconciler
  readonly #stopFollowing: () => void
  /** How many stops wait for their turn, or are being carried out, by program. */
  readonly #stops = new Map<string, number>()
  #source: FleetSource | null = null
  #isEnding = false
  /** Resolves once the hosts and what is wanted of them are known. */
  #isOpen: PromiseWithResolvers<void> | null = null

  /** Inert until `open`: no host is dialled, nothing is read. */
  constructor({ hosts, log, clock }: ProgramsOptions) {
    this.#hosts = hosts
    this.#log = log
    this.#publisher = new ProgramPublisher((programIds) =>
      hosts.publish({ type: 'programs', programIds }),
    )
    this.#wanted = new WantedPrograms((programIds, rescoped) => {
      hosts.publish({ type: 'programs', programIds })
      if (rescoped.length > 0) hosts.publish({ type: 'scope', hosts: [], programIds: rescoped })
    })
    this.#reconciler = new Reconciler({
      log,
      hosts,
      wanted: this.#wanted,
      clock,
      retainedAt: async (place) => (await this.#source?.retainedAt(place)) ?? null,
      onRefusal: (programId, refusal) => {
        hosts.publish({ type: 'programs', programIds: [programId] })
        hosts.sendRefusal(programId, refusal)
      },
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
    this.#wanted.use(source)
    // Wanted first: a host that says hello to an empty list would have its programs taken off.
    await this.#wanted.readAll()
    if (this.#isEnding) return
    await this.#hosts.sync({ by: 'all' })
    if (!this.#isEnding) this.#isOpen?.resolve()
  }

  /** The process ends: what is still to be read of a large site, and to be dialled, is left. Who waits for it waits for ever. */
  stopOpening(): void {
    this.#isEnding = true
    this.#wanted.stopReadingAll()
    this.#hosts.use(null)
  }

  /**
   * After a saved change: reads the wanted programs again and brings them to their hosts. Resolves
   * when the hosts that answer have them. Never throws: the change itself is saved already.
   */
  async refresh(filter: ProgramFilter): Promise<void> {
    return this.#refreshSoon(filter, true)
  }

  /** As `refresh`, after a notice: other processes hear it too, and bring it to the hosts that are theirs. */
  async follow(filter: ProgramFilter): Promise<void> {
    return this.#refreshSoon(filter, false)
  }

  /**
   * After a saved change that leaves the wanted programs as they are: the hosts get what they have not
   * taken yet. Never throws.
   */
  async settleOwner(ownerKind: KnownProgram['ownerKind'], ownerId: string): Promise<void> {
    try {
      await this.#settleSome(this.wantedOf(ownerKind, ownerId))
    } catch (error) {
      this.#log.error({ err: error, ownerKind, ownerId }, 'programs could not be settled')
    }
  }

  async #refreshSoon(filter: ProgramFilter, isOurs: boolean): Promise<void> {
    const key = JSON.stringify(filter)
    const waiting = this.#refreshes.get(key)
    if (waiting !== undefined) {
      waiting.isOurs ||= isOurs
      return waiting.done
    }
    // The service that saved and the notice that it gave ask in one breath: one reading serves both.
    const refresh = {
      isOurs,
      done: Promise.resolve().then(async () => {
        this.#refreshes.delete(key)
        await this.#refresh(filter, refresh.isOurs)
      }),
    }
    this.#refreshes.set(key, refresh)
    return refresh.done
  }

  /** `isOurs`: saved by this process, which waits for the hosts of other processes as well. */
  async #refresh(filter: ProgramFilter, isOurs: boolean): Promise<void> {
    if (this.#source === null) return
    try {
      // Before a link goes with its record. No program of an encoder is kept on a host that it has left.
      if (filter.by !== 'encoder') await this.#dropOutdated()
      if (filter.by === 'encoder' || filter.by === 'server' || filter.by === 'all') {
        await this.#hosts.sync(filter)
      }
      if (filter.by === 'all') {
        const own = (await this.#wanted.readAll()).filter((address) => this.#hosts.isOwn(address))
        await this.#settleAll(own)
      } else {
        const touched = await this.#wanted.read(filter)
        await this.#settleSome(
          touched.filter(({ address }) => isOurs || this.#hosts.isOwn(address)),
        )
      }
      await Promise.all(this.#hosts.left().map(async ({ address }) => this.#forgetHost(address)))
    } catch (error) {
      this.#log.error({ err: error, filter }, 'wanted programs could not be read again')
    }
  }

  /** Whoever has them forgotten settles their hosts, also those of other processes. */
  async #dropOutdated(): Promise<void> {
    await this.#settleAll((await this.#source?.dropOutdated()) ?? [])
  }

  async #settleAll(addresses: readonly HostAddress[]): Promise<void> {
    await Promise.all(addresses.map(async (address) => this.#reconciler.settle(address)))
  }

  /** A host may have thousands beside these. */
  async #settleSome(places: readonly ProgramPlace[]): Promise<void> {
    const byHost = Map.groupBy(places, ({ address }) => addressText(address)).values()
    await Promise.all(
      [...byHost].map(async (some) => {
        const [first] = some
        if (first === undefined) return
        await this.#reconciler.settle(
          first.address,
          some.map(({ programId }) => programId),
        )
      }),
    )
  }

  wanted(programId: string): KnownProgram | undefined {
    return this.#wanted.get(programId)
  }

  /** An encoder with its feeders; an input with its outputs. */
  wantedOf(ownerKind: KnownProgram['ownerKind'], ownerId: string): readonly KnownProgram[] {
    return this.#wanted.ofOwner(ownerKind, ownerId)
  }

  allWanted(): IterableIterator<KnownProgram> {
    return this.#wanted.all()
  }

  refusalOf(wanted: Pick<KnownProgram, 'programId' | 'revision'>): string {
    return this.#reconciler.refusals.sentenceOf(wanted)
  }

  /** One piece of work on a program at a time, so that a command and a save never cross. */
  async exclusive<T>(programId: string, work: () => Promise<T>): Promise<T> {
    return this.#reconciler.exclusive(programId, work)
  }

  /** The same, in this process alone: another one has asked for it. */
  async exclusiveHere(programId: string, work: () => Promise<void>): Promise<void> {
    return this.#reconciler.exclusiveHere(programId, work)
  }

  /** `work` carries out the stop, in its turn. */
  async whileStopIsAsked<T>(programId: string, work: () => Promise<T>): Promise<T> {
    this.#stops.set(programId, this.#stopsOf(programId) + 1)
    try {
      return await work()
    } finally {
      const left = this.#stopsOf(programId) - 1
      if (left > 0) this.#stops.set(programId, left)
      else this.#stops.delete(programId)
    }
  }

  /** A stop asked of another API process is known only once it is carried out. */
  isStopAsked(programId: string): boolean {
    return this.#stops.has(programId)
  }

  #stopsOf(programId: string): number {
    return this.#stops.get(programId) ?? 0
  }

  /** A program as it is wanted now: what `load` reads is what is known of it from here on. */
  async take<T extends { wanted: WantedProgram }>(load: () => Promise<T>): Promise<T> {
    return this.#wanted.take(load)
  }

  /** Writes the settings of a program to its host; throws as `Hosts.call` does. */
  async apply(link: LinkedHost, wanted: WantedProgram): Promise<ProgramReport> {
    return this.#reconciler.apply(link, wanted)
  }

  /** After a command to this program was written down. */
  async noteCommand(programId: string, isWanted: boolean): Promise<void> {
    return this.#wanted.noteCommand(programId, isWanted)
  }

  /** What a host has done is written down. The database wins: what cannot be is undone on the host. */
  async writeDown<T>(address: HostAddress, write: () => Promise<T>): Promise<T> {
    try {
      return await write()
    } catch (error) {
      void this.#reconciler.settle(address)
      throw error
    }
  }

  /**
   * Ends a program on its host for good, then writes that down. The argument of `commit` is whether
   * the host has confirmed it; an unreachable host does not prevent it. Throws HostFault when the
   * host cannot end it.
   */
  async withdraw(place: ProgramPlace, commit: (isOff: boolean) => Promise<void>): Promise<void> {
    const { address, programId } = place
    await this.#reconciler.exclusive(programId, async () => {
      const isOff = await this.#reconciler.end(address, programId)
      await this.writeDown(address, async () => commit(isOff))
      await this.#wanted.fresh(programId)
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

  /** Another process has changed what is wanted there, and waits until the host has it. */
  async settleThese(address: HostAddress, programIds: readonly string[]): Promise<void> {
    await this.#wanted.read({ by: 'programs', programIds })
    // Not handed on: two that each take the other for the owner would ask each other for ever.
    if (this.#hosts.isOwn(address)) await this.#reconciler.settle(address, programIds)
  }

  /** Why this host does not take some of its programs. */
  refusalsAt(address: HostAddress): ReadonlyMap<string, Refusal> {
    return this.#reconciler.refusals.at(address)
  }

  /** As another process has got it from a host; null: the host takes the program now. */
  takeRefusal(programId: string, refusal: Refusal | null): void {
    const { refusals } = this.#reconciler
    if (refusal === null) refusals.forget(programId)
    else refusals.set(programId, refusal)
    this.#hosts.publish({ type: 'programs', programIds: [programId] })
  }

  /** Takes a program off a host that it has left; resolves false when that host is not there. */
  async takeOff(address: HostAddress, programId: string): Promise<boolean> {
    return this.#reconciler.takeOff(address, programId)
  }

  [Symbol.dispose](): void {
    this.#source = null
    this.#hosts.use(null)
    this.#stopFollowing()
    this.#publisher[Symbol.dispose]()
    this.#reconciler.close()
  }

  #heard(address: HostAddress, event: LinkEvent): void {
    if (!this.#hosts.isOwn(address)) {
      // What follows from it for the host is done by the process that has the link.
      if (event.type === 'hello' || event.type === 'status') this.#publishAllAt(address)
      return
    }
    switch (event.type) {
      case 'hello':
        this.#publishAllAt(address)
        void this.#reconciler.settle(address).then(async () => this.#forgetHost(address))
        return
      case 'status':
        // Its hello comes next, and publishes them.
        if (this.#hosts.status(address)?.online !== true) this.#publishAllAt(address)
        return
      case 'health':
        // What its silent supervisor or its full disk did not take before.
        if (canTakeChanges(this.#hosts.health(address))) void this.#reconciler.settle(address)
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
    if (!this.#hosts.isLeft(address) || link?.isOwn !== true || !link.status.online) return
    try {
      // What another process has removed may be wanted in our memory still.
      for (const { programId } of link.reports.all()) await this.#wanted.fresh(programId)
      if (this.#reconciler.hasStrays(link)) return void this.#reconciler.settle(address)
      await this.#source?.forgetLeftHost(address)
      await this.#hosts.sync({ by: 'address', address })
      this.#hosts.publish({ type: 'host', address })
    } catch (error) {
      this.#log.error({ err: error, address }, 'a left host could not be forgotten')
    }
  }

  #publishAllAt(address: HostAddress): void {
    this.#publisher.publish(addressText(address), this.#wanted.idsAt(address))
  }
}
