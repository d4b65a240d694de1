/** Every host we reach: one link per address that the records name. What is wanted there is in programs/. */
import type {
  HostCallAnswer,
  HostCallName,
  HostCallParams,
} from '@trunkline/contract/agent/host-link.messages'
import type { MediaFinding } from '@trunkline/contract/fleet/observed.schema'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import type { Logger } from 'pino'
import { hostAway } from '../errors.ts'
import type { DialGuard } from '../security/host-guard.ts'
import { FlussonicClient } from '../stream-servers/flussonic.client.ts'
import { mapInSlices, TasksInSlices } from '../in-slices.ts'
import { HostIdentities } from './certificates/host-identities.ts'
import { addressText, type HostAddress } from './host-address.ts'
import { DialPace } from './pace/dial-pace.ts'
import { HostDirectory, type RecordSource } from './host-directory.ts'
import { HostLink } from './host-link.ts'
import type { HostRecord, LeftHost } from './host-record.ts'
import type { RecordChange, RecordFilter } from './host-records.ts'
import type { KnownReport } from './host-reports.ts'
import type { HostsEvent } from './hosts-event.ts'
import type { LinkedHost, LinkEvent, LinkStatus } from './linked-host.ts'
import { LINK_TIMING, type LinkTiming } from './link-timing.ts'
import { probeAgent, probeMedia, type ProbeResult, type ProbeTarget } from './probe.ts'
import type { HostSharing } from './sharing/host-sharing.ts'
import type { Refusal } from './sharing/process.messages.ts'
import { RelayedLink, type Carrier } from './sharing/relayed-link.ts'

export interface HostsOptions {
  log: Logger
  clock: () => number
  guard: DialGuard
  /** Tests only; the product's own is LINK_TIMING. */
  timing?: LinkTiming
}

/** A host whose link moves between processes is known as before for so long. */
const GRACE_MS = 5000

type LinkFollower = (address: HostAddress, event: LinkEvent) => void

export class Hosts {
  readonly mediaServers: FlussonicClient
  /** Which hosts are reached over TLS; enrolment/host-identity.service.ts reads them. */
  readonly identities: HostIdentities
  readonly #options: HostsOptions
  readonly #links = new Map<string, LinkedHost>()
  readonly #pace = new DialPace()
  readonly #listeners = new Set<(event: HostsEvent) => void>()
  readonly #followers = new Set<LinkFollower>()
  /** What links do and say: a switch that fails takes a thousand hosts in one moment. */
  readonly #turns = new TasksInSlices()
  readonly #directory: HostDirectory
  #sharing: HostSharing | null = null
  #isClosed = false

