/** Every host we reach: one link per address, and the programs that are wanted there. */
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import type {
  HostCallAnswer,
  HostCallName,
  HostCallParams,
} from '@trunkline/contract/agent/host-link.messages'
import { ERROR_DISABLED, isAlive } from '@trunkline/contract/program-state'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import type { Logger } from 'pino'
import { conflict, hostAway, notFound } from '../errors.ts'
import type { DialGuard } from '../security/host-guard.ts'
import { FlussonicClient } from '../stream-servers/flussonic.client.ts'
import { addressText, type HostAddress } from './host-address.ts'
import { HostLink, type LinkEvent, type LinkStatus } from './host-link.ts'
import { LINK_TIMING, type LinkTiming } from './link-timing.ts'
import type { FleetSource } from '../programs/fleet-source.ts'
import type { HostsEvent } from './hosts-event.ts'
import { HostDirectory } from './host-directory.ts'
import { canTakeChanges } from './host-problem.rules.ts'
import type { HostRecord, LeftHost } from './host-record.ts'
import type { RecordChange, RecordFilter } from './host-records.ts'
import type { KnownReport } from './host-reports.ts'
import { probeAgent, probeMedia, type ProbeResult, type ProbeTarget } from './probe.ts'
import { Reconciler, type ProgramCommand } from '../programs/reconcile.ts'
import type { ProgramFilter, ProgramPlace, WantedProgram } from '../programs/wanted-program.ts'
import { WantedPrograms } from '../programs/wanted-programs.ts'

export interface HostsOptions {
  log: Logger
  clock: () => number
  guard: DialGuard
  /** Tests only; the product's own is LINK_TIMING. */
  timing?: LinkTiming
}

/** With 5 s for an answer, a start is given up after 15 s. */
const START_ANSWERS = 3

export class Hosts {
  readonly mediaServers: FlussonicClient
  readonly #options: HostsOptions
  readonly #links = new Map<string, HostLink>()
  readonly #listeners = new Set<(event: HostsEvent) => void>()
  readonly #wanted: WantedPrograms
  readonly #refreshes = new Map<string, Promise<void>>()
  readonly #reconciler: Reconciler
  readonly #directory: HostDirectory
  #source: FleetSource | null = null

