/**
 * Publishes that all programs of a host may have changed: when its link comes or goes. A host may have
 * thousands, and each listener looks at all of them.
 */
import { eachInSlices, PART_ROWS } from '../in-slices.ts'

export class ProgramPublisher implements Disposable {
  readonly #publish: (programIds: readonly string[]) => void
  /** What is left of each host, in the order in which their links came or went. */
  readonly #left = new Map<string, Iterable<readonly string[]>>()
  #isPublishing = false

  constructor(publish: (programIds: readonly string[]) => void) {
    this.#publish = publish
  }

  /**
   * The first part at once, the others in slices. Of many hosts one after the other, so that together
   * they wait for no more than a turn.
   */
  publish(host: string, programIds: readonly string[]): void {
    const parts = inParts(programIds)
    // What was left of an earlier round is published again.
    this.#left.delete(host)
    const first = parts.next()
    if (first.done === true) return
    this.#left.set(host, parts)
    this.#publish(first.value)
    if (!this.#isPublishing) void this.#publishLeft()
  }

  [Symbol.dispose](): void {
    this.#left.clear()
  }

  async #publishLeft(): Promise<void> {
    this.#isPublishing = true
    try {
      await eachInSlices(this.#partsLeft(), this.#publish)
    } finally {
      this.#isPublishing = false
    }
  }

  *#partsLeft(): Generator<readonly string[]> {
    for (const [host, parts] of this.#left) {
      for (const part of parts) {
        // Its link has come or gone again meanwhile.
        if (this.#left.get(host) !== parts) break
        yield part
      }
      if (this.#left.get(host) === parts) this.#left.delete(host)
    }
  }
}

function* inParts(programIds: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < programIds.length; from += PART_ROWS) {
    yield programIds.slice(from, from + PART_ROWS)
  }
}
