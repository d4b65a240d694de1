/**
 * Records what happens to every encoder, feeder, input, output, channel and server: compares each change
 * with the last known value, and writes the events about a second later, a hundred in a transaction. The
 * last known values are in the database, so that a restart writes nothing twice; the time in which no
 * API process ran is an event of its own.
 */
import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@trunkline/contract/durations'
import { isUndecided } from '@trunkline/contract/fleet/first-answer.rules'
import { KindMap } from '../fleet/kind-map.ts'
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import type { Context } from '../context.ts'
import { isSameAddress } from '../hosts/host-address.ts'
import type { HostsEvent } from '../hosts/hosts-event.ts'
import { eachInParts, eachInSlices, giveWay } from '../in-slices.ts'
import type { Notice } from '../notices.ts'
import { kindAndId } from '../programs/wanted-program.ts'
import type { KnownStream, StreamKey } from '../fleet/streams/stream-board.ts'
import { EventRecorder } from './event-recorder.ts'
import { factOfHost, factsOfProgram, factsOfStream, isAwaited, restartFact } from './event.rules.ts'
import * as eventStore from './event.store.ts'

const WRITE_MS = 1000
/** A program that starts or restarts is not running for less than this. */
const PASSING_MS = 1000
/** After a failed write. */
const WRITE_AGAIN_MS = 10_000
/** How often a process notes that it runs: after a crash the unwatched time begins at the last note. */
const BEAT_MS = 10_000
/** A process without a note for so long is taken for ended. */
const WATCHER_LOST_MS = 2 * BEAT_MS
/** In one transaction: SQLite works in our own thread. */
const WRITTEN_AT_ONCE = 100
const END_LIMIT_MS = 500

export type EventContext = Pick<
  Context,
  'db' | 'log' | 'clock' | 'config' | 'hosts' | 'programs' | 'board' | 'notices'
>

/** Records until it is disposed, and then writes what is left. Open it before the fleet, dispose it after. */
export function openEvents(ctx: EventContext, endLimitMs = END_LIMIT_MS): EventKeeper {
  const keeper = new EventKeeper(ctx, endLimitMs)
  keeper.begin()
  return keeper
}

export class EventKeeper implements AsyncDisposable {
  readonly #ctx: EventContext
  readonly #recorder = new EventRecorder()
  readonly #id = randomUUID()
  readonly #stopHearing: (() => void)[] = []
  /** Since when a program is not running, perhaps only between stop and start: decided at the next write. */
  readonly #passing = new Map<string, number>()
  /** Removed objects whose states are still in the database. */
  readonly #gone = new Map<string, ObjectKey>()
  /** Their hosts have not answered yet, and still may. */
  readonly #awaitedPrograms = new KindMap<true>()
  readonly #awaitedServers = new Set<string>()
  /** They have no picture yet, or their servers have not answered yet, and still may. */
  readonly #awaitedStreams = new Set<KnownStream>()
  /** Changes that came before the last known values were read; null afterwards. */
  #early: (() => void)[] | null = []
  #isEnded = false
  /** Of performance.now(): from then on nothing more is written. */
  #endsAtMs = Infinity
  /** Since when not everything is written that happened. */
  #unwrittenSinceMs = Infinity
  #isFailing = false
  #timer: NodeJS.Timeout | undefined
  #beatTimer: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()

  readonly #endLimitMs: number

  constructor(ctx: EventContext, endLimitMs: number) {
    this.#ctx = ctx
    this.#endLimitMs = endLimitMs
  }

