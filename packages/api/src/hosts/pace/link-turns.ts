/**
 * Does what links do a few at a time. Thousands of them may end in the same moment, as when a proxy before them stops, or
 * may be due to be asked for a sign of life: each takes up to some tenths of a millisecond.
 */

/** Whoever waits behind a crowd of them is served between two slices. */
const SLICE_MS = 1

export class LinkTurns {
  readonly #waiting: (() => void)[] = []
  /** In this turn of the event loop. */
  #spentMs = 0
  #isTurnComing = false

  /** At once where there is little to do; else in one of the next turns, in the order in which it came. */
  add(act: () => void): void {
    this.#turnSoon()
    if (this.#waiting.length > 0 || this.#spentMs >= SLICE_MS) this.#waiting.push(act)
    else this.#run(act)
  }

  #turnSoon(): void {
    if (this.#isTurnComing) return
    this.#isTurnComing = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#isTurnComing = false
    this.#spentMs = 0
    while (this.#spentMs < SLICE_MS) {
      const act = this.#waiting.shift()
      if (act === undefined) return
      this.#run(act)
    }
    this.#turnSoon()
  }

  #run(act: () => void): void {
    const startMs = performance.now()
    act()
    this.#spentMs += performance.now() - startMs
  }
}
