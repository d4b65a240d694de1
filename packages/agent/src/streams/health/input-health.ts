/**
 * Whether a packager makes pictures, from the readings that its ffmpeg prints twice a second. One
 * that waits for its input prints nothing at all, so silence counts as death. Time is counted in
 * looks: a host that was too busy to look has not seen silence, and its clock may step.
 */
import type { Reading } from '@trunkline/contract/fleet/reading.schema'
import type { InputHealth } from './input-choice.rules.ts'

/** Three reports of a packager. */
export const SILENT_MS = 1500
/** A look that comes later than this tells nothing of the time between. */
export const LONGEST_LOOK_MS = 500

export class InputHealthTracker {
  #lastReadAtMs: number | null = null
  #hasLooked = false
  #silentMs = Infinity
  #wellMs = 0
  /** An input that has shown pictures is not healthy with audio only. */
  #hasHadPictures = false
  #lookedMs = 0
  #advancedAtMs: number | null = null

  /**
   * `reading`: null of a packager that does not run or has not reported yet. `elapsedMs`: since the
   * last look, at most LONGEST_LOOK_MS. `limitMs`: silence after which it is not well.
   */
  look(reading: Reading | null, elapsedMs: number, limitMs: number): void {
    // What an agent that has just begun finds may be old.
    const isNews = reading !== null && reading.atMs !== this.#lastReadAtMs && this.#hasLooked
    this.#lastReadAtMs = reading?.atMs ?? null
    this.#hasLooked = true
    this.#lookedMs += elapsedMs
    if (reading === null) this.#silentMs = Infinity
    else if (isNews && this.#isAdvancing(reading)) {
      this.#silentMs = 0
      this.#advancedAtMs = reading.atMs
    } else this.#silentMs += elapsedMs
    this.#wellMs = this.#silentMs < limitMs ? this.#wellMs + elapsedMs : 0
  }

  /** `limitMs` as above. */
  health(limitMs: number): InputHealth {
    return { isWell: this.#silentMs < limitMs, wellForMs: this.#wellMs }
  }

  /** When new pictures or new sound were reported last, milliseconds since 1970; null for never. */
  get advancedAtMs(): number | null {
    return this.#advancedAtMs
  }

  /** False while it may be well and has had no time to show it. `limitMs` as above. */
  isKnown(limitMs: number): boolean {
    return this.#silentMs < limitMs || this.#lookedMs >= limitMs + LONGEST_LOOK_MS
  }

  /** Pictures, or time of a stream that has sound alone. */
  #isAdvancing(reading: Reading): boolean {
    if (reading.kind !== 'encode') return false
    const hasPictures = reading.framesPerSecond > 0
    this.#hasHadPictures ||= hasPictures
    return hasPictures || (reading.speed > 0 && !this.#hasHadPictures)
  }
}