  begin(): void {
    const { hosts, board, notices } = this.#ctx
    this.#stopHearing.push(
      hosts.listen((event) => this.#later(() => this.#heard(event))),
      board.followStreams((keys) => this.#later(() => this.#heardStreams(keys))),
      board.followServers((id) => this.#later(() => this.#lookAtServer(id))),
      notices.listen((notice) => this.#later(() => this.#noticed(notice))),
    )
    this.#working = this.#open()
  }

  /** Resolves when everything until now is written. */
  async written(): Promise<void> {
    await this.#working
    await this.#work()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true
    this.#endsAtMs = performance.now() + this.#endLimitMs
    for (const stop of this.#stopHearing) stop()
    clearTimeout(this.#timer)
    clearTimeout(this.#beatTimer)
    await this.#working
    this.#lookAtPassing()
    await this.#endMinutes(Number.POSITIVE_INFINITY)
    await this.#write()
    await this.#beat(true)
  }

  /** Changes wait until the last known values are read: they are compared with those. */
  #later(hear: () => void): void {
    if (this.#early === null) hear()
    else this.#early.push(hear)
  }

  async #open(): Promise<void> {
    const { db, log, clock, config } = this.#ctx
    const nowMs = clock()
    this.#unwrittenSinceMs = nowMs
    try {
      const gap = gapOf(await eventStore.watchers(db), nowMs, config.databaseUrl === null)
      if (gap !== null) await noteGap(db, gap, nowMs)
      await eventStore.forgetWatchers(db, nowMs - DAY_MS)
      for await (const some of eventStore.readKnown(db)) {
        for (const { object, facet, known } of some) this.#recorder.load(object, facet, known)
        if (this.#isEnded) return
      }
    } catch (error) {
      log.error({ err: error }, 'The events of before could not be read.')
    }
    const early = this.#early ?? []
    this.#early = null
    for (const hear of early) hear()
    await this.#lookAtAll()
    if (!this.#isEnded) this.#unwrittenSinceMs = Infinity
    await this.#beat(false)
  }

  /** The first state of everything. */
  async #lookAtAll(): Promise<void> {
    const { hosts, programs, board } = this.#ctx
    await eachInSlices([...programs.allWanted()], ({ programId }) => this.#lookAtProgram(programId))
    for (const { id } of hosts.serverRecords()) this.#lookAtServer(id)
    await eachInParts(board.streams.channels(), ({ status }) => this.#heardStreams([status]))
  }

  #heard(event: HostsEvent): void {
    switch (event.type) {
      case 'programs':
        for (const programId of event.programIds) this.#lookAtProgram(programId)
        return
      case 'restart': {
        const { programId, address, atMs, restarts, cause } = event
        const wanted = this.#ctx.programs.wanted(programId)
        if (wanted === undefined || !isSameAddress(wanted.address, address)) return
        const fact = { ...restartFact(restarts, cause), atMs }
        this.#recorder.see(kindAndId(programId), [fact], this.#ctx.clock())
        return this.#writeSoon()
      }
      case 'host':
        for (const { kind, id } of this.#ctx.hosts.recordsAt(event.address)) {
          if (kind === 'server') this.#lookAtServer(id)
        }
        return
      case 'scope':
      case 'readings':
      case 'transports':
    }
  }

  #heardStreams(keys: readonly StreamKey[]): void {
    const { streams } = this.#ctx.board
    const { clock } = this.#ctx
    for (const key of keys) {
      const known = streams.known(key)
      if (known === null) continue
      const server = streams.server(key.serverId)
      const facts = factsOfStream(known.status, server, clock())
      if (isAwaited(known.status, server, clock())) this.#awaitedStreams.add(known)
      this.#recorder.see({ kind: 'channel', id: known.channel.id }, facts, clock())
    }
    this.#writeSoon()
  }

  #lookAtServer(id: string): void {
    const { hosts, board, clock } = this.#ctx
    const record = hosts.record('server', id)
    if (record === undefined) return
    // Nothing is known of a media server that was not asked yet.
    if (record.answerer === 'media server' && board.streams.server(id) === null) return
    const fact = factOfHost(board.host(record), clock())
    if (fact === null) this.#awaitedServers.add(id)
    else this.#recorder.see({ kind: 'server', id }, [fact], clock())
    this.#writeSoon()
  }

  #lookAtProgram(programId: string): void {
    // Long lists of a large site are left where they are.
    if (this.#isEnded) return
    const { programs, hosts, board, clock } = this.#ctx
    const object = kindAndId(programId)
    const wanted = programs.wanted(programId)
    if (wanted === undefined) return this.#forget(object)
    this.#gone.delete(keyOf(object))
    const link = hosts.status(wanted.address)
    const heardAtMs = hosts.heardAtMs(wanted.address)
    // Nothing is known before the host says hello: the program is looked at again at the next beat.
    if (link === null || isUndecided({ ...link, heardAtMs }, clock())) {
      this.#awaitedPrograms.set(programId, true)
      return
    }
    const status = board.look(wanted)
    const facts = factsOfProgram(status, link)
    // A start and a restart pass through 'stopped', and for some programs nobody saw when it began.
    const isPassing = status.state === 'stopped' || status.sinceMs === null
    const mayPass = isPassing && facts.some(({ value }) => value === 'down')
    if (!mayPass) {
      this.#passing.delete(programId)
      this.#recorder.see(object, facts, clock())
    } else if (!this.#passing.has(programId)) this.#passing.set(programId, clock())
    this.#writeSoon()
  }

  /** Decides about the programs that may only have passed through 'stopped'. */
  #lookAtPassing(): void {
    const { programs, hosts, board, clock } = this.#ctx
    for (const [programId, atMs] of this.#passing) {
      if (clock() - atMs < PASSING_MS && !this.#isEnded) continue
      this.#passing.delete(programId)
      const wanted = programs.wanted(programId)
      if (wanted === undefined) continue
      const facts = factsOfProgram(board.look(wanted), hosts.status(wanted.address))
      const dated = facts.map((fact) => ({ ...fact, atMs: fact.atMs ?? atMs }))
      this.#recorder.see(kindAndId(programId), dated, clock())
    }
  }

  #noticed(notice: Notice): void {
    if (!('change' in notice) || notice.change !== 'removed' || notice.id === '') return
    if (notice.kind === 'channel' || notice.kind === 'server') {
      this.#forget({ kind: notice.kind, id: notice.id })
    }
  }

  #forget(object: ObjectKey): void {
    if (!this.#recorder.knows(object)) return
    this.#recorder.forget(object)
    this.#gone.set(keyOf(object), object)
    this.#writeSoon()
  }

  #writeSoon(): void {
    if (this.#isEnded || this.#timer !== undefined) return
    const hasWork = this.#recorder.hasWork || this.#passing.size > 0 || this.#gone.size > 0
    if (!hasWork) return
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.#working = this.#working.then(async () => this.#work())
      },
      this.#isFailing ? WRITE_AGAIN_MS : WRITE_MS,
    ).unref()
  }

  async #work(): Promise<void> {
    this.#lookAtPassing()
    await this.#endMinutes(this.#ctx.clock())
    await this.#write()
    await this.#removeGone()
    this.#writeSoon()
  }

  /** Every object of the site has one, where all of its hosts are lost. */
  async #endMinutes(nowMs: number): Promise<void> {
    await eachInSlices(this.#recorder.endMinutes(nowMs), () => undefined)
  }

  /** What waits by now: what comes meanwhile is written with the next. */
  async #write(): Promise<void> {
    const { db, log } = this.#ctx
    for (let left = this.#recorder.waitingObjects; left > 0; left -= WRITTEN_AT_ONCE) {
      const some = this.#recorder.takeOf(Math.min(left, WRITTEN_AT_ONCE))
      try {
        await db.transaction().execute(async (trx) => eventStore.write(trx, some))
        this.#isFailing = false
      } catch (error) {
        this.#isFailing = true
        const lost = this.#recorder.handBack(some)
        log.error({ err: error, lost }, 'Events could not be written.')
        return
      }
      await giveWay()
      if (performance.now() > this.#endsAtMs) return this.#leave(this.#recorder.takeAll())
    }
  }

  /**
   * Of a site that loses thousands of hosts as it ends: the next start finds what is still so, and records
   * that nobody watched since the first of these.
   */
  #leave(unwritten: ReturnType<EventRecorder['takeAll']>): void {
    for (const { atMs } of unwritten) {
      this.#unwrittenSinceMs = Math.min(this.#unwrittenSinceMs, atMs)
    }
  }

  async #removeGone(): Promise<void> {
    for (const [key, object] of this.#gone) {
      this.#gone.delete(key)
      try {
        await eventStore.forget(this.#ctx.db, object)
      } catch (error) {
        this.#ctx.log.error({ err: error }, 'The states of a removed object could not be removed.')
      }
    }
  }

  async #beat(hasEnded: boolean): Promise<void> {
    const { db, log, clock } = this.#ctx
    const atMs = hasEnded ? Math.min(clock(), this.#unwrittenSinceMs) : clock()
    const watcher = { id: this.#id, atMs, hasEnded }
    try {
      await eventStore.noteWatcher(db, watcher)
    } catch (error) {
      log.error({ err: error }, 'The time of the last recording of events could not be saved.')
    }
    if (this.#isEnded) return
    await this.#lookAtAwaited()
    if (this.#isEnded) return
    this.#beatTimer = setTimeout(() => {
      this.#working = this.#working.then(async () => this.#beat(false))
    }, BEAT_MS).unref()
  }

  /** Looks again at what was not known yet, because its host had not answered. */
  async #lookAtAwaited(): Promise<void> {
    const programIds = [...this.#awaitedPrograms.keys()]
    const serverIds = [...this.#awaitedServers]
    const streams = [...this.#awaitedStreams].map(({ status }) => status)
    this.#awaitedPrograms.clear()
    this.#awaitedServers.clear()
    this.#awaitedStreams.clear()
    // All programs of the site, where no host of it is there.
    await eachInSlices(programIds, (programId) => this.#lookAtProgram(programId))
    await eachInSlices(serverIds, (id) => this.#lookAtServer(id))
    await eachInSlices(streams, (stream) => this.#heardStreams([stream]))
  }
}

/** Once, although several processes that start at the same time find the same gap. */
async function noteGap(db: EventContext['db'], fromMs: number, toMs: number): Promise<void> {
  const newest = { kinds: ['unwatched'], from: '', to: '', until: '', limit: 1 } as const
  const [last] = await eventStore.listGaps(db, newest)
  if (last?.sinceMs !== fromMs) await eventStore.insertGap(db, fromMs, toMs)
}

/** Since when no process watched; null if another one did, or none ever has. */
function gapOf(
  watchers: readonly eventStore.Watcher[],
  nowMs: number,
  isAlone: boolean,
): number | null {
  const isWatched = watchers.some(
    ({ seenMs, hasEnded }) => !hasEnded && nowMs - seenMs < WATCHER_LOST_MS,
  )
  if (watchers.length === 0 || (isWatched && !isAlone)) return null
  return Math.min(nowMs, Math.max(...watchers.map(({ seenMs }) => seenMs)))
}
