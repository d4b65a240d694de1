/** What the fleet is doing as last heard: a cache in memory that may be lost at any time. */
import type {
  HostProblem,
  HostStatus,
  LiveSnapshot,
  ProgramStatus,
  RestartRecord,
  StreamStatus,
  TransportStatus,
} from '@trunkline/contract/fleet/fleet.schema'
import { hostKey, programKey } from '@trunkline/contract/fleet/watch-key.rules'
import { watchedOf } from '@trunkline/contract/fleet/watch-key.schema'
import type { Logger } from 'pino'
import { isSameAddress } from '../hosts/host-address.ts'
import type { HostRecord, RescopedHost } from '../hosts/host-record.ts'
import type { HostsEvent } from '../hosts/hosts-event.ts'
import { eachInParts, type WithParts } from '../in-slices.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { Programs } from '../programs/programs.ts'
import type { Actor } from '../security/actor.ts'
import { kindAndId, programIdOf, type KnownProgram } from '../programs/wanted-program.ts'
import { FleetStates, type ReceiverOf, type ThresholdOf } from './fleet-states.ts'
import { differsByReadingOnly } from './program-status.rules.ts'
import { StreamBoard, type ChannelRef, type StreamKey } from './streams/stream-board.ts'
import { StreamQuestions } from './streams/stream-questions.ts'

/** What is new of one program, host or stream. */
export type ThingEvent =
  | { event: 'program'; wanted: KnownProgram; data: ProgramStatus }
  | { event: 'restart'; wanted: KnownProgram; data: RestartRecord }
  | { event: 'transport'; wanted: KnownProgram; data: TransportStatus }
  /** `data` as admin-level may read it; `forRole` cuts the cause out for the others. */
  | { event: 'host'; record: HostRecord; data: HostStatus }
  | { event: 'stream'; channel: ChannelRef; data: StreamStatus }

export type BoardEvent =
  | ThingEvent
  /** Who may see these has changed: each connection decides again what it shows of them. */
  | { event: 'scope'; of: ScopeChange }

/** Hosts, programs and streams that were added or removed, or that other people may see now. */
export interface ScopeChange {
  hosts: readonly RescopedHost[]
  programIds: readonly string[]
  streams: readonly StreamKey[]
}

export interface BoardOptions {
  hosts: Hosts
  programs: Programs
  clock: () => number
  log: Logger
}

/** Gets the events of what it watches, by the keys of watch-key.rules.ts. */
export interface Viewers {
  isWatching: (key: string) => boolean
  send: (event: BoardEvent) => void
}

/** Readings of one program are sent at most this often; states at once. */
const READING_PACE_MS = 1000

export class Board {
  readonly streams: StreamBoard
  readonly questions: StreamQuestions
  readonly #states: FleetStates
  readonly #hosts: Hosts
  readonly #programs: Programs
  /** As last sent; only of what is watched. */
  readonly #statuses = new Map<string, ProgramStatus>()
  readonly #viewers = new Set<Viewers>()
  readonly #streamFollowers = new Set<(streams: readonly StreamKey[]) => void>()
  readonly #serverFollowers = new Set<(serverId: string) => void>()
  readonly #newReadings = new Set<string>()
  readonly #sentAtMs = new Map<string, number>()
  readonly #untilUnwatched: (() => void)[] = []
  #onFirstViewer: () => void = () => undefined
  #readingTimer: NodeJS.Timeout | undefined
  readonly #stopHearing: () => void

  constructor(options: BoardOptions) {
    this.#hosts = options.hosts
    this.#programs = options.programs
    this.streams = new StreamBoard({
      clock: options.clock,
      onStream: (channel, data) => {
        this.#publish({ event: 'stream', channel, data })
        this.#publishStreams([data])
      },
      onServer: (serverId) => this.#publishServer(serverId),
      onScope: (streams) => {
        this.#publish({ event: 'scope', of: { hosts: [], programIds: [], streams } })
        this.#publishStreams(streams)
      },
    })
    this.#states = new FleetStates({ ...options, streams: this.streams })
    this.questions = new StreamQuestions({
      mediaServers: options.hosts.mediaServers,
      streams: this.streams,
      current: (serverId) => options.hosts.record('server', serverId),
      log: options.log,
    })
    this.#stopHearing = options.hosts.listen((event) => this.#heard(event))
  }

