/**
 * Looks now and then at picture and sound of what local buses carry, in the packets that the checks of
 * transport streams have read. A look costs 0.12 s of a core, nearly all of it the start of ffmpeg: a
 * bus that is well is looked at once a minute, and one that may not be so again with its next sample.
 */
import type {
  MeasuredTransport,
  TransportContent,
} from '@trunkline/contract/fleet/transport.schema'
import { setTimeout as wait } from 'node:timers/promises'
import {
  decibels,
  pictureKind,
  soundKind,
  watchSegment,
  type ContentMemory,
} from './content.rules.ts'
import { readContent, type Content, type ContentTracks } from './read-content.ts'

export interface ContentPace {
  /** From one look at a bus to the next, while it is sampled, and while it is read without gaps. */
  sampledMs: number
  continuousMs: number
  /** After each look, so that all of them together take at most a tenth of a core. */
  restMs: number
}
const PACE: ContentPace = { sampledMs: 60_000, continuousMs: 6000, restMs: 1000 }

type Mode = MeasuredTransport['mode']

/** Between looks further apart than this anything may have been. */
const LONGEST_GAP_MS = 15_000
/** A sample may be shorter than the distance of two key frames; after so many it is unknown. */
const LOOKS_IN_VAIN = 3

interface Piece {
  bytes: Uint8Array
  tracks: ContentTracks
  startsAtMs: number
  durationMs: number
  everyMs: number
}

const NOTHING = { pictures: [], peaks: [] }

interface Seen {
  /** Null before the first look. */
  content: TransportContent | null
  memory: ContentMemory | null
  /** How many looks in a row have found no key frame or, without a picture, no sound. */
  looksInVain: number
  askedAtMs: number
}

export interface BusContentsOptions {
  clock: () => number
  onContent: (key: string, content: TransportContent) => void
  pace?: ContentPace
}

export class BusContents {
  readonly #options: BusContentsOptions
  readonly #pace: ContentPace
  readonly #seen = new Map<string, Seen>()
  /** The newest of each bus. */
  readonly #waiting = new Map<string, Piece>()
  readonly #end = new AbortController()
  #working: Promise<void> | null = null

  constructor(options: BusContentsOptions) {
    this.#options = options
    this.#pace = options.pace ?? PACE
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    this.#waiting.clear()
    await this.idle()
  }

  of(key: string): TransportContent | null {
    return this.#seen.get(key)?.content ?? null
  }

  /** It is not well as far as was seen, or was not looked at for long enough to say. */
  isSuspect(key: string): boolean {
    const memory = this.#seen.get(key)?.memory ?? null
    if (memory === null) return false
    const isPictureWell = memory.picture === null || pictureKind(memory.picture)?.kind === 'moving'
    return !isPictureWell || isSilentThroughout(memory)
  }

  isDue(key: string, mode: Mode): boolean {
    const known = this.#seen.get(key)
    if (known === undefined || this.isSuspect(key)) return true
    return this.#options.clock() - known.askedAtMs >= this.#everyMs(mode)
  }

  /** `bytes`: whole packets, of the last `durationMs`. */
  look(
    key: string,
    mode: Mode,
    { bytes, tracks, durationMs }: Pick<Piece, 'bytes' | 'tracks' | 'durationMs'>,
  ): void {
    const nowMs = this.#options.clock()
    const known = this.#seen.get(key) ?? { content: null, memory: null, looksInVain: 0 }
    this.#seen.set(key, { ...known, askedAtMs: nowMs })
    const everyMs = this.#everyMs(mode)
    const startsAtMs = nowMs - durationMs
    this.#waiting.set(key, { bytes, tracks, startsAtMs, durationMs, everyMs })
    this.#working ??= this.#work().finally(() => {
      this.#working = null
    })
  }

  /** All that was to be looked at has been. */
  async idle(): Promise<void> {
    await this.#working
  }

  forget(key: string): void {
    this.#seen.delete(key)
    this.#waiting.delete(key)
  }

  #everyMs(mode: Mode): number {
    return mode === 'continuous' ? this.#pace.continuousMs : this.#pace.sampledMs
  }

  async #work(): Promise<void> {
    for (;;) {
      const [next] = this.#waiting
      if (next === undefined || this.#end.signal.aborted) return
      const [key, piece] = next
      this.#waiting.delete(key)
      const content = await readContent({ bytes: piece.bytes, format: 'mpegts' }, piece.tracks)
      this.#note(key, piece, content)
      await wait(this.#pace.restMs, undefined, { signal: this.#end.signal }).catch(() => undefined)
    }
  }

  /** Null: nothing of it could be decoded. */
  #note(key: string, piece: Piece, content: Content | null): void {
    const known = this.#seen.get(key)
    if (known === undefined || this.#end.signal.aborted) return
    const { pictures, peaks } = content ?? NOTHING
    const hasFound = (piece.tracks.hasPicture ? pictures : peaks).length > 0
    const looksInVain = hasFound ? 0 : known.looksInVain + 1
    const isUnknown = looksInVain >= LOOKS_IN_VAIN
    this.#seen.set(key, { ...known, looksInVain })
    // What was found before stands until then, with its age.
    if (content === null && !isUnknown) return
    const { startsAtMs, durationMs, everyMs } = piece
    const isNear = known.memory !== null && startsAtMs - known.memory.untilMs <= LONGEST_GAP_MS
    const before = isNear ? known.memory : null
    const kept = before === null || !isUnknown ? before : { ...before, picture: null }
    const memory = watchSegment(kept, { pictures, peaks }, { startsAtMs, durationMs })
    const seen: TransportContent = {
      atMs: memory.untilMs,
      everyMs,
      picture: pictureKind(memory.picture),
      sound: peaks.length === 0 ? null : soundKind(memory),
      peakDbfs: peaks.length === 0 ? null : decibels(Math.max(...peaks)),
    }
    this.#seen.set(key, { ...known, looksInVain, memory, content: seen })
    this.#options.onContent(key, seen)
  }
}

/** Over the whole of the last look: a pause at its end is none. */
function isSilentThroughout({ silentSinceMs, untilMs }: ContentMemory): boolean {
  return silentSinceMs !== null && untilMs - silentSinceMs >= SILENT_LOOK_MS
}

/** Shorter than a sample, longer than a pause between two words. */
const SILENT_LOOK_MS = 1500
