/**
 * Several API processes on one PostgreSQL share the hosts: each host is linked by the process that
 * membership names, and that process sends the others what happens to it (ADR 0039).
 */
import type { Logger } from 'pino'
import { hostAway } from '../../errors.ts'
import { addressText, type HostAddress } from '../host-address.ts'
import type { HostCallName, HostCallParams } from '@trunkline/contract/agent/host-link.messages'
import type { Lease } from '../link-options.ts'
import type { Hosts } from '../hosts.ts'
import { linkMoves } from '../link-fault.ts'
import type { LinkedHost } from '../linked-host.ts'
import { listenPlaceTowards } from './listen-place.ts'
import { Membership, type ShareTiming } from './membership.ts'
import type { Question, Refusal } from './process.messages.ts'
import { ProcessLink } from './process-link.ts'
import { ProcessServer, type OwnHosts } from './process-server.ts'
import { ProcessTable } from './process.store.ts'
import { RelayedLink, type Carrier } from './relayed-link.ts'

/** What is wanted of the hosts: the programs of this process. */
export interface SharedPrograms {
  /** Reads these programs again and brings them to their host. */
  settleThese(host: HostAddress, programIds: readonly string[]): Promise<void>
  refusalsAt(host: HostAddress): ReadonlyMap<string, Refusal>
  /** Nothing else of this process is done to the program meanwhile. */
  exclusiveHere(programId: string, work: () => Promise<void>): Promise<void>
  takeRefusal(programId: string, refusal: Refusal | null): void
}

export interface HostSharingOptions {
  /** Of the PostgreSQL. */
  url: string
  /** Where the others reach this process, 'ip:port'; null: the address that it reaches PostgreSQL from. */
  listen: string | null
  key: string
  hosts: Hosts
  programs: SharedPrograms
  clock: () => number
  log: Logger
  timing: ShareTiming
}

/** How much longer than the owner of a link the others wait for an answer. */
const ON_THE_WAY_MS = 1000

/** For a host that this process will link as soon as the others know. */
const NOBODY: Carrier = {
  processId: '',
  address: '',
  isOwner: false,
  offsetMs: 0,
  heardAtLeastMs: null,
  watch: () => undefined,
  unwatch: () => undefined,
  takeTurn: async () => Promise.resolve(() => undefined),
  ask: async ({ host }) => Promise.reject(hostAway(linkMoves(addressText(host)).sentence)),
}

/** As `NOBODY`; but the process that had the link is listened to until the link has moved. */
class HandOver implements Carrier {
  readonly address = ''
  readonly isOwner = false
  readonly #from: ProcessLink

  constructor(from: ProcessLink) {
    this.#from = from
  }

  get processId(): string {
    return this.#from.processId
  }

  get offsetMs(): number {
    return this.#from.offsetMs
  }

  get heardAtLeastMs(): number | null {
    return this.#from.heardAtLeastMs
  }

  watch(host: HostAddress): void {
    this.#from.watch(host)
  }

  unwatch(at: string): void {
    this.#from.unwatch(at)
  }

  async ask(question: Question): Promise<unknown> {
    return NOBODY.ask(question)
  }

  async takeTurn(host: HostAddress, programId: string): Promise<() => void> {
    return NOBODY.takeTurn(host, programId)
  }
}

interface OtherProcess {
  link: ProcessLink
  handOver: HandOver
}

export class HostSharing implements Lease, AsyncDisposable {
  readonly #options: HostSharingOptions
  readonly #processes = new Map<string, OtherProcess>()
  readonly #table: ProcessTable
  #membership: Membership | null = null
  #server: ProcessServer | null = null
  #stopFollowing: () => void = () => undefined

  private constructor(options: HostSharingOptions) {
    this.#options = options
    this.#table = new ProcessTable(options.url, options.timing.leaseMs)
  }

  /** Links nothing until `join`. Throws a sentence when it cannot listen. */
  static async open(options: HostSharingOptions): Promise<HostSharing> {
    const sharing = new HostSharing(options)
    try {
      await sharing.#open()
      return sharing
    } catch (error) {
      await sharing[Symbol.asyncDispose]()
      throw error
    }
  }

