/** What the fleet is doing as last heard: a cache in memory that may be lost at any time. */
import type {
  HostStatus,
  LiveSnapshot,
  ProgramStatus,
  RestartRecord,
  StreamStatus,
} from '@trunkline/contract/fleet/fleet.schema'
import { mayDo } from '@trunkline/contract/role-table'
import type { Logger } from 'pino'
import type { HostKey, HostRecord } from '../hosts/host-record.ts'
import type { HostsEvent } from '../hosts/hosts-event.ts'
import { mapInParts, type WithParts } from '../in-slices.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { Programs } from '../programs/programs.ts'
import type { Actor } from '../security/actor.ts'
import { programIdOf, type WantedProgram } from '../programs/wanted-program.ts'
import { differsByReadingOnly, feederTrouble, programStatus } from './program-status.rules.ts'
import { maySeeHost, maySeeProgram, maySeeStream } from './scope.rules.ts'
import { StreamBoard, type ChannelRef, type KnownStream, type StreamKey } from './stream-board.ts'
import { StreamQuestions } from './stream-questions.ts'

export type BoardEvent =
  | { event: 'program'; wanted: WantedProgram; data: ProgramStatus }
  | { event: 'restart'; wanted: WantedProgram; data: RestartRecord }
  /** `data` as admin-level may read it; `forRole` cuts the cause out for the others. */
  | { event: 'host'; record: HostRecord; data: HostStatus }
  | { event: 'stream'; channel: ChannelRef; data: StreamStatus }
  /** Who may see these has changed: every viewer's sight of them is to be looked at again. */
  | { event: 'scope'; of: ScopeChange }

/** Which things came, went, or are seen by other people than before. */
export interface ScopeChange {
  hosts: readonly HostKey[]
  programIds: readonly string[]
  streams: readonly StreamKey[]
}

interface FleetPart {
  programs: readonly WantedProgram[]
  hosts: readonly HostRecord[]
  streams: readonly KnownStream[]
}

export interface BoardOptions {
  hosts: Hosts
  programs: Programs
  clock: () => number
  log: Logger
}

/** Numbers of one program are told at most this often; states at once. */
const READING_PACE_MS = 1000

export class Board {
  readonly streams: StreamBoard
  readonly questions: StreamQuestions
  readonly #hosts: Hosts
  readonly #programs: Programs
  readonly #clock: () => number
  /** As last told. */
  readonly #statuses = new Map<string, ProgramStatus>()
  readonly #listeners = new Set<(event: BoardEvent) => void>()
  readonly #newReadings = new Set<string>()
  readonly #sentAtMs = new Map<string, number>()
  readonly #untilUnwatched: (() => void)[] = []
  #firstComes: () => void = () => undefined
  #readingTimer: NodeJS.Timeout | undefined
  readonly #stopHearing: () => void

  constructor(options: BoardOptions) {
    this.#hosts = options.hosts
    this.#programs = options.programs
    this.#clock = options.clock
    this.streams = new StreamBoard({
      clock: options.clock,
      onStream: (channel, data) => this.#tell({ event: 'stream', channel, data }),
      onServer: (serverId) => this.#tellServer(serverId),
      onScope: (streams) => {
        this.#tell({ event: 'scope', of: { hosts: [], programIds: [], streams } })
      },
    })
    this.questions = new StreamQuestions({
      mediaServers: options.hosts.mediaServers,
      streams: this.streams,
      current: (serverId) => options.hosts.record('server', serverId),
      log: options.log,
    })
    this.#stopHearing = options.hosts.listen((event) => this.#heard(event))
  }

  /** null for a program that the database does not have. */
  program(programId: string): ProgramStatus | null {
    const wanted = this.#programs.wanted(programId)
    return wanted === undefined ? null : this.#current(wanted)
  }

