/** Looks after the streams between questions: what they hold, and what was left behind. */
import { join } from 'node:path'
import type { MediaTrack } from '@trunkline/contract/channels/stream.schema'
import type { Context } from '../context.ts'
import { readHlsFolder, sweepFolder, type HlsFolder } from './hls-folder.ts'
import { probeSegment } from './segment-probe.ts'
import type { StoredStream } from './stream.schema.ts'
import * as streamPrograms from './stream-programs.ts'
import { hlsId, ingestId } from './stream.units.ts'

const LOOK_MS = 3000
/** A probe costs 0.17 s of a core: once per start of the packager, then at this pace. */
const PROBE_AGAIN_MS = 60_000
/** A packager makes its first segment 5 s after data arrive; three times that is no start any more. */
const STUCK_MS = 15_000

export interface StreamLook extends HlsFolder {
  /** Empty until the first segment was probed. */
  tracks: readonly MediaTrack[]
}

interface Probed {
  tracks: readonly MediaTrack[]
  atMs: number
  /** Of the packager whose segment it was. */
  startedAtMs: number | null
}

/** Times: milliseconds since 1970; null: does not run, does not receive, has no segment. */
export interface PackagerFacts {
  packagerStartedAtMs: number | null
  receivingSinceMs: number | null
  newestAtMs: number | null
}

/** True when the packager has had data for long enough and made nothing of them. Pure. */
export function isStuck(facts: PackagerFacts, nowMs: number): boolean {
  const { packagerStartedAtMs, receivingSinceMs, newestAtMs } = facts
  if (packagerStartedAtMs === null || receivingSinceMs === null) return false
  return nowMs - Math.max(packagerStartedAtMs, receivingSinceMs, newestAtMs ?? 0) > STUCK_MS
}

export class StreamWatch {
  readonly #ctx: Context
  readonly #folderOf: (stream: StoredStream) => string
  readonly #probed = new Map<string, Probed>()
  readonly #receivingSince = new Map<string, number>()
  #timer: NodeJS.Timeout | null = null
  #isLooking = false

  constructor(ctx: Context, folderOf: (stream: StoredStream) => string) {
    this.#ctx = ctx
    this.#folderOf = folderOf
  }

  start(streams: () => readonly StoredStream[]): void {
    this.#timer = setInterval(() => void this.round(streams()), LOOK_MS)
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
  }

  look(stream: StoredStream): StreamLook {
    const tracks = this.#probed.get(stream.name)?.tracks ?? []
    return { ...readHlsFolder(this.#folderOf(stream)), tracks }
  }

  forget(name: string): void {
    this.#probed.delete(name)
    this.#receivingSince.delete(name)
  }

  /** One stream after the other, and never two rounds at once: probes take a core each. */
  async round(streams: readonly StoredStream[]): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      for (const stream of streams.filter((one) => !one.disabled)) {
        await this.#freeWhenStuck(stream)
        await this.#probeWhenDue(stream)
        await sweepFolder(this.#folderOf(stream), this.#ctx.clock())
      }
    } catch (error) {
      this.#ctx.log.warn({ reason: String(error) }, 'a look at the streams failed')
    } finally {
      this.#isLooking = false
    }
  }

  /** The packager holds to the PIDs that it began with: a feed that comes back with others is lost on it. */
  async #freeWhenStuck(stream: StoredStream): Promise<void> {
    const packager = streamPrograms.report(this.#ctx, hlsId(stream, stream.currentUrl))
    const ingest = streamPrograms.report(this.#ctx, ingestId(stream, stream.currentUrl))
    const { newest } = readHlsFolder(this.#folderOf(stream))
    const nowMs = this.#ctx.clock()
    const facts = {
      packagerStartedAtMs: packager?.startedAtMs ?? null,
      receivingSinceMs: this.#noteReceiving(stream.name, ingest?.reading?.bitrateKbps ?? 0, nowMs),
      newestAtMs: newest?.writtenAtMs ?? null,
    }
    if (!isStuck(facts, nowMs)) return
    this.#ctx.log.warn(
      { stream: stream.name },
      'data arrive and no segment comes: packager restarted',
    )
    await streamPrograms.restart(this.#ctx, hlsId(stream, stream.currentUrl))
  }

  /** Since when data arrive without a pause; null while none do. */
  #noteReceiving(name: string, receivedKbps: number, nowMs: number): number | null {
    const sinceMs = receivedKbps > 0 ? (this.#receivingSince.get(name) ?? nowMs) : null
    if (sinceMs === null) this.#receivingSince.delete(name)
    else this.#receivingSince.set(name, sinceMs)
    return sinceMs
  }

  async #probeWhenDue(stream: StoredStream): Promise<void> {
    const startedAtMs =
      streamPrograms.report(this.#ctx, hlsId(stream, stream.currentUrl))?.startedAtMs ?? null
    const folder = this.#folderOf(stream)
    const { newest } = readHlsFolder(folder)
    if (startedAtMs === null || newest === null || newest.writtenAtMs < startedAtMs) return
    const known = this.#probed.get(stream.name)
    const nowMs = this.#ctx.clock()
    const isFresh = known?.startedAtMs === startedAtMs && nowMs - known.atMs < PROBE_AGAIN_MS
    if (isFresh) return
    const tracks = await probeSegment(join(folder, newest.file))
    this.#probed.set(stream.name, {
      tracks: tracks ?? known?.tracks ?? [],
      atMs: nowMs,
      startedAtMs,
    })
  }
}
