/** Looks into each new segment of every stream for what is to be seen and heard there. */
import { join } from 'node:path'
import {
  pictureKind,
  soundKind,
  watchSegment,
  decibels,
  type ContentMemory,
} from '../../content/content.rules.ts'
import type { AudioLevel } from '@trunkline/contract/channels/stream.schema'
import { ownSegmentName } from '../timeline/playlist-text.ts'
import { readContent, type Content } from '../../content/read-content.ts'
import type { SegmentProbes } from './segment-probes.ts'
import type { StreamStates } from './stream-states.ts'
import type { StoredStream } from '../definition/stream.schema.ts'
import type { Timelines } from '../timeline/timelines.ts'
import type { Row } from '../timeline/timeline.rules.ts'
import { renditionsOf } from '../programs/stream.units.ts'

interface Watched {
  folderOf(name: string): string
  timelines: Timelines
  probes: SegmentProbes
  states: StreamStates
}

interface Seen {
  row: string
  memory: ContentMemory | null
  level: AudioLevel | null
}

export class ContentWatch {
  readonly #watched: Watched
  /** By the stream's name. */
  #seen = new Map<string, Seen>()
  #round: Promise<void> | null = null
  #isStopped = false

  constructor(watched: Watched) {
    this.#watched = watched
  }

  /**
   * One segment after the other, the newest of each stream: a look costs 0.1 s of a core, and a host
   * with many streams looks at each less often rather than at more than one at a time.
   */
  look(streams: readonly StoredStream[]): void {
    if (this.#round !== null || this.#isStopped) return
    const running = streams.filter((stream) => !stream.disabled)
    const names = new Set(running.map(({ name }) => name))
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name)
    this.#round = this.#lookAt(running).finally(() => {
      this.#round = null
    })
  }

  /** Of the last segment that was looked into; null while there is none, or it has no sound. */
  audioLevel({ name }: Pick<StoredStream, 'name'>): AudioLevel | null {
    return this.#seen.get(name)?.level ?? null
  }

  /** Resolves when the look under way has ended, soon. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#round
  }

  async #lookAt(streams: readonly StoredStream[]): Promise<void> {
    for (const stream of streams) {
      const row = this.#watched.timelines.window(stream).rows.at(-1)
      if (this.#isStopped) return
      if (row !== undefined) await this.#lookInto(stream, row)
    }
  }

  /** The smallest rendition: all show the same. */
  async #lookInto(stream: StoredStream, row: Row): Promise<void> {
    const { probes, states } = this.#watched
    const key = `${row.source} ${row.number}`
    const before = this.#seen.get(stream.name)
    const tracks = probes.tracks(stream, stream.currentUrl)
    if (before?.row === key || tracks.length === 0) return
    const name = ownSegmentName(renditionsOf(stream) - 1, row.number)
    const folder = this.#watched.folderOf(stream.name)
    const content = await readContent(
      { file: join(folder, row.source, name) },
      {
        hasPicture: tracks.some((track) => track.content === 'video'),
        hasSound: tracks.some((track) => track.content === 'audio'),
      },
    )
    const place = { startsAtMs: row.startsAtMs, durationMs: (row.durationsS[0] ?? 0) * 1000 }
    const known = before?.memory ?? null
    const memory = content === null ? known : watchSegment(known, content, place)
    const level = content === null ? (before?.level ?? null) : levelOf(content, place)
    this.#seen.set(stream.name, { row: key, memory, level })
    if (content === null || memory === null || this.#isStopped) return
    if (content.pictures.length > 0) states.notePicture(stream, pictureKind(memory.picture))
    if (content.peaks.length > 0) states.noteSound(stream, soundKind(memory))
  }
}

function levelOf(
  { channelPeaks }: Content,
  { startsAtMs, durationMs }: { startsAtMs: number; durationMs: number },
): AudioLevel | null {
  if (channelPeaks.length === 0) return null
  return { peak_dbfs: channelPeaks.map(decibels), at: Math.round(startsAtMs + durationMs) }
}