  async #open(): Promise<void> {
    const { url, listen, key, hosts, clock, log } = this.#options
    const place = await listenPlaceTowards(url, listen)
    const server = await ProcessServer.open({
      listen: place,
      key,
      processId: () => this.#membership?.id ?? '',
      hosts: this.#ownHosts(),
      clock,
      log,
    }).catch((error: unknown) => {
      const where = `port ${place.port} of ${place.ip}`
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(
        `This process cannot listen on ${where} for the other API processes: ${reason}. Set TRUNKLINE_PROCESS_ADDRESS to an address of this machine and a port that is free.`,
        { cause: error },
      )
    })
    this.#server = server
    this.#stopFollowing = hosts.follow((address, event) => {
      const link = hosts.link(address)
      if (link?.isOwn === true) server.sendEvent(link, event)
    })
  }

  /**
   * From now on this process has its share. Call it once all hosts and what is wanted of them are read:
   * the others give up their links at once. Throws when the database does not answer.
   */
  async join(): Promise<void> {
    const { hosts, log, timing } = this.#options
    this.#membership = await Membership.join({
      table: this.#table,
      address: this.#server?.address ?? '',
      timing,
      log,
      onChange: () => this.#changed(),
    })
    this.#followProcesses()
    await hosts.reassign()
  }

  /** The connection to the process that links this host; null when this process does. */
  carrierOf(at: string): Carrier | null {
    const membership = this.#membership
    if (membership === null) return NOBODY
    const owner = membership.ownerOf(at)
    if (owner !== membership.id) return this.#processes.get(owner)?.link ?? NOBODY
    if (membership.isActive) return null
    return this.#processes.get(membership.ownerBefore(at) ?? '')?.handOver ?? NOBODY
  }

  mayAct(at: string): boolean {
    return this.#membership?.mayAct(at) === true
  }

  async willAct(at: string): Promise<boolean> {
    return (await this.#membership?.willAct(at)) === true
  }

  /** A link of this process is new. */
  sendSnapshot(link: LinkedHost): void {
    this.#server?.sendSnapshot(link)
  }

  /** The host of a link of this process has given a sign of life. */
  noteHeard(link: LinkedHost): void {
    this.#server?.noteHeard(link)
  }

  sendRefusal(programId: string, refusal: Refusal | null): void {
    this.#server?.sendRefusal(programId, refusal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopFollowing()
    await this.#membership?.[Symbol.asyncDispose]()
    for (const { link } of this.#processes.values()) link.close()
    this.#processes.clear()
    await this.#server?.[Symbol.asyncDispose]()
    await this.#table[Symbol.asyncDispose]()
  }

  #changed(): void {
    this.#followProcesses()
    void this.#options.hosts.reassign()
  }

  #followProcesses(): void {
    const others = new Map((this.#membership?.others ?? []).map((other) => [other.id, other]))
    for (const [id, { link }] of this.#processes) {
      if (others.has(id)) continue
      link.close()
      this.#processes.delete(id)
    }
    for (const { id, address } of others.values()) {
      if (this.#processes.has(id)) continue
      const link = this.#connect(id, address)
      this.#processes.set(id, { link, handOver: new HandOver(link) })
    }
  }

  #connect(processId: string, address: string): ProcessLink {
    const { key, clock, log, hosts, programs } = this.#options
    const linkOf = (at: string) => {
      const link = hosts.linkAt(at)
      const isRelayed = link instanceof RelayedLink && link.carrier.processId === processId
      return isRelayed ? link : null
    }
    return new ProcessLink({
      processId,
      address,
      key,
      clock,
      log,
      answerLimitMs: hosts.callLimitMs + ON_THE_WAY_MS,
      onNews: (at, news) => linkOf(at)?.hear(news),
      onRefusal: (programId, refusal) => programs.takeRefusal(programId, refusal),
      onLost: (watched) => {
        for (const at of watched) linkOf(at)?.await()
      },
    })
  }

  #ownHosts(): OwnHosts {
    const { hosts, programs } = this.#options
    return {
      ownLink: (at) => {
        const link = hosts.linkAt(at)
        return link?.isOwn === true ? link : undefined
      },
      call: async (host, name, params) => {
        const answer = await hosts.call(host, name, params as HostCallParams<HostCallName>)
        if (name === 'removeProgram') {
          hosts.link(host)?.forget((params as HostCallParams<'removeProgram'>).programId)
        }
        return answer
      },
      reach: async (host, redial) => {
        // The other process may have read a newer record of this host.
        await hosts.sync({ by: 'address', address: host })
        const link = hosts.link(host)
        if (link?.isOwn !== true) return
        if (redial) link.redial()
        await link.settled()
      },
      settle: async (host, programIds) => {
        if (hosts.link(host) === undefined) await hosts.sync({ by: 'address', address: host })
        await programs.settleThese(host, programIds)
      },
      exclusive: async (programId, work) => programs.exclusiveHere(programId, work),
      refusalsAt: (host) => programs.refusalsAt(host),
    }
  }
}
