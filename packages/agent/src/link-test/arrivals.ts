/** Counts the packets of a load that come: each once, however often and in whatever order. */
import type { ReceivedPackets } from '@trunkline/contract/agent/link-test.messages'

export class Arrivals {
  readonly #seen: Uint8Array
  #packets = 0
  #duplicates = 0
  #reordered = 0
  #highest = -1
  #firstAtMs = 0
  #lastAtMs = 0
  /** Arrival minus sending of the packet before: two clocks, of which only differences count. */
  #transitMs: number | null = null
  #changesMs = 0

  /** `most`: sequence numbers from there on are not taken. */
  constructor(most: number) {
    this.#seen = new Uint8Array(most)
  }

  add({ sequence, sentAtMs }: { sequence: number; sentAtMs: number }, nowMs: number): void {
    if (sequence >= this.#seen.length) return
    if (this.#seen[sequence] === 1) {
      this.#duplicates += 1
      return
    }
    this.#seen[sequence] = 1
    if (this.#packets === 0) this.#firstAtMs = nowMs
    this.#packets += 1
    this.#lastAtMs = nowMs
    if (sequence < this.#highest) this.#reordered += 1
    else this.#highest = sequence
    const transitMs = nowMs - sentAtMs
    if (this.#transitMs !== null) this.#changesMs += Math.abs(transitMs - this.#transitMs)
    this.#transitMs = transitMs
  }

  counted(): Omit<ReceivedPackets, 'droppedByHost'> {
    return {
      packets: this.#packets,
      duplicates: this.#duplicates,
      reordered: this.#reordered,
      expected: this.#highest + 1,
      forMs: this.#lastAtMs - this.#firstAtMs,
      jitterMs: this.#packets < 2 ? null : this.#changesMs / (this.#packets - 1),
    }
  }
}
