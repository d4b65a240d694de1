/**
 * Asks every media server about its streams, for the board: often while anybody watches, seldom
 * otherwise. Each has its own pace, so a slow server makes its own rows old, no others.
 */
import { isUndecided } from '@trunkline/contract/fleet/first-answer.rules'
import type { Logger } from 'pino'
import type { HostRecord } from '../../hosts/host-record.ts'
import type { Hosts } from '../../hosts/hosts.ts'
import { MediaServerDown, MediaServerRefused } from '../../stream-servers/media-server.ts'
import type { Board } from '../board.ts'
import { isSameServer } from './stream-questions.ts'

export interface WatchPace {
  /** While somebody looks. */
  watchedMs: number
  unwatchedMs: number
}

/** Watched: what a server knows is on the screen within the 2 s that a state may be late. */
export const WATCH_PACE: WatchPace = { watchedMs: 1000, unwatchedMs: 10_000 }

export class StreamWatch {
  readonly #hosts: Hosts
  readonly #board: Board
  readonly #pace: WatchPace
  readonly #log: Logger
  readonly #timers = new Map<string, NodeJS.Timeout>()
  /** As each server is asked; an answer to another question is not taken. */
  readonly #followed = new Map<string, HostRecord>()
  readonly #inFlight = new Set<string>()
  /** When each was last answered, by performance.now(). */
  readonly #answeredAtMs = new Map<string, number>()
  #isClosed = false

  constructor(options: { hosts: Hosts; board: Board; log: Logger; pace: WatchPace }) {
    this.#hosts = options.hosts
    this.#board = options.board
    this.#log = options.log
    this.#pace = options.pace
    options.board.whenWatched(() => this.pollFast())
  }

  /** After servers were added, changed or removed. New and changed ones are asked at once. */
  follow(): void {
    if (this.#isClosed) return
    const ids = new Set(this.#servers().map((record) => record.id))
    for (const [id, timer] of this.#timers) {
      if (ids.has(id)) continue
      clearTimeout(timer)
      this.#timers.delete(id)
      this.#followed.delete(id)
      this.#answeredAtMs.delete(id)
      this.#board.streams.forgetServer(id)
    }
    for (const record of this.#servers()) {
      const { id, baseUrl } = record
      const before = this.#followed.get(id)
      this.#followed.set(id, record)
      if (isSameServer(before, record)) continue
      // What another host answered says nothing about this one.
      if (before?.baseUrl !== baseUrl) this.#board.streams.forgetServer(id)
      this.#askIn(id, 0)
    }
  }

  close(): void {
    this.#isClosed = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  /**
   * Somebody begins to look: the slow pace is not waited for. Whoever comes and goes does not make it
   * faster than the pace of being watched.
   */
  pollFast(): void {
    for (const id of this.#timers.keys()) {
      const sinceMs = performance.now() - (this.#answeredAtMs.get(id) ?? -Infinity)
      this.#askSooner(id, Math.max(0, this.#pace.watchedMs - sinceMs))
    }
  }

  /** There are channels of which nothing was heard yet. */
  askNow(): void {
    for (const id of this.#timers.keys()) this.#askSooner(id, 0)
  }

  #askSooner(id: string, delayMs: number): void {
    if (!this.#inFlight.has(id)) this.#askIn(id, delayMs)
  }

  #servers(): HostRecord[] {
    return this.#hosts.serverRecords().filter((record) => record.answerer === 'media server')
  }

  #askIn(serverId: string, delayMs: number): void {
    clearTimeout(this.#timers.get(serverId))
    this.#timers.set(
      serverId,
      setTimeout(() => void this.#ask(serverId), delayMs),
    )
  }

  async #ask(serverId: string): Promise<void> {
    this.#inFlight.add(serverId)
    const record = this.#hosts.record('server', serverId)
    if (record !== undefined) await this.#askServer(record)
    this.#inFlight.delete(serverId)
    if (this.#isClosed || !this.#timers.has(serverId)) return
    this.#answeredAtMs.set(serverId, performance.now())
    const { watchedMs, unwatchedMs } = this.#pace
    const isSoon = this.#board.isWatched || this.#isFirstAnswerAwaited(serverId)
    this.#askIn(serverId, isSoon ? watchedMs : unwatchedMs)
  }

  /** It may just be starting, as after a restart of the whole site: an answer then spares an alarm. */
  #isFirstAnswerAwaited(serverId: string): boolean {
    const answer = this.#board.streams.server(serverId)
    return answer !== null && isUndecided(answer, answer.askedAtMs)
  }

  /** What comes of it is on the board already. */
  async #askServer(record: HostRecord): Promise<void> {
    try {
      await this.#board.questions.list(record)
    } catch (error) {
      if (error instanceof MediaServerDown || error instanceof MediaServerRefused) return
      this.#log.error({ err: error, serverId: record.id }, 'a media server could not be asked')
    }
  }
}