  host(record: HostRecord): HostStatus {
    const isAgent = record.answerer === 'agent'
    const answer = isAgent ? this.#hosts.status(record.address) : this.streams.server(record.id)
    const heardAtMs = isAgent
      ? this.#hosts.heardAtMs(record.address)
      : (this.streams.server(record.id)?.heardAtMs ?? null)
    const problem = isAgent ? this.#hosts.problem(record.address) : undefined
    return {
      id: record.id,
      kind: record.kind,
      online: answer?.online ?? false,
      sinceMs: answer?.sinceMs ?? this.#clock(),
      heardAtMs,
      fault: answer?.fault?.kind ?? null,
      cause: answer?.fault?.sentence ?? '',
      ...(problem === undefined ? {} : { problem }),
    }
  }

  /** Everything this person may see. */
  snapshot(actor: Actor): LiveSnapshot {
    return this.#seenBy(actor, this.#everything())
  }

  /** As `snapshot`, computed as it is read: others would have to wait for that of a large site. */
  snapshotInParts(actor: Actor): WithParts<LiveSnapshot> {
    const { programs, hosts, streams } = visibleOf(actor, this.#everything())
    return {
      atMs: this.#clock(),
      programs: mapInParts(programs, (wanted) => this.#current(wanted)),
      hosts: mapInParts(hosts, (record) => forRole(actor, this.host(record))),
      streams: mapInParts(streams, ({ status }) => status),
    }
  }

  #everything(): FleetPart {
    return {
      programs: [...this.#programs.allWanted()],
      hosts: this.#hosts.records(),
      streams: this.streams.channels(),
    }
  }

  /** What this person may see of these; the cost is theirs, not the fleet's. */
  excerpt(actor: Actor, of: ScopeChange): LiveSnapshot {
    return this.#seenBy(actor, {
      programs: of.programIds.map((id) => this.#programs.wanted(id)).filter(isKnown),
      hosts: of.hosts.map(({ kind, id }) => this.#hosts.record(kind, id)).filter(isKnown),
      streams: of.streams.map((key) => this.streams.known(key)).filter(isKnown),
    })
  }

  #seenBy(actor: Actor, part: FleetPart): LiveSnapshot {
    const { programs, hosts, streams } = visibleOf(actor, part)
    return {
      atMs: this.#clock(),
      programs: programs.map((wanted) => this.#current(wanted)),
      hosts: hosts.map((record) => forRole(actor, this.host(record))),
      streams: streams.map(({ status }) => status),
    }
  }

  /** Whether a browser is on the live stream. */
  get isWatched(): boolean {
    return this.#listeners.size > 0
  }

  /** Told when the first browser comes. */
  whenWatched(tell: () => void): void {
    this.#firstComes = tell
  }

  listen(listener: (event: BoardEvent) => void): () => void {
    if (!this.isWatched) this.#firstComes()
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.isWatched) return
      for (const resolve of this.#untilUnwatched.splice(0)) resolve()
    }
  }

  /** Resolves when nobody is on the live stream any more. */
  async unwatched(): Promise<void> {
    if (!this.isWatched) return
    return new Promise((resolve) => this.#untilUnwatched.push(resolve))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopHearing()
    clearTimeout(this.#readingTimer)
    this.#listeners.clear()
    await Promise.resolve()
  }

  #heard(event: HostsEvent): void {
    switch (event.type) {
      case 'programs':
        for (const programId of event.programIds) this.#tellProgram(programId)
        return
      case 'readings':
        for (const programId of event.programIds) this.#newReadings.add(programId)
        this.#tellReadingsSoon()
        return
      case 'restart': {
        const { programId, atMs, restarts, cause } = event
        const wanted = this.#programs.wanted(programId)
        if (wanted === undefined) return
        const { kind, id } = wanted
        this.#tell({ event: 'restart', wanted, data: { kind, id, atMs, restarts, cause } })
        return
      }
      case 'host':
        for (const record of this.#hosts.recordsAt(event.address)) {
          this.#tell({ event: 'host', record, data: this.host(record) })
        }
        return
      case 'scope': {
        const { hosts, programIds } = event
        this.#tell({ event: 'scope', of: { hosts, programIds, streams: [] } })
      }
    }
  }

  /** The status as it is told from now on; a feeder's trouble may be its encoder's. */
  #current(wanted: WantedProgram): ProgramStatus {
    const own = this.#observed(wanted)
    const cause = own.cause || this.#feederTrouble(wanted, own)
    const current = { ...own, cause }
    this.#statuses.set(wanted.programId, current)
    return current
  }

  #feederTrouble(wanted: WantedProgram, own: ProgramStatus): string {
    if (wanted.kind !== 'feeder') return ''
    const encoder = this.#programs.wanted(programIdOf('encoder', wanted.ownerId))
    // Looked at only: whether the encoder's own change was told yet is not decided here.
    const status = encoder === undefined ? null : this.#observed(encoder)
    return feederTrouble(own, status, this.#clock())
  }

  #observed(wanted: WantedProgram): ProgramStatus {
    const report = this.#hosts.report(wanted)
    const link = this.#hosts.status(wanted.address)
    const refusal = this.#programs.refusalOf(wanted)
    return programStatus({ wanted, report, link, refusal })
  }

