/** Every host we reach: one link per address that the records name. What is wanted there is in programs/. */
import type {
  HostCallAnswer,
  HostCallName,
  HostCallParams,
} from '@trunkline/contract/agent/host-link.messages'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import type { Logger } from 'pino'
import { hostAway } from '../errors.ts'
import type { DialGuard } from '../security/host-guard.ts'
import { FlussonicClient } from '../stream-servers/flussonic.client.ts'
import { addressText, type HostAddress } from './host-address.ts'
import { HostDirectory, type RecordSource } from './host-directory.ts'
import { HostLink, type LinkEvent, type LinkStatus } from './host-link.ts'
import type { HostRecord, LeftHost } from './host-record.ts'
import type { RecordChange, RecordFilter } from './host-records.ts'
import type { KnownReport } from './host-reports.ts'
import type { HostsEvent } from './hosts-event.ts'
import { LINK_TIMING, type LinkTiming } from './link-timing.ts'
import { probeAgent, probeMedia, type ProbeResult, type ProbeTarget } from './probe.ts'

export interface HostsOptions {
  log: Logger
  clock: () => number
  guard: DialGuard
  /** Tests only; the product's own is LINK_TIMING. */
  timing?: LinkTiming
}

type LinkFollower = (address: HostAddress, event: LinkEvent) => void

export class Hosts {
  readonly mediaServers: FlussonicClient
  readonly #options: HostsOptions
  readonly #links = new Map<string, HostLink>()
  readonly #listeners = new Set<(event: HostsEvent) => void>()
  readonly #followers = new Set<LinkFollower>()
  readonly #directory: HostDirectory

  /** Inert until it has a source: no link is dialled, nothing is read. */
  constructor(options: HostsOptions) {
    this.#options = options
    this.mediaServers = new FlussonicClient(options.guard)
    this.#directory = new HostDirectory((change) => this.#followRecords(change))
  }

  /** Where the records come from; null: nothing is read any more. */
  use(source: RecordSource | null): void {
    this.#directory.use(source)
  }

  /** After records were added, changed or removed: links follow. */
  async sync(filter: RecordFilter): Promise<void> {
    return this.#directory.read(filter)
  }

  listen(listener: (event: HostsEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Told to all who listen. */
  tell(event: HostsEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** What each link says, after those who listen were told of it. */
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

  recordsAt(address: HostAddress): HostRecord[] {
    return this.#directory.records.at(address)
  }

  /** Hosts that no record names any more, and that may run something of ours. */
  left(): LeftHost[] {
    return this.#directory.left()
  }

  isLeft(address: HostAddress): boolean {
    return this.#directory.isLeft(address)
  }

  /** Undefined when no record names this address. */
  link(address: HostAddress): HostLink | undefined {
    return this.#links.get(addressText(address))
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
    return this.link(address)?.reports.offsetMs ?? 0
  }

  /** As last said; kept while the host is away. */
  capabilities(address: HostAddress) {
    return this.link(address)?.capabilities ?? null
  }

  /** What is wrong with a host that answers. */
  problem(address: HostAddress) {
    return this.link(address)?.problem
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
    this.use(null)
    for (const link of this.#links.values()) link.close()
    this.#links.clear()
    await this.mediaServers[Symbol.asyncDispose]()
  }

  #followRecords({ addresses, scope, moved }: RecordChange): void {
    for (const address of addresses) this.#followAgent(address)
    if (scope.length > 0) this.tell({ type: 'scope', hosts: scope, programIds: [] })
    // What was known of the old place says nothing about the new one.
    for (const { address } of moved) this.tell({ type: 'host', address })
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
    const onEvent = (event: LinkEvent) => {
      this.#tellOf(address, event)
      for (const follower of this.#followers) follower(address, event)
    }
    return new HostLink({ address, key, timing, clock, log, guard, onEvent })
  }

  #tellOf(address: HostAddress, event: LinkEvent): void {
    switch (event.type) {
      case 'hello':
        return
      case 'status':
      case 'health':
        return this.tell({ type: 'host', address })
      case 'program':
        return this.tell({ type: 'programs', programIds: [event.report.programId] })
      case 'removed':
        return this.tell({ type: 'programs', programIds: [event.programId] })
      case 'readings':
        return this.tell({ type: 'readings', programIds: event.programIds })
      case 'restart':
        return this.tell(event)
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
  return `The host ${addressText(address)} is in no record that is connected.`
}
