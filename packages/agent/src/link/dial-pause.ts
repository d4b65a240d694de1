/** How long a seat waits until it dials its console again: longer from one failure to the next, up to seconds. */

/** How a dial, or the link that came of it, ended. */
export type Ending = 'lost' | 'refused' | 'replaced' | 'other process'

/** A console that is back has its hosts within seconds, and is not called by all of them at once. */
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5000
/** A link that has lasted so long was a good one: the next dial comes soon. */
const GOOD_LINK_MS = 5000

export class DialPause {
  #failures = 0

  reset(): void {
    this.#failures = 0
  }

  /**
   * In ms; half of it by chance, so that hosts do not come back in step after an outage.
   * `linkedMs`: how long the link lasted, 0 where there was none, however long its dial took.
   */
  after(ending: Ending, linkedMs: number): number {
    if (linkedMs > GOOD_LINK_MS) this.#failures = 0
    const grownMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures)
    this.#failures += 1
    // Another agent with the same identity would come back as often: the two must not race.
    const isSlow = ending === 'replaced' || ending === 'refused'
    return (isSlow ? LONGEST_PAUSE_MS : grownMs) * (0.5 + Math.random() / 2)
  }
}
