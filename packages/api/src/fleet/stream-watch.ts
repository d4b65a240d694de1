/**
 * Asks every media server about its streams, for the board: often while anybody watches, seldom
 * otherwise. One question per server is in flight, so a slow server makes its own rows old, no others.
 */
import type { Logger } from 'pino'
import type { HostRecord } from '../hosts/host-record.ts'
import type { Hosts } from '../hosts/hosts.ts'
import { MediaServerDown, MediaServerRefused } from '../stream-servers/media-server.ts'
import type { Board } from './board.ts'

export interface WatchPace {
  /** While somebody looks. */
  watchedMs: number
  unwatchedMs: number
}

export const WATCH_PACE: WatchPace = { watchedMs: 2000, unwatchedMs: 10_000 }

export class StreamWatch {
  readonly #hosts: Hosts
  readonly #board: Board
  readonly #pace: WatchPace
  readonly #log: Logger
  readonly #timers = new Map<string, NodeJS.Timeout>()
  /** As each server is asked; an answer to another question is not taken. */
  readonly #followed = new Map<string, HostRecord>()
  readonly #inFlight = new Set<string>()
  #isClosed = false

  constructor(options: { hosts: Hosts; board: Board; log: Logger; pace: WatchPace }) {
    this.#hosts = options.hosts
    this.#board = options.board
    this.#log = options.log
    this.#pace = options.pace
    options.board.whenWatched(() => this.hurry())
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
      this.#board.streams.forgetServer(id)
    }
    for (const record of this.#servers()) {
      const { id, baseUrl } = record
      const before = this.#followed.get(id)
      this.#followed.set(id, record)
      if (isSameQuestion(before, record)) continue
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

  /** Somebody begins to look, or looks for something new: the slow pace is not waited for. */
  hurry(): void {
    for (const id of this.#timers.keys()) if (!this.#inFlight.has(id)) this.#askIn(id, 0)
  }

  #servers(): HostRecord[] {
    return this.#hosts.records().filter((record) => record.answerer === 'media server')
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
    const { watchedMs, unwatchedMs } = this.#pace
    this.#askIn(serverId, this.#board.isWatched ? watchedMs : unwatchedMs)
  }

  async #askServer(record: HostRecord): Promise<void> {
    const { streams } = this.#board
    const isOutdated = () =>
      this.#isClosed || !isSameQuestion(this.#followed.get(record.id), record)
    try {
      const answer = await this.#hosts.mediaServers.list(record)
      if (!isOutdated()) streams.answered(record.id, answer)
    } catch (error) {
      if (isOutdated()) return
      if (error instanceof MediaServerDown) return streams.silent(record.id, error.fault)
      if (error instanceof MediaServerRefused) {
        return streams.silent(record.id, { kind: 'not-an-agent', sentence: error.message })
      }
      this.#log.error({ err: error, serverId: record.id }, 'a media server could not be asked')
    }
  }
}

function isSameQuestion(one: HostRecord | undefined, other: HostRecord): boolean {
  return one?.baseUrl === other.baseUrl && one.apiKey === other.apiKey
}
