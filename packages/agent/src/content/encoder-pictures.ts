/**
 * Whether the picture of each encoder is black or stands still, from the small pictures that it writes
 * of its source every two seconds. A source that is frozen gives the same file again, to the byte; a
 * picture that may be black is small, and only that is decoded.
 */
import { lookAgain, type PictureMemory } from '@trunkline/contract/channels/picture.rules'
import type { Program, SeenContent } from '../programs/program.ts'
import { pictureKind } from './content.rules.ts'
import { readContent } from './read-content.ts'

interface SmallPicture {
  bytes: Buffer
  takenAtMs: number
}

export interface EncoderPicturesOptions {
  clock: () => number
  /** Encoders that run now. */
  encoders: () => readonly Program[]
  /** The newest after that moment; null: there is none. */
  pictureOf: (program: Program, newerThanMs: number) => SmallPicture | null
  onContent: (program: Program, content: SeenContent | null) => void
  lookMs?: number
}

const LOOK_MS = 1000
/** After so long without a new picture nothing is said of it. */
const MISSED_AFTER_MS = 20_000
/** Measured: black with the noise of a camera makes 0.6 to 4.9 kB of 320 x 180, a test pattern 7 kB. */
export const BLACK_BYTES = 6000

interface Seen {
  startedAtMs: number
  last: SmallPicture | null
  firstAtMs: number
  stillSinceMs: number
  black: PictureMemory | null
}

export class EncoderPictures implements AsyncDisposable {
  readonly #options: EncoderPicturesOptions
  readonly #seen = new Map<string, Seen>()
  #round: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(options: EncoderPicturesOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#look(), options.lookMs ?? LOOK_MS)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    await this.#round
  }

  #look(): void {
    this.#round ??= this.#lookAtAll().finally(() => {
      this.#round = null
    })
  }

  async #lookAtAll(): Promise<void> {
    const encoders = this.#options.encoders()
    const ids = new Set(encoders.map(({ id }) => id))
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id)
    for (const encoder of encoders) {
      if (this.#timer === undefined) return
      await this.#lookAt(encoder)
    }
  }

  async #lookAt(program: Program): Promise<void> {
    const { clock, pictureOf, onContent } = this.#options
    const startedAtMs = program.startedAtMs ?? 0
    const known = this.#seen.get(program.id)
    const before = known?.startedAtMs === startedAtMs ? known : newSeen(startedAtMs, clock())
    this.#seen.set(program.id, before)
    const lastAtMs = before.last?.takenAtMs ?? startedAtMs
    const picture = pictureOf(program, lastAtMs)
    if (picture === null) {
      const isMissed = clock() - Math.max(lastAtMs, before.firstAtMs) > MISSED_AFTER_MS
      if (isMissed && program.lastLook.content?.picture !== null) onContent(program, null)
      return
    }
    const seen = await next(before, picture)
    this.#seen.set(program.id, seen)
    onContent(program, { atMs: picture.takenAtMs, picture: kindOf(seen), sound: null })
  }
}

function newSeen(startedAtMs: number, nowMs: number): Seen {
  return { startedAtMs, last: null, firstAtMs: nowMs, stillSinceMs: nowMs, black: null }
}

async function next(before: Seen, picture: SmallPicture): Promise<Seen> {
  const { bytes, takenAtMs } = picture
  const { last } = before
  const isSame = last?.bytes.equals(bytes) === true
  return {
    ...before,
    last: picture,
    firstAtMs: last === null ? takenAtMs : before.firstAtMs,
    stillSinceMs: isSame ? before.stillSinceMs : takenAtMs,
    black: isSame ? before.black : await lookForBlack(before.black, picture),
  }
}

async function lookForBlack(
  before: PictureMemory | null,
  { bytes, takenAtMs }: SmallPicture,
): Promise<PictureMemory | null> {
  if (bytes.length > BLACK_BYTES) return null
  const tracks = { hasPicture: true, hasSound: false }
  const content = await readContent({ bytes, format: 'jpeg_pipe' }, tracks)
  const points = content?.pictures[0]
  return points === undefined ? null : lookAgain(before, points, takenAtMs)
}

function kindOf({ last, firstAtMs, stillSinceMs, black }: Seen): SeenContent['picture'] {
  const blackSinceMs = black?.blackSinceMs ?? null
  return pictureKind({ blackSinceMs, stillSinceMs, firstAtMs, untilMs: last?.takenAtMs ?? 0 })
}
