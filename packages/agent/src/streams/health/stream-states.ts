/**
 * Since when each input of a stream is well or not, since when it is shown, and since
 * when the picture is black or stands still and the sound is silent. Kept in a file: the times
 * outlive a restart of the agent, during which the streams go on.
 */
import { join } from 'node:path'
import { z } from 'zod'
import type { StreamFinding } from '@trunkline/contract/channels/stream.schema'
import type { Context } from '../../context.ts'
import { readJson } from '../../host/files.ts'
import { writePrivateSoon } from '../../supervisor/private-file.ts'
import type { PictureKind, SoundKind } from '../../content/content.rules.ts'
import type { InputHealthTrackers } from './input-healths.ts'
import { listedAtMs } from '../timeline/packager-folder.ts'
import type { StoredStream } from '../definition/stream.schema.ts'
import { hlsId, linkKey, streamKey } from '../programs/stream.units.ts'

/** What something is, and since when: milliseconds since 1970, the host's clock. */
const State = z.object({ value: z.string(), sinceMs: z.number() })
type State = z.infer<typeof State>
const StateFile = z.record(z.string(), State)

export class StreamStates {
  readonly #ctx: Context
  readonly #file: string
  readonly #trackers: InputHealthTrackers
  readonly #folderOf: (name: string) => string
  #states: Map<string, State>
  #isWritten = true
  #isFailing = false

  constructor(
    ctx: Context,
    folder: string,
    inputHealths: InputHealthTrackers,
    folderOf: (name: string) => string,
  ) {
    this.#ctx = ctx
    this.#file = join(folder, 'states.json')
    this.#trackers = inputHealths
    this.#folderOf = folderOf
    this.#states = new Map(Object.entries(readJson(this.#file, StateFile) ?? {}))
  }

  /** Since when the input is well, or not; null while nobody knows. */
  inputSinceMs(stream: StoredStream, url: string): number | null {
    const { isWell } = this.#trackers.health(stream, url)
    return this.#sinceMs(hlsId(stream, url), isWell ? 'well' : 'down')
  }

  /** Since when this input is shown; null when it is not. */
  shownSinceMs(stream: StoredStream, url: string): number | null {
    return this.#sinceMs(shownKey(stream), linkKey(url))
  }

  /** What is to be seen and heard, as it was last looked at; the picture's first. */
  findings(stream: StoredStream): StreamFinding[] {
    const found: [StreamFinding['kind'], string][] = [
      ['black', pictureKey(stream)],
      ['frozen', pictureKey(stream)],
      ['silent', soundKey(stream)],
    ]
    return found.flatMap(([kind, key]) => {
      const since = this.#sinceMs(key, kind)
      return since === null ? [] : [{ kind, since: Math.round(since) }]
    })
  }

  /** Null: not known yet, what was known stays. */
  notePicture(stream: StoredStream, now: { kind: PictureKind; sinceMs: number } | null): void {
    if (now !== null) this.#note(pictureKey(stream), now.kind, now.sinceMs)
    this.#write()
  }

  /** Null as above. */
  noteSound(stream: StoredStream, now: { kind: SoundKind; sinceMs: number } | null): void {
    if (now !== null) this.#note(soundKey(stream), now.kind, now.sinceMs)
    this.#write()
  }

  /** It begins anew: what was before says nothing of now. */
  forget({ name }: Pick<StoredStream, 'name'>): void {
    for (const key of this.#states.keys()) if (key.includes(streamKey(name))) this.#drop(key)
  }

  /** Call after each look at the inputs' health. States of disabled streams are forgotten. */
  observe(streams: readonly StoredStream[]): void {
    const running = streams.filter((stream) => !stream.disabled)
    const kept = new Set(running.flatMap(keysOf))
    for (const key of this.#states.keys()) if (!kept.has(key)) this.#drop(key)
    for (const stream of running) {
      this.#note(shownKey(stream), linkKey(stream.currentUrl), this.#ctx.clock())
      for (const { url } of stream.inputs) this.#observeInput(stream, url)
    }
    this.#write()
  }

  #observeInput(stream: StoredStream, url: string): void {
    const key = hlsId(stream, url)
    if (this.#trackers.health(stream, url).isWell) this.#note(key, 'well', this.#ctx.clock())
    else if (!this.#states.has(key)) this.#note(key, 'down', this.#ctx.clock())
    else if (this.#trackers.isKnown(stream, url))
      this.#note(key, 'down', this.#lostAtMs(stream, url))
  }

  /** The last sign of life: the agent may have been away when it ended. */
  #lostAtMs(stream: StoredStream, url: string): number {
    const advancedAtMs = this.#trackers.advancedAtMs(stream, url)
    const segmentAtMs = listedAtMs(join(this.#folderOf(stream.name), linkKey(url)))
    const lastMs = advancedAtMs ?? segmentAtMs ?? this.#ctx.clock()
    return Math.round(Math.min(lastMs, this.#ctx.clock()))
  }

  #sinceMs(key: string, value: string): number | null {
    const state = this.#states.get(key)
    return state?.value === value ? state.sinceMs : null
  }

  #note(key: string, value: string, sinceMs: number): void {
    if (this.#states.get(key)?.value === value) return
    this.#states.set(key, { value, sinceMs })
    this.#isWritten = false
  }

  #drop(key: string): void {
    this.#states.delete(key)
    this.#isWritten = false
  }

  /** A full disk costs the times their memory, and nothing else. */
  #write(): void {
    if (this.#isWritten) return
    try {
      writePrivateSoon(this.#file, JSON.stringify(Object.fromEntries(this.#states)))
      this.#isWritten = true
      this.#isFailing = false
    } catch (error) {
      const reason = String(error)
      if (!this.#isFailing) this.#ctx.log.warn({ reason }, 'states of streams are not written')
      this.#isFailing = true
    }
  }
}

function keysOf(stream: StoredStream): string[] {
  const own = [shownKey(stream), pictureKey(stream), soundKey(stream)]
  return [...own, ...stream.inputs.map(({ url }) => hlsId(stream, url))]
}

function shownKey({ name }: StoredStream): string {
  return `ch-${streamKey(name)}-shown`
}

function pictureKey({ name }: StoredStream): string {
  return `ch-${streamKey(name)}-picture`
}

function soundKey({ name }: StoredStream): string {
  return `ch-${streamKey(name)}-sound`
}
