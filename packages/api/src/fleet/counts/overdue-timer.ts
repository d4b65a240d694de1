/** Programs whose state turns by time alone: what is asked for and does not come. */

import { KindMap } from '../kind-map.ts'

/** They turn together, so that ten thousand that start at once cost no more timers than one. */
const TURN_PACE_MS = 500
/** Some milliseconds of work; the others have their turn soon after. */
const TURNED_AT_ONCE = 250
/** Those of all programs of a large site become due together. */
const LOOKED_AT_AT_ONCE = 5000
/** A host's clock may be wrong by years; a timer of ours reaches no further than weeks. */
const LONGEST_WAIT_MS = 60_000

export class OverdueTimer implements Disposable {
  readonly #clock: () => number
  readonly #onOverdue: (programId: string) => void
  readonly #dueAtMs = new KindMap<number>()
  /** Due, and not turned yet. */
  readonly #overdue = new Set<string>()
  /** What is still to be looked at of `#dueAtMs`; null: nothing before the earliest. */
  #unseen: Iterator<[string, number]> | null = null
  #earliestMs = Infinity
  #timer: NodeJS.Timeout | undefined

  /** `onOverdue` is to say anew when that program is due, or that it is not. */
  constructor(clock: () => number, onOverdue: (programId: string) => void) {
    this.#clock = clock
    this.#onOverdue = onOverdue
  }

  /** null: time alone does not change it. */
  set(programId: string, dueAtMs: number | null): void {
    this.#overdue.delete(programId)
    if (dueAtMs === null) {
      this.#dueAtMs.delete(programId)
      return
    }
    this.#dueAtMs.set(programId, dueAtMs)
    if (dueAtMs >= this.#earliestMs) return
    this.#earliestMs = dueAtMs
    this.#arm()
  }

  /**
   * Turns those that are due by now; whoever reads what depends on them calls this first. Of
   * thousands some: the timer turns the others.
   */
  turn(): void {
    this.#findOverdue()
    if (this.#overdue.size === 0 && this.#unseen === null) return
    let left = TURNED_AT_ONCE
    for (const programId of this.#overdue) {
      if (left-- === 0) break
      this.#overdue.delete(programId)
      this.#onOverdue(programId)
    }
    this.#arm()
  }

  #findOverdue(): void {
    const nowMs = this.#clock()
    if (this.#unseen === null) {
      if (nowMs < this.#earliestMs) return
      this.#earliestMs = Infinity
      this.#unseen = this.#dueAtMs.entries()
    }
    for (let left = LOOKED_AT_AT_ONCE; left > 0; left -= 1) {
      const next = this.#unseen.next()
      if (next.done === true) {
        this.#unseen = null
        return
      }
      const [programId, dueAtMs] = next.value
      if (dueAtMs > nowMs) this.#earliestMs = Math.min(this.#earliestMs, dueAtMs)
      else {
        this.#dueAtMs.delete(programId)
        this.#overdue.add(programId)
      }
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#dueAtMs.clear()
    this.#overdue.clear()
    this.#unseen = null
    this.#earliestMs = Infinity
  }

  #arm(): void {
    clearTimeout(this.#timer)
    if (this.#dueAtMs.size === 0) this.#earliestMs = Infinity
    const isBehind = this.#overdue.size > 0 || this.#unseen !== null
    if (!isBehind && this.#dueAtMs.size === 0) return
    const waitMs = this.#earliestMs - this.#clock()
    this.#timer = setTimeout(
      () => {
        this.turn()
        this.#arm()
      },
      isBehind ? 0 : Math.min(LONGEST_WAIT_MS, Math.max(TURN_PACE_MS, waitMs)),
    )
    this.#timer.unref()
  }
}
