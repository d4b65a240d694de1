/** Looks after the streams between questions: what they hold, what is stuck, and what was left behind. */
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { isAdvancing } from './input-pulse.ts'
import { listedAtMs } from './packager-folder.ts'
import type { SegmentProbes } from './segment-probes.ts'
import { sweepFolder } from './stream-folder.ts'
import type { StoredStream } from './stream.schema.ts'
import * as streamPrograms from './stream-programs.ts'
import { hlsId, ingestId, linkKey, renditionsOf } from './stream.units.ts'
import type { Timelines } from './timelines.ts'

const LOOK_MS = 3000
/** What is left behind only takes room. */
const SWEEP_MS = 30_000
/** A packager begins to write 5 s after data arrive; three times that is no start any more. */
const STUCK_MS = 15_000
/** It writes, and finishes nothing: no segment is as long as this. */
const NO_SEGMENT_MS = 60_000
/** Links report every two seconds while data arrive, and are silent otherwise. */
export const READING_HOLDS_MS = 10_000
/** A packager reports twice a second while data arrive, whatever it makes of them, and not otherwise. */
const REPORT_HOLDS_MS = 3000

/** Times: milliseconds since 1970; null: does not run, does not receive, has no segment. */
export interface PackagerFacts {
  packagerStartedAtMs: number | null
  receivingSinceMs: number | null
  /** When it last wrote a picture or a sound. */
  advancedAtMs: number | null
  newestAtMs: number | null
}

/** True when the packager has had data for long enough and made nothing of them. Pure. */
export function isStuck(facts: PackagerFacts, nowMs: number): boolean {
  const { packagerStartedAtMs, receivingSinceMs, advancedAtMs, newestAtMs } = facts
  if (packagerStartedAtMs === null || receivingSinceMs === null) return false
  const sinceMs = Math.max(packagerStartedAtMs, receivingSinceMs, newestAtMs ?? 0)
  const isIdle = nowMs - Math.max(sinceMs, advancedAtMs ?? 0) > STUCK_MS
  return isIdle || nowMs - sinceMs > NO_SEGMENT_MS
}

/** What the watch looks after, and who is told. */
export interface Watched {
  folderOf(name: string): string
  timelines: Timelines
  probes: SegmentProbes
  /** More is known of what a stream carries. */
  onProbed(stream: StoredStream): void
}

export class StreamWatch {
  readonly #ctx: Context
  readonly #watched: Watched
  /** By the packager's id. */
  #receivingSince = new Map<string, number>()
  #advancedAt = new Map<string, number>()
  #sweptAtMs = 0
  #timer: NodeJS.Timeout | null = null
  /** The round under way. */
  #round: Promise<void> | null = null
  #isStopped = false

  constructor(ctx: Context, watched: Watched) {
    this.#ctx = ctx
    this.#watched = watched
  }

  start(streams: () => readonly StoredStream[]): void {
    this.#timer = setInterval(() => {
      const all = streams()
      for (const { name } of all) this.#watched.timelines.lookAgain(name)
      void this.round(all)
    }, LOOK_MS)
  }

  /** Resolves when the round under way has ended, soon. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    this.#isStopped = true
    await this.#round
  }

  /** One stream after the other, and never two rounds at once: probes take a core each. */
  async round(streams: readonly StoredStream[]): Promise<void> {
    if (this.#round !== null || this.#isStopped) return
    this.#round = this.#lookAt(streams)
    await this.#round
    this.#round = null
  }

  async #lookAt(streams: readonly StoredStream[]): Promise<void> {
    const running = streams.filter((one) => !one.disabled)
    try {
      this.#watched.probes.keepOnly(streams)
      await this.#freeStuck(running)
      for (const stream of running) await this.#probe(stream)
      await this.#sweepWhenDue(streams)
    } catch (error) {
      this.#ctx.log.warn({ reason: String(error) }, 'a look at the streams failed')
    }
  }

  async #freeStuck(streams: readonly StoredStream[]): Promise<void> {
    const nowMs = this.#ctx.clock()
    const receivingSince = new Map<string, number>()
    const advancedAt = new Map<string, number>()
    for (const stream of streams) {
      for (const { url } of stream.inputs) {
        const id = hlsId(stream, url)
        const sinceMs = this.#isReceiving(stream, url, nowMs)
          ? (this.#receivingSince.get(id) ?? nowMs)
          : null
        if (sinceMs !== null) receivingSince.set(id, sinceMs)
        const packager = streamPrograms.report(this.#ctx, id)
        const reading = packager?.reading ?? null
        const advancedAtMs =
          reading !== null && isAdvancing(reading)
            ? reading.atMs
            : (this.#advancedAt.get(id) ?? null)
        if (advancedAtMs !== null) advancedAt.set(id, advancedAtMs)
        const facts = {
          packagerStartedAtMs: packager?.startedAtMs ?? null,
          receivingSinceMs: sinceMs,
          advancedAtMs,
          newestAtMs: listedAtMs(join(this.#watched.folderOf(stream.name), linkKey(url))),
        }
        if (isStuck(facts, nowMs)) await this.#free(stream, id)
      }
    }
    this.#receivingSince = receivingSince
    this.#advancedAt = advancedAt
  }

  /** The packager holds to the PIDs that it began with: a feed that comes back with others is lost on it. */
  async #free(stream: StoredStream, packagerId: string): Promise<void> {
    this.#ctx.log.warn(
      { stream: stream.name, programId: packagerId },
      'data arrive and no segment comes: packager restarted',
    )
    await streamPrograms.restart(this.#ctx, packagerId)
  }

  /** By the link's own count, or by the packager's reports: plain datagrams are counted by nobody else. */
  #isReceiving(stream: StoredStream, url: string, nowMs: number): boolean {
    const ingest = streamPrograms.report(this.#ctx, ingestId(stream, url))?.reading
    const isCounted = (ingest?.bitrateKbps ?? 0) > 0
    if (ingest && isCounted && nowMs - ingest.atMs < READING_HOLDS_MS) return true
    const packager = streamPrograms.report(this.#ctx, hlsId(stream, url))?.reading
    return packager !== null && packager !== undefined && nowMs - packager.atMs < REPORT_HOLDS_MS
  }

  async #probe(stream: StoredStream): Promise<void> {
    for (const { url } of stream.inputs) {
      if (this.#isStopped) return
      const hasNews = await this.#watched.probes.probeWhenDue(stream, url)
      if (hasNews) this.#watched.onProbed(stream)
    }
  }

  async #sweepWhenDue(streams: readonly StoredStream[]): Promise<void> {
    if (performance.now() - this.#sweptAtMs < SWEEP_MS) return
    this.#sweptAtMs = performance.now()
    for (const stream of streams) {
      if (this.#isStopped) return
      const kept = {
        sources: stream.inputs.map((input) => linkKey(input.url)),
        renditions: renditionsOf(stream),
        window: this.#watched.timelines.window(stream),
      }
      await sweepFolder(this.#watched.folderOf(stream.name), kept, this.#ctx.clock())
    }
  }
}