  /** From now on states are judged by these thresholds, not by the defaults. */
  judgeBy(thresholdOf: ThresholdOf): void {
    this.#states.judgeBy(thresholdOf)
  }

  /** From now on senders are judged by whether their receivers are on. */
  judgeByReceivers(receiverOf: ReceiverOf): void {
    this.#states.judgeByReceivers(receiverOf)
  }

  /** What disturbs programs on the host of that record, worst first, as long as it answers. */
  hostProblems(record: HostRecord): HostProblem[] {
    return this.#states.hostProblems(record)
  }

  /** null for a program that the database does not have. */
  program(programId: string): ProgramStatus | null {
    return this.#states.program(programId)
  }

  look(wanted: KnownProgram): ProgramStatus {
    return this.#states.look(wanted)
  }

  host(record: HostRecord): HostStatus {
    return this.#states.host(record)
  }

  /** Everything this person may see, computed as it is read: others would have to wait for that of a large site. */
  snapshotInParts(actor: Actor): WithParts<LiveSnapshot> {
    return this.#states.snapshotInParts(actor)
  }

  /** Whether a browser is on the live stream. */
  get isWatched(): boolean {
    return this.#viewers.size > 0
  }

  /** Called when the first browser opens the live stream. */
  whenWatched(onFirstViewer: () => void): void {
    this.#onFirstViewer = onFirstViewer
  }

  /** Calls the listener with every event; call the answered function to end it. */
  listen(listener: (event: BoardEvent) => void): () => void {
    return this.show({ isWatching: () => true, send: listener })
  }

  /** Sends them events until the answered function is called. */
  show(viewers: Viewers): () => void {
    if (!this.isWatched) this.#onFirstViewer()
    this.#viewers.add(viewers)
    return () => {
      this.#viewers.delete(viewers)
      if (this.isWatched) return
      this.#statuses.clear()
      this.#sentAtMs.clear()
      for (const resolve of this.#untilUnwatched.splice(0)) resolve()
    }
  }

  /** Calls with the streams that were changed, added or removed, whether anybody watches or not. */
  followStreams(follower: (streams: readonly StreamKey[]) => void): () => void {
    this.#streamFollowers.add(follower)
    return () => this.#streamFollowers.delete(follower)
  }

  /** Calls with each media server that starts or stops answering, whether anybody watches or not. */
  followServers(follower: (serverId: string) => void): () => void {
    this.#serverFollowers.add(follower)
    return () => this.#serverFollowers.delete(follower)
  }

  /**
   * The status of a program that is watched from now on. What time alone has changed since it was last
   * sent, such as the trouble of a feeder, is sent to the other viewers as well.
   */
  watched(wanted: KnownProgram): ProgramStatus {
    const before = this.#statuses.get(wanted.programId)
    const current = this.look(wanted)
    if (before !== undefined && !differsByReadingOnly(before, current)) {
      this.#publishStatus(wanted, current)
    }
    this.#statuses.set(wanted.programId, current)
    return current
  }

  /** Nobody watches the thing of this key any more. */
  unwatch(key: string): void {
    const watched = watchedOf(key)
    if (watched?.of === 'program') this.#forget(programIdOf(watched.kind, watched.id))
  }

  #forget(programId: string): void {
    this.#statuses.delete(programId)
    this.#sentAtMs.delete(programId)
    this.#newReadings.delete(programId)
  }