  /** Inert until `open`: no link is dialled, nothing is read. */
  constructor(options: HostsOptions) {
    this.#options = options
    this.mediaServers = new FlussonicClient(options.guard)
    this.#wanted = new WantedPrograms((programIds, rescoped) => {
      this.#tell({ type: 'programs', programIds })
      if (rescoped.length > 0) this.#tell({ type: 'scope', hosts: [], programIds: rescoped })
    })
    this.#directory = new HostDirectory((change) => this.#followRecords(change))
    this.#reconciler = new Reconciler({
      log: options.log,
      linkOf: (address) => this.#link(address),
      wanted: this.#wanted,
      clock: options.clock,
      sparedAt: async (place) => (await this.#source?.sparedAt(place)) ?? null,
      onRefusal: (programId) => this.#tell({ type: 'programs', programIds: [programId] }),
    })
  }

  /** Reads what is wanted, then dials every host. Throws when the database cannot be read. */
  async open(source: FleetSource): Promise<void> {
    this.#source = source
    this.#directory.use(source)
    this.#wanted.use(async (filter) => source.readPrograms(filter))
    // Wanted first: a host that says hello to an empty list would have its programs taken off.
    await this.#wanted.read({ by: 'all' })
    await this.sync({ by: 'all' })
  }

  /** After records were added, changed or removed: links follow. */
  async sync(filter: RecordFilter): Promise<void> {
    return this.#directory.read(filter)
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
      // Before a link goes with its record.
      await this.#dropOutdated()
      if (filter.by === 'encoder' || filter.by === 'server' || filter.by === 'all') {
        await this.sync(filter)
      }
      const touched = await this.#wanted.read(filter)
      await Promise.all(touched.map(async (address) => this.#reconciler.settle(address)))
      await Promise.all(
        this.#directory.left().map(async ({ address }) => this.#forgetHost(address)),
      )
    } catch (error) {
      this.#options.log.error({ err: error, filter }, 'wanted programs could not be read again')
    }
  }

  async #dropOutdated(): Promise<void> {
    const addresses = (await this.#source?.dropOutdated()) ?? []
    await Promise.all(addresses.map(async (address) => this.#reconciler.settle(address)))
  }

  listen(listener: (event: HostsEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  records(): readonly HostRecord[] {
    return this.#directory.records.all()
  }

  serverRecords(): readonly HostRecord[] {
    return this.#directory.records.servers()
  }

  record(kind: HostRecord['kind'], id: string): HostRecord | undefined {
    return this.#directory.records.find(kind, id)
  }

  recordsAt(address: HostAddress): HostRecord[] {
    return this.#directory.records.at(address)
  }

  /** Resolves when the host has said hello, or could not be reached just now; null: in no record. */
  async linked(address: HostAddress): Promise<LinkStatus | null> {
    if (this.#link(address) === undefined) await this.sync({ by: 'address', address })
    return (await this.#link(address)?.settled()) ?? null
  }

  /** null when no record names this address. */
  status(address: HostAddress): LinkStatus | null {
    return this.#link(address)?.status ?? null
  }

  /** When this host last gave a sign of life, API clock; null when it never did. */
  heardAtMs(address: HostAddress): number | null {
    return this.#link(address)?.heardAtMs ?? null
  }

  /** API clock minus that host's clock, as last measured. */
  clockOffsetMs(address: HostAddress): number {
    return this.#link(address)?.reports.offsetMs ?? 0
  }

  /** As last said; kept while the host is away. */
  capabilities(address: HostAddress) {
    return this.#link(address)?.capabilities ?? null
  }

  /** What is wrong with a host that answers. */
  problem(address: HostAddress) {
    return this.#link(address)?.problem
  }

  reports(address: HostAddress): readonly KnownReport[] {
    return this.#link(address)?.reports.all() ?? []
  }

  report({ address, programId }: ProgramPlace): KnownReport | undefined {
    return this.#link(address)?.reports.get(programId)
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

  /** Throws HostUnreachable, HostTimeout, or HostFault with the host's own words. */
  async call<N extends HostCallName>(
    address: HostAddress,
    name: N,
    params: HostCallParams<N>,
  ): Promise<HostCallAnswer<N>> {
    const link = this.#link(address)
    if (link === undefined) throw hostAway(notConnected(address))
    return link.call(name, params)
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

  /** Starts a program on a host that is not its own yet; throws as `call` does. */
  async tryOut(copy: WantedProgram): Promise<ProgramReport> {
    return this.#reconciler.tryOut(copy)
  }

  /** Brings what is wanted to this host, and takes off what is not; never throws. */
  async settle(address: HostAddress): Promise<void> {
    return this.#reconciler.settle(address)
  }

  /** How long a program may take until it runs: some answers' time. */
  get startLimitMs(): number {
    return START_ANSWERS * (this.#options.timing ?? LINK_TIMING).callLimitMs
  }

  /** Takes a program off a host that it has left; resolves false when that host is not there. */
  async takeOff(address: HostAddress, programId: string): Promise<boolean> {
    return this.#reconciler.takeOff(address, programId)
  }

  /** One question to a server, within 5 s; never throws for a host that is silent. */
  async probe(target: ProbeTarget): Promise<ProbeResult> {
    return target.serverType === 'channel'
      ? probeMedia(this.mediaServers, target)
      : this.#probeAgent(target)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#source = null
    this.#directory.use(null)
    this.#reconciler.close()
    for (const link of this.#links.values()) link.close()
    this.#links.clear()
    await this.mediaServers[Symbol.asyncDispose]()
  }

  #link(address: HostAddress): HostLink | undefined {
    return this.#links.get(addressText(address))
  }

  #tell(event: HostsEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  #followRecords({ addresses, scope, moved }: RecordChange): void {
    for (const address of addresses) this.#followAgent(address)
    if (scope.length > 0) this.#tell({ type: 'scope', hosts: scope, programIds: [] })
    // What was known of the old place says nothing about the new one.
    for (const { address } of moved) this.#tell({ type: 'host', address })
  }

  #followAgent(address: HostAddress): void {
    const [at, host] = [addressText(address), this.#directory.agentAt(address)]
    const link = this.#links.get(at)
    if (host === undefined) {
      link?.close()
      this.#links.delete(at)
    } else if (link === undefined) this.#links.set(at, this.#dial(host))
    else link.useKey(host.apiKey)
  }

  #dial({ address, apiKey: key }: LeftHost): HostLink {
    const { log, clock, guard, timing = LINK_TIMING } = this.#options
    const onEvent = (event: LinkEvent) => this.#heard(address, event)
    return new HostLink({ address, key, timing, clock, log, guard, onEvent })
  }

  #heard(address: HostAddress, event: LinkEvent): void {
    switch (event.type) {
      case 'hello':
        this.#tellAllOf(address)
        void this.#reconciler.settle(address).then(async () => this.#forgetHost(address))
        return
      case 'status':
        this.#tell({ type: 'host', address })
        this.#tellAllOf(address)
        return
      case 'health':
        this.#tell({ type: 'host', address })
        // What its silent supervisor or its full disk did not take before.
        if (canTakeChanges(this.problem(address))) void this.#reconciler.settle(address)
        return
      case 'program':
        this.#tell({ type: 'programs', programIds: [event.report.programId] })
        this.#endStray(address, event.report)
        return
      case 'removed':
        this.#tell({ type: 'programs', programIds: [event.programId] })
        void this.#forgetHost(address)
        return
      case 'readings':
        this.#tell({ type: 'readings', programIds: event.programIds })
        return
      case 'restart':
        this.#tell(event)
    }
  }

  /** Such as what was asked of a host that then fell silent, and that does it after all. */
  #endStray(address: HostAddress, { programId, state }: ProgramReport): void {
    const link = this.#link(address)
    if (link === undefined || !isAlive(state) || !this.#reconciler.isStray(programId, link)) return
    void this.#reconciler.settle(address)
  }

  /** A left host is kept until it has said itself that nothing of ours is on it. */
  async #forgetHost(address: HostAddress): Promise<void> {
    const link = this.#link(address)
    if (!this.#directory.isLeft(address) || link?.status.online !== true) return
    try {
      // What another process has removed may be wanted in our memory still.
      for (const { programId } of link.reports.all()) await this.#wanted.fresh(programId)
      if (this.#reconciler.hasStrays(link)) return void this.#reconciler.settle(address)
      await this.#source?.forgetLeftHost(address)
      await this.sync({ by: 'address', address })
      this.#tell({ type: 'host', address })
    } catch (error) {
      this.#options.log.error({ err: error, address }, 'a left host could not be forgotten')
    }
  }

  #tellAllOf(address: HostAddress): void {
    const programIds = this.#wanted.at(address).map((each) => each.programId)
    if (programIds.length > 0) this.#tell({ type: 'programs', programIds })
  }

  async #probeAgent(target: ProbeTarget): Promise<ProbeResult> {
    const address = { host: hostKeyOf(target.host), port: target.port }
    if (this.#link(address) === undefined) await this.sync({ by: 'address', address })
    const link = this.#link(address)
    if (link === undefined) return { ok: false, reason: notConnected(address), kind: 'refused' }
    return probeAgent(link)
  }
}

function notConnected(address: HostAddress): string {
  return `The host ${addressText(address)} is in no record that is connected.`
}