  #tellProgram(programId: string): void {
    const wanted = this.#programs.wanted(programId)
    const before = this.#statuses.get(programId)
    if (wanted === undefined) {
      this.#statuses.delete(programId)
      this.#sentAtMs.delete(programId)
      return
    }
    if (wanted.kind === 'encoder') this.#tellFeeders(wanted)
    const data = this.#current(wanted)
    if (before !== undefined && differsByReadingOnly(before, data)) {
      if (JSON.stringify(before.reading) === JSON.stringify(data.reading)) return
      this.#newReadings.add(programId)
      this.#tellReadingsSoon()
      return
    }
    this.#tellNow(wanted, data)
  }

  #tellFeeders(encoder: WantedProgram): void {
    for (const each of this.#programs.wantedAt(encoder.address)) {
      if (each.kind === 'feeder' && each.ownerId === encoder.id) this.#tellProgram(each.programId)
    }
  }

  #tellNow(wanted: WantedProgram, data: ProgramStatus): void {
    this.#newReadings.delete(wanted.programId)
    this.#sentAtMs.set(wanted.programId, performance.now())
    this.#tell({ event: 'program', wanted, data })
  }

  #tellReadingsSoon(): void {
    this.#readingTimer ??= setTimeout(() => {
      this.#readingTimer = undefined
      const nowMs = performance.now()
      for (const programId of this.#newReadings) {
        if (nowMs - (this.#sentAtMs.get(programId) ?? -Infinity) < READING_PACE_MS) continue
        this.#newReadings.delete(programId)
        const wanted = this.#programs.wanted(programId)
        if (wanted !== undefined) this.#tellNow(wanted, this.#current(wanted))
      }
      if (this.#newReadings.size > 0) this.#tellReadingsSoon()
    }, READING_TICK_MS)
  }

  #tellServer(serverId: string): void {
    const record = this.#hosts.record('server', serverId)
    if (record !== undefined) this.#tell({ event: 'host', record, data: this.host(record) })
  }

  #tell(event: BoardEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

/** How long readings gather: several hosts' readings go out together, none waits long. */
const READING_TICK_MS = 100

function isKnown<T>(item: T | null | undefined): item is T {
  return item !== null && item !== undefined
}

/** Why a host is away tells of keys and networks, and a notice of a weak spot: admin-level only. */
export function forRole(actor: Actor, status: HostStatus): HostStatus {
  if (mayDo(actor.role, 'readFault')) return status
  const { problem, ...rest } = status
  const isShown = problem !== undefined && problem.kind !== 'command-lines-readable'
  return { ...rest, fault: null, cause: '', ...(isShown ? { problem } : {}) }
}

function visibleOf(actor: Actor, { programs, hosts, streams }: FleetPart): FleetPart {
  return {
    programs: programs.filter((wanted) => maySeeProgram(actor, wanted)),
    hosts: hosts.filter((record) => maySeeHost(actor, record)),
    streams: streams.filter(({ channel }) => maySeeStream(actor, channel.groupIds)),
  }
}