  /** Inert until it has a source: no link is dialled, nothing is read. */
  constructor(options: HostsOptions) {
    this.#options = options
    this.mediaServers = new FlussonicClient(options.guard)
    this.identities = new HostIdentities((address) => this.#followIdentity(address))
    this.#directory = new HostDirectory(async (change) => this.#followRecords(change))
  }

  /** Where the records come from; null: nothing is read any more. */
  use(source: RecordSource | null): void {
    this.#directory.use(source)
  }

  /** From now on other processes link some of the hosts. Call it before there are any. */
  share(sharing: HostSharing): void {
    this.#sharing = sharing
  }

  /** Other processes came or went: links follow. */
  async reassign(): Promise<void> {
    await mapInSlices([...this.#links.values()], ({ address }) => this.#followAgent(address))
  }

  /** After records were added, changed or removed: links follow. */
  async sync(filter: RecordFilter): Promise<void> {
    return this.#directory.read(filter)
  }

  listen(listener: (event: HostsEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** To all listeners. */
  publish(event: HostsEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** Events of each link, after the listeners were called. */
  follow(follower: LinkFollower): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
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

  recordsAt(address: HostAddress): readonly HostRecord[] {
    return this.#directory.records.at(address)
  }

  /** Of all ports of this host name or IP. */
  recordsOnMachine(host: string): readonly HostRecord[] {
    return this.#directory.records.onMachine(host)
  }

  /** Hosts that no record names any more, and that may run something of ours. */
  left(): LeftHost[] {
    return this.#directory.left()
  }

  isLeft(address: HostAddress): boolean {
    return this.#directory.isLeft(address)
  }

  /** Undefined when no record names this address. */
  link(address: HostAddress): LinkedHost | undefined {
    return this.linkAt(addressText(address))
  }

  linkAt(at: string): LinkedHost | undefined {
    return this.#links.get(at)
  }

  /** Undefined for a host that another process links. */
  ownLink(address: HostAddress): HostLink | undefined {
    const link = this.link(address)
    return link instanceof HostLink ? link : undefined
  }

  /** Links of this process alone. */
  *ownLinks(): Generator<HostLink> {
    for (const link of this.#links.values()) if (link instanceof HostLink) yield link
  }

  /** This process has the link to it, or the only one that can. */
  isOwn(address: HostAddress): boolean {
    return this.link(address)?.isOwn ?? this.#sharing === null
  }

  /** Whether what is at this address is this process's to look after, also where it has no link. */
  isAssigned(address: HostAddress): boolean {
    return (this.#sharing?.carrierOf(addressText(address)) ?? null) === null
  }

  /**
   * Throws HostUnreachable when it is not linked now. A host that was just added, or all of them just
   * after a start, are being dialled for the first time: that attempt is waited for. `outcome`: what that
   * means for what was asked, a sentence after a space; '' for nothing.
   */
  async onlineLink(address: HostAddress, outcome: string): Promise<LinkedHost> {
    const isFirstDial = this.link(address)?.status.fault === null
    if (isFirstDial) await this.link(address)?.settled()
    // Another by now, where the host went to another process meanwhile.
    const link = this.link(address)
    if (link?.status.online === true) return link
    const sentence = link?.status.fault?.sentence
    throw hostAway(sentence ?? `The host ${addressText(address)} is not connected.`, outcome)
  }

  /** Resolves when the host has said hello, or could not be reached just now; null: in no record. */
  async linked(address: HostAddress): Promise<LinkStatus | null> {
    if (this.link(address) === undefined) await this.sync({ by: 'address', address })
    return (await this.link(address)?.settled()) ?? null
  }

  /** null when no record names this address. */
  status(address: HostAddress): LinkStatus | null {
    return this.link(address)?.status ?? null
  }

  /** When this host last gave a sign of life, API clock; null when it never did. */
  heardAtMs(address: HostAddress): number | null {
    return this.link(address)?.heardAtMs ?? null
  }

  /** API clock minus that host's clock, as last measured. */
  clockOffsetMs(address: HostAddress): number {
    return this.link(address)?.clockOffsetMs ?? 0
  }

  /** As last said; kept while the host is away. */
  capabilities(address: HostAddress) {
    return this.link(address)?.capabilities ?? null
  }

  /** How the host itself is; null while it does not answer, and of an older agent. */
  health(address: HostAddress) {
    return this.link(address)?.knownHealth ?? null
  }

  reports(address: HostAddress): readonly KnownReport[] {
    return this.link(address)?.reports.all() ?? []
  }

  report({
    address,
    programId,
  }: {
    address: HostAddress
    programId: string
  }): KnownReport | undefined {
    return this.link(address)?.reports.get(programId)
  }

  /** Programs of which their hosts find something wrong by some threshold or other. */
  *programsWithFindings(): Generator<{ programId: string; findings: readonly MediaFinding[] }> {
    for (const { reports } of this.#links.values()) yield* reports.withFindings()
  }

  /** Sends the other processes why a host refuses a program; null: it takes the program now. */
  sendRefusal(programId: string, refusal: Refusal | null): void {
    this.#sharing?.sendRefusal(programId, refusal)
  }

  /** As the host last measured it; null when it does not. */
  transport({ address, programId }: { address: HostAddress; programId: string }) {
    return this.link(address)?.reports.transport(programId) ?? null
  }

  /** How long a host may take to answer a call. */
  get callLimitMs(): number {
    return (this.#options.timing ?? LINK_TIMING).callLimitMs
  }

  /** Throws HostUnreachable, HostTimeout, or HostFault with the host's own words. */
  async call<N extends HostCallName>(
    address: HostAddress,
    name: N,
    params: HostCallParams<N>,
  ): Promise<HostCallAnswer<N>> {
    const link = this.link(address)
    if (link === undefined) throw hostAway(notConnected(address))
    return link.call(name, params)
  }

  /** One question to a server, within 5 s; never throws for a host that is silent. */
  async probe(target: ProbeTarget): Promise<ProbeResult> {
    return target.serverType === 'channel'
      ? probeMedia(this.mediaServers, target)
      : this.#probeAgent(target)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.use(null)
    this.#turns[Symbol.dispose]()
    for (const link of this.#links.values()) link.close()
    this.#links.clear()
    await this.mediaServers[Symbol.asyncDispose]()
  }

  /** A dial takes a tenth of a millisecond: those of a large site are made in slices. */
  async #followRecords({ addresses, scope, moved }: RecordChange): Promise<void> {
    const each = new Map(addresses.map((address) => [addressText(address), address]))
    await mapInSlices([...each.values()], (address) => this.#followAgent(address))
    if (scope.length > 0) this.publish({ type: 'scope', hosts: scope, programIds: [] })
    // What was known of the old place says nothing about the new one.
    for (const { address } of moved) this.publish({ type: 'host', address })
  }

  #followAgent(address: HostAddress): void {
    if (this.#isClosed) return
    const [at, host] = [addressText(address), this.#directory.agentAt(address)]
    const link = this.#links.get(at)
    if (host === undefined) {
      link?.close()
      this.#links.delete(at)
      return
    }
    const carrier = this.#sharing?.carrierOf(at) ?? null
    if (link !== undefined && carrierOf(link) === carrier) {
      if (link instanceof HostLink) link.useAccess(this.#accessOf(host))
      return
    }
    // First: the next one may watch the same host at the same process.
    link?.close()
    const next = carrier === null ? this.#dial(host, link) : this.#relay(address, carrier, link)
    this.#links.set(at, next)
    if (link instanceof RelayedLink) link.continueWith(next)
    if (carrier === null) this.#sharing?.sendSnapshot(next)
  }

  #followIdentity(address: HostAddress): void {
    this.#followAgent(address)
    this.publish({ type: 'host', address })
  }

  #accessOf({ address, apiKey }: LeftHost) {
    return this.identities.accessOf(address, apiKey)
  }

  #dial(host: LeftHost, before: LinkedHost | undefined): HostLink {
    const { address } = host
    const { log, clock, guard, timing = LINK_TIMING } = this.#options
    const onEvent = this.#eventsOf(address)
    const sharing = this.#sharing
    return new HostLink({
      address,
      access: this.#accessOf(host),
      timing,
      clock,
      log,
      guard,
      pace: this.#pace,
      turns: this.#turns,
      lease: sharing ?? undefined,
      before,
      onEvent,
      onHeard: sharing === null ? undefined : (link) => sharing.noteHeard(link),
    })
  }

  #relay(address: HostAddress, carrier: Carrier, before: LinkedHost | undefined): RelayedLink {
    const { clock } = this.#options
    const onEvent = this.#eventsOf(address)
    return new RelayedLink({ address, carrier, before, clock, graceMs: GRACE_MS, onEvent })
  }

  #eventsOf(address: HostAddress): (event: LinkEvent) => void {
    return (event) =>
      this.#turns.add(() => {
        this.#publishLinkEvent(address, event)
        for (const follower of this.#followers) follower(address, event)
      })
  }

  #publishLinkEvent(address: HostAddress, event: LinkEvent): void {
    switch (event.type) {
      case 'hello':
        return
      case 'status':
      case 'health':
        return this.publish({ type: 'host', address })
      case 'program':
        return this.publish({ type: 'programs', programIds: [event.report.programId] })
      case 'removed':
        return this.publish({ type: 'programs', programIds: [event.programId] })
      case 'readings': {
        const { programIds, transportIds } = event
        if (programIds.length > 0) this.publish({ type: 'readings', programIds })
        if (transportIds.length > 0) this.publish({ type: 'transports', programIds: transportIds })
        return
      }
      case 'restart':
        return this.publish({ ...event, address })
    }
  }

  async #probeAgent(target: ProbeTarget): Promise<ProbeResult> {
    const address = { host: hostKeyOf(target.host), port: target.port }
    if (this.link(address) === undefined) await this.sync({ by: 'address', address })
    const link = this.link(address)
    if (link === undefined) return { ok: false, reason: notConnected(address), kind: 'refused' }
    return probeAgent(link)
  }
}

function notConnected(address: HostAddress): string {
  return `The host ${addressText(address)} belongs to no connected record.`
}

/** null: this process has the link itself. */
function carrierOf(link: LinkedHost): Carrier | null {
  return link instanceof RelayedLink ? link.carrier : null
}
