/**
 * Pictures of running encoders. A host is asked once per picture, however many browsers look: one
 * question is in flight per encoder, and its answer is kept for whoever asks next.
 */
import type { Thumbnail } from '@trunkline/contract/agent/program.messages'
import type { readThumbnail } from '@trunkline/contract/encoders/encoder.calls'
import type { ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { HostAddress } from '../../hosts/host-address.ts'
import { HostFault } from '../../hosts/host-fault.ts'
import { programIdOf } from '../../programs/wanted-program.ts'
import type { Actor } from '../../security/actor.ts'
import { encoderScope } from '../encoder-scope.ts'
import * as encoderStore from '../encoder.store.ts'
import { isLargerThan } from './jpeg-size.rules.ts'

export interface ThumbnailPace {
  /** How often a host takes a picture: it is not asked for the next one before. */
  pictureMs: number
  /** When it had none yet, or has just been asked. */
  againMs: number
  /** When it could not answer. */
  failedMs: number
}

const THUMBNAIL_PACE: ThumbnailPace = { pictureMs: 4000, againMs: 1000, failedMs: 10_000 }
/** All pictures together: some thousand ordinary ones. A host may send 200 kB each. */
const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024
/** FF D8 FF, the beginning of every JPEG, in Base64. */
const JPEG_BASE64 = /^\/9j\/[A-Za-z0-9+/]+={0,2}$/

/** Agents make 320; what claims far more is no picture of theirs. */
const MAX_SIDE_PIXELS = 1024

interface Kept {
  /** A picture of another process, or by another clock, is none. */
  run: string
  /** API clock; null: the host had none. */
  picture: Thumbnail | null
  /** The same moment in the host's clock, to ask for what is newer. */
  hostTakenAtMs: number
  /** Monotonic clock. */
  askAgainAtMs: number
}

interface Sitter {
  id: string
  address: HostAddress
  run: string
}

export class Thumbnails {
  readonly #ctx: Context
  readonly #pace: ThumbnailPace
  readonly #asking = new Map<string, Promise<Kept>>()
  /** Least recently looked at first. */
  readonly #kept = new Map<string, Kept>()
  #keptCharacters = 0

  constructor(ctx: Context, pace: ThumbnailPace = THUMBNAIL_PACE) {
    this.#ctx = ctx
    this.#pace = pace
  }

  /** `afterMs`: API clock. null when there is none, whatever the reason; 404 for an encoder that is not seen. */
  async read(actor: Actor, id: string, afterMs: number): Promise<ReplyOf<typeof readThumbnail>> {
    const place = await encoderStore.findPlace(this.#ctx.db, id, encoderScope(actor))
    if (place === null) throw notFound('encoder')
    const address = { host: place.ip, port: place.port }
    const program = this.#ctx.board.program(programIdOf('encoder', id))
    if (program?.state !== 'running') {
      this.#forget(id)
      return { status: true, data: null }
    }
    const run = `${program.pid} ${this.#ctx.hosts.clockOffsetMs(address)}`
    const { picture } = await this.#newest({ id, address, run })
    const isNewer = picture !== null && picture.takenAtMs > afterMs
    return { status: true, data: isNewer ? picture : null }
  }

  async #newest(sitter: Sitter): Promise<Kept> {
    const { id, run } = sitter
    const kept = this.#kept.get(id)
    if (kept?.run === run && performance.now() < kept.askAgainAtMs) {
      this.#keep(id, kept)
      return kept
    }
    const key = `${id} ${run}`
    const asking = this.#asking.get(key)
    if (asking !== undefined) return asking
    const asked = this.#ask(sitter, kept?.run === run ? kept : null).finally(() =>
      this.#asking.delete(key),
    )
    this.#asking.set(key, asked)
    return asked
  }

  async #ask({ id, address, run }: Sitter, before: Kept | null): Promise<Kept> {
    const hostTakenAtMs = before?.hostTakenAtMs ?? 0
    const { picture, waitMs } = await this.#answer(id, address, hostTakenAtMs)
    const askAgainAtMs = performance.now() + waitMs
    const known = before ?? { run, picture: null, hostTakenAtMs }
    const next =
      picture === null
        ? { ...known, askAgainAtMs }
        : {
            run,
            picture: { ...picture, takenAtMs: this.#toApiClock(address, picture.takenAtMs) },
            hostTakenAtMs: picture.takenAtMs,
            askAgainAtMs,
          }
    this.#keep(id, next)
    return next
  }

  /** What a host cannot say is no picture, and no error to whoever looks. */
  async #answer(
    id: string,
    address: HostAddress,
    newerThanMs: number,
  ): Promise<{ picture: Thumbnail | null; waitMs: number }> {
    const { pictureMs, againMs, failedMs } = this.#pace
    const programId = programIdOf('encoder', id)
    try {
      const question = { programId, newerThanMs }
      const { picture } = await this.#ctx.hosts.call(address, 'readThumbnail', question)
      if (picture === null) return { picture, waitMs: againMs }
      if (!isSmallJpeg(picture)) return { picture: null, waitMs: failedMs }
      const ageMs = this.#ctx.clock() - this.#toApiClock(address, picture.takenAtMs)
      return { picture, waitMs: Math.max(againMs, pictureMs - Math.max(0, ageMs)) }
    } catch (error) {
      if (error instanceof AppError || error instanceof HostFault) {
        return { picture: null, waitMs: failedMs }
      }
      throw error
    }
  }

  /** Never in the future, whatever the host's clock does: age is counted from it. */
  #toApiClock(address: HostAddress, hostMs: number): number {
    const atMs = Math.round(hostMs + this.#ctx.hosts.clockOffsetMs(address))
    return Math.min(atMs, this.#ctx.clock())
  }

  #keep(id: string, kept: Kept): void {
    this.#forget(id)
    this.#kept.set(id, kept)
    this.#keptCharacters += sizeOf(kept)
    for (const oldest of this.#kept.keys()) {
      if (this.#keptCharacters <= MAX_KEPT_CHARACTERS) return
      this.#forget(oldest)
    }
  }

  #forget(id: string): void {
    const kept = this.#kept.get(id)
    if (kept === undefined) return
    this.#kept.delete(id)
    this.#keptCharacters -= sizeOf(kept)
  }
}

function isSmallJpeg({ jpegBase64 }: Thumbnail): boolean {
  if (!JPEG_BASE64.test(jpegBase64)) return false
  return !isLargerThan(Buffer.from(jpegBase64, 'base64'), MAX_SIDE_PIXELS)
}

/** An entry without a picture costs memory too. */
const EMPTY_ENTRY_CHARACTERS = 200

function sizeOf({ picture }: Kept): number {
  return EMPTY_ENTRY_CHARACTERS + (picture?.jpegBase64.length ?? 0)
}
