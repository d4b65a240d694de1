/** When a host that is away is dialled again. */
import { RESTART_MS, type LinkTiming } from '../link-timing.ts'
import type { AwayLink, DialPace } from './dial-pace.ts'

/** To wake up for each of thousands that are away costs as much as to look whether it is there. */
const ROUND_MS = 250

export class DialRetry {
  readonly #link: AwayLink
  readonly #pace: DialPace
  readonly #timing: LinkTiming
  #failures = 0
  /** When it was online last, by the clock of the process. */
  #leftAtMs = -Infinity
  /** Defined while the next attempt waits for its turn. */
  #timer: NodeJS.Timeout | undefined

  constructor(link: AwayLink, pace: DialPace, timing: LinkTiming) {
    this.#link = link
    this.#pace = pace
    this.#timing = timing
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined
  }

  /** It has been away for longer than a restart takes, and was dialled in vain. */
  get isInVain(): boolean {
    return this.#failures > 0
  }

  begin(): void {
    this.#failures = 0
  }

  arrived(): void {
    this.#failures = 0
    this.#pace.returned(this.#link)
  }

  left(): void {
    this.#leftAtMs = performance.now()
  }

  wait(): void {
    const { retryFirstMs, retryLongestMs } = this.#timing
    // An agent that is restarted is back within seconds: it is not made to wait for its link.
    const isRestart = performance.now() - this.#leftAtMs < RESTART_MS
    const grownMs = Math.min(retryLongestMs, retryFirstMs * 2 ** this.#failures)
    const fullMs = Math.max(grownMs, this.#pace.failed(this.#link, isRestart))
    if (!isRestart) this.#failures++
    // Half of it by chance, so that hosts do not call back in step after an outage.
    const waitMs = fullMs * (0.5 + Math.random() / 2)
    const roundedMs = this.isInVain ? toRound(waitMs, performance.now()) : waitMs
    this.#timer = setTimeout(() => this.#link.dialNow(), roundedMs)
  }

  stopWaiting(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  close(): void {
    this.#pace.forget(this.#link)
  }
}

/** Pure. So much longer that those of a quarter of a second are due together. */
export function toRound(waitMs: number, nowMs: number): number {
  return Math.ceil((nowMs + waitMs) / ROUND_MS) * ROUND_MS - nowMs
}