  /** Resolves when nobody is on the live stream any more. */
  async unwatched(): Promise<void> {
    if (!this.isWatched) return
    return new Promise((resolve) => this.#untilUnwatched.push(resolve))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopHearing()
    clearTimeout(this.#readingTimer)
    this.#viewers.clear()
    this.#streamFollowers.clear()
    this.#serverFollowers.clear()
    await Promise.resolve()
  }

  #heard(event: HostsEvent): void {
    switch (event.type) {
      case 'programs':
        for (const programId of event.programIds) this.#publishProgram(programId)
        return
      case 'readings':
        this.#heardReadings(event.programIds)
        return
      // Sent by transport-follower.ts to the browsers that show them.
      case 'transports':
        return
      case 'restart': {
        const { programId, atMs, restarts, cause } = event
        const wanted = this.#programs.wanted(programId)
        if (wanted === undefined || !isSameAddress(wanted.address, event.address)) return
        if (!this.#isWatching(wanted)) return
        const { kind, id } = wanted
        this.#publish({ event: 'restart', wanted, data: { kind, id, atMs, restarts, cause } })
        return
      }
      case 'host':
        for (const record of this.#hosts.recordsAt(event.address)) this.#publishHost(record)
        return
      case 'scope': {
        const { hosts, programIds } = event
        this.#publish({ event: 'scope', of: { hosts, programIds, streams: [] } })
      }
    }
  }

  #heardReadings(programIds: readonly string[]): void {
    if (!this.isWatched) return
    for (const programId of programIds) {
      if (this.#isWatching(kindAndId(programId))) this.#newReadings.add(programId)
    }
    if (this.#newReadings.size > 0) this.#publishReadingsSoon()
  }

  #publishProgram(programId: string): void {
    if (!this.isWatched) return
    const wanted = this.#programs.wanted(programId)
    if (wanted === undefined) return this.#forget(programId)
    if (wanted.kind === wanted.ownerKind) this.#publishFed(wanted)
    if (!this.#isWatching(wanted)) return
    const before = this.#statuses.get(programId)
    const data = this.look(wanted)
    if (before !== undefined && differsByReadingOnly(before, data)) {
      if (JSON.stringify(before.reading) === JSON.stringify(data.reading)) return
      this.#newReadings.add(programId)
      this.#publishReadingsSoon()
      return
    }
    this.#publishStatus(wanted, data)
  }

  #publishFed(source: KnownProgram): void {
    for (const { programId } of this.#programs.wantedOf(source.ownerKind, source.id)) {
      if (programId !== source.programId) this.#publishProgram(programId)
    }
  }

  #publishStatus(wanted: KnownProgram, data: ProgramStatus): void {
    this.#newReadings.delete(wanted.programId)
    this.#statuses.set(wanted.programId, data)
    this.#sentAtMs.set(wanted.programId, performance.now())
    this.#publish({ event: 'program', wanted, data })
  }

  #publishReadingsSoon(): void {
    this.#readingTimer ??= setTimeout(() => {
      this.#readingTimer = undefined
      const nowMs = performance.now()
      for (const programId of this.#newReadings) {
        if (nowMs - (this.#sentAtMs.get(programId) ?? -Infinity) < READING_PACE_MS) continue
        this.#newReadings.delete(programId)
        const wanted = this.#programs.wanted(programId)
        if (wanted === undefined || !this.#isWatching(wanted)) continue
        this.#publishStatus(wanted, this.look(wanted))
      }
      if (this.#newReadings.size > 0) this.#publishReadingsSoon()
    }, READING_TICK_MS)
  }

  #publishServer(serverId: string): void {
    const record = this.#hosts.record('server', serverId)
    if (record !== undefined) this.#publishHost(record)
    for (const follower of this.#serverFollowers) follower(serverId)
  }

  #publishHost(record: HostRecord): void {
    if (!this.#isWatchingKey(hostKey(record.kind, record.id))) return
    this.#publish({ event: 'host', record, data: this.host(record) })
  }

  /** They look up what each stream is now, so it does not matter that many are published part by part. */
  #publishStreams(streams: readonly StreamKey[]): void {
    void eachInParts(streams, (stream) => {
      for (const follower of this.#streamFollowers) follower([stream])
    })
  }

  #isWatching({ kind, id }: Pick<KnownProgram, 'kind' | 'id'>): boolean {
    return this.#isWatchingKey(programKey(kind, id))
  }

  #isWatchingKey(key: string): boolean {
    for (const viewers of this.#viewers) if (viewers.isWatching(key)) return true
    return false
  }

  #publish(event: BoardEvent): void {
    for (const viewers of this.#viewers) viewers.send(event)
  }
}

/** Readings are gathered for so long, so that those of several hosts are sent together. */
const READING_TICK_MS = 100
