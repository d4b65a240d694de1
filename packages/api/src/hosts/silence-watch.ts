/**
 * Notices that the other end of a link is silent. It is not silence when this process was held up,
 * by work of its own or on a machine that is too busy, and neither asked nor read what came.
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
  /** How often a sign of life is asked for. */
  beatMs: number
  ask: () => void
  /** At most once. */
  onSilent: () => void
}

/** Asks from the beginning; waits from the first `heard` on. */
export class SilenceWatch {
  readonly #options: SilenceOptions
  readonly #beatTimer: NodeJS.Timeout
  #timer: NodeJS.Timeout | undefined
  #lastLook: NodeJS.Immediate | undefined
  /** The first question since it was last heard; null before there is one. */
  #askedAtMs: number | null = null
  #stalls = 0

  constructor(options: SilenceOptions) {
    this.#options = options
    this.#beatTimer = setInterval(() => this.#ask(), options.beatMs)
  }

  /** `limitMs`: how long the next sign of life is waited for. */
  heard(limitMs: number): void {
    this.#askedAtMs = null
    this.#stalls = 0
    this.#wait(limitMs)
  }

  stop(): void {
    clearInterval(this.#beatTimer)
    this.#stopWaiting()
  }

  #wait(limitMs: number): void {
    this.#stopWaiting()
    const dueAtMs = performance.now() + limitMs
    this.#timer = setTimeout(() => this.#judge(performance.now() - dueAtMs), limitMs)
  }

  #judge(lateMs: number): void {
    const { beatMs, onSilent } = this.#options
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
    this.#ask()
    this.#wait(beatMs)
  }

  #ask(): void {
    this.#askedAtMs ??= performance.now()
    this.#options.ask()
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#lastLook)
  }
}
