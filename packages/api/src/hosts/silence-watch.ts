/**
 * Notices that the other end of a link is silent. An end that gives signs of life by itself is asked for
 * none: with thousands of links, most of the cost of watching them is to write the questions. It is not
 * silence when this process was held up, by work of its own or on a machine that is too busy, and
 * neither asked nor read what came.
 */

/** In beats: a timer that is so late was held up by this process itself. */
const OWN_STALL_BEATS = 1 / 6
/** In beats: the least time that an answer is given. */
const ANSWER_BEATS = 1 / 2
/**
 * Each of them adds a beat in which this process asks and reads. After so many in a row silence counts
 * all the same: a machine that stays as busy must not hide for ever that a host is gone.
 */
const MOST_STALLS = 5

export interface SilenceOptions {
  /** After so long without a sign of life it is asked for, again and again. */
  beatMs: number
  ask: () => void
  /** At most once. */
  onSilent: () => void
}

/** Asks from the beginning; waits from the first `heard` on. */
export class SilenceWatch {
  readonly #options: SilenceOptions
  readonly #beatTimer: NodeJS.Timeout
  /** Ends the wait; runs only while it is asked, so that signs of life cost no timer. */
  #timer: NodeJS.Timeout | undefined
  #lastLook: NodeJS.Immediate | undefined
  #dueAtMs = Infinity
  /** The first question since it was last heard; null before there is one. */
  #askedAtMs: number | null = null
  #stalls = 0

  constructor(options: SilenceOptions) {
    this.#options = options
    this.#beatTimer = setTimeout(() => this.#ask(), options.beatMs)
  }

  /** `limitMs`: how long the next sign of life is waited for; more than a beat. */
  heard(limitMs: number): void {
    if (this.#askedAtMs !== null) this.#stopWaiting()
    this.#askedAtMs = null
    this.#stalls = 0
    this.#dueAtMs = performance.now() + limitMs
    this.#beatTimer.refresh()
  }

  stop(): void {
    clearTimeout(this.#beatTimer)
    this.#stopWaiting()
  }

  #judge(): void {
    const { beatMs, onSilent } = this.#options
    const lateMs = performance.now() - this.#dueAtMs
    const askedForMs = this.#askedAtMs === null ? 0 : performance.now() - this.#askedAtMs
    const hadItsTime = lateMs <= beatMs * OWN_STALL_BEATS && askedForMs >= beatMs * ANSWER_BEATS
    if (hadItsTime || this.#stalls === MOST_STALLS) {
      // After what has come meanwhile is read.
      this.#lastLook = setImmediate(() => {
        this.stop()
        onSilent()
      })
      return
    }
    this.#stalls += 1
    this.#dueAtMs = performance.now() + beatMs
    this.#timer = undefined
    this.#ask()
  }

  #ask(): void {
    const nowMs = performance.now()
    this.#askedAtMs ??= nowMs
    if (this.#timer === undefined && this.#dueAtMs < Infinity) {
      this.#timer = setTimeout(() => this.#judge(), Math.max(1, this.#dueAtMs - nowMs))
    }
    this.#beatTimer.refresh()
    this.#options.ask()
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    clearImmediate(this.#lastLook)
  }
}
