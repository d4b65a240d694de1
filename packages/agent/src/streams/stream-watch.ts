/** Looks after the streams between questions: what they hold, what is stuck, and what was left behind. */
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { listedAtMs } from './timeline/packager-folder.ts'
import type { SegmentProbes } from './health/segment-probes.ts'
import type { SourceProbes } from './health/source-probes.ts'
import { sweepFolder } from './timeline/stream-folder.ts'
import type { StoredStream } from './definition/stream.schema.ts'
import * as streamPrograms from './programs/stream-programs.ts'
import { hlsId, ingestId, linkKey, renditionsOf } from './programs/stream.units.ts'
import { StuckPackagers, type PackagerLook } from './programs/stuck-packagers.ts'
import type { Timelines } from './timeline/timelines.ts'

const LOOK_MS = 3000
/** What is left behind only takes disk space. */
const SWEEP_MS = 30_000
/** What the watch looks after, and whom it informs. */
export interface Watched {
  folderOf(name: string): string
  timelines: Timelines
  probes: SegmentProbes
  sources: SourceProbes
  /** More is known of what a stream carries. */
  onProbed(stream: StoredStream): void
}

export class StreamWatch {
  readonly #ctx: Context
  readonly #watched: Watched
  readonly #packagers = new StuckPackagers()
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

  /** Segments one after the other, and never two rounds at once: probes take a core each. */
  async round(streams: readonly StoredStream[]): Promise<void> {
    if (this.#round !== null || this.#isStopped) return
    this.#round = this.#lookAt(streams)
    await this.#round
    this.#round = null
  }

  async #lookAt(streams: readonly StoredStream[]): Promise<void> {
    const running = streams.filter(({ disabled }) => !disabled)
    try {
      this.#watched.probes.keepOnly(streams)
      this.#watched.sources.keepOnly(streams)
      await this.#freeStuck(running)
      await Promise.all([this.#probeAll(running), this.#watched.sources.probeDue(running)])
      await this.#sweepWhenDue(streams)
    } catch (error) {
      this.#ctx.log.warn({ reason: String(error) }, 'a look at the streams failed')
    }
  }

  async #freeStuck(streams: readonly StoredStream[]): Promise<void> {
    this.#packagers.begin(performance.now())
    for (const stream of streams) {
      for (const { url } of stream.inputs) {
        const id = hlsId(stream, url)
        if (this.#packagers.isStuck(id, this.#packagerOf(stream, url))) await this.#free(stream, id)
      }
    }
  }

  #packagerOf(stream: StoredStream, url: string): PackagerLook {
    const packager = streamPrograms.report(this.#ctx, hlsId(stream, url))
    return {
      ingest: streamPrograms.report(this.#ctx, ingestId(stream, url))?.reading ?? null,
      packager: packager?.reading ?? null,
      packagerStartedAtMs: packager?.startedAtMs ?? null,
      newestAtMs: listedAtMs(join(this.#watched.folderOf(stream.name), linkKey(url))),
    }
  }

  /** The packager holds to the PIDs that it began with: a feed that comes back with others is lost on it. */
  async #free(stream: StoredStream, packagerId: string): Promise<void> {
    this.#ctx.log.warn(
      { stream: stream.name, programId: packagerId },
      'data arrive and no segment comes: packager restarted',
    )
    await streamPrograms.restart(this.#ctx, packagerId)
  }

  async #probeAll(streams: readonly StoredStream[]): Promise<void> {
    for (const stream of streams) await this.#probe(stream)
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
