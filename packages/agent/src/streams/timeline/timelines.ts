/** The timeline of every stream. */
import type { Context } from '../../context.ts'
import type { Rung } from '../../commands/channel.command.ts'
import type { StoredStream } from '../definition/stream.schema.ts'
import { linkKey } from '../programs/stream.units.ts'
import { rungsOf } from '../definition/template.rules.ts'
import { Timeline } from './timeline.ts'
import type { TimelineShape } from './timeline-files.ts'
import type { Rendition } from './playlist-text.ts'
import { emptyWindow, type Window } from './timeline.rules.ts'

/** Pictures as looked into, in the order of the renditions; fewer while not all were. */
type Sizes = readonly { width?: number | undefined; height?: number | undefined }[]

export class Timelines {
  readonly #ctx: Context
  readonly #folderOf: (name: string) => string
  readonly #sizesOf: (stream: StoredStream) => Sizes
  readonly #timelines = new Map<string, Timeline>()

  constructor(
    ctx: Context,
    folderOf: (name: string) => string,
    sizesOf: (stream: StoredStream) => Sizes,
  ) {
    this.#ctx = ctx
    this.#folderOf = folderOf
    this.#sizesOf = sizesOf
  }

  window(stream: StoredStream): Window {
    return this.#timelines.get(stream.name)?.window ?? emptyWindow(this.#ctx.clock())
  }

  /** Brings what is shown to the stream as it is kept now. */
  settle(stream: StoredStream): void {
    const shape = shapeOf(stream, this.#sizesOf(stream))
    const known = this.#timelines.get(stream.name)
    const timeline = known ?? this.#open(stream.name, shape)
    if (stream.disabled || stream.currentUrl === '') timeline.clear()
    else timeline.follow(linkKey(stream.currentUrl), shape)
  }

  lookAgain(name: string): void {
    this.#timelines.get(name)?.lookAgain()
  }

  forget(name: string): void {
    this.#timelines.get(name)?.close()
    this.#timelines.delete(name)
  }

  close(): void {
    for (const timeline of this.#timelines.values()) timeline.close()
    this.#timelines.clear()
  }

  #open(name: string, shape: TimelineShape): Timeline {
    const { log, clock } = this.#ctx
    const timeline = new Timeline(this.#folderOf(name), shape, log, clock())
    this.#timelines.set(name, timeline)
    return timeline
  }
}

function shapeOf(stream: StoredStream, sizes: Sizes): TimelineShape {
  const rungs = rungsOf(stream.template) ?? []
  const renditions = rungs.map((rung, at) => renditionOf(rung, sizes[at]))
  return {
    targetS: stream.segmentDurationMs / 1000,
    rows: stream.segmentCount,
    renditions: renditions.length === 0 ? [PASSED_ON] : renditions,
  }
}

/** A single rendition needs no master playlist, so nothing of it is listed. */
const PASSED_ON: Rendition = { bandwidthBps: 0, size: null }
/** Packets of a transport stream, and what an encoder exceeds its rate by. */
const OVERHEAD = 1.25

function renditionOf(rung: Rung, size: Sizes[number] | undefined): Rendition {
  const { width, height } = size ?? {}
  return {
    bandwidthBps: Math.round((rung.videoKbps + rung.audioKbps) * 1000 * OVERHEAD),
    size: width === undefined || height === undefined ? null : { width, height },
  }
}
