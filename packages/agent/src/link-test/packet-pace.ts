/** When the packets of a load are due: evenly, each at its own time. */
import { TEST_PACKET_BYTES } from '@trunkline/contract/link-tests/link-test.rules'

/** What is late by more is not sent at all: a burst would fill buffers that a stream does not. */
const MOST_LATE_MS = 5

export class PacketPace {
  readonly #intervalMs: number
  #nextAtMs: number

  constructor(rateKbps: number, beginAtMs: number) {
    this.#intervalMs = (TEST_PACKET_BYTES * 8) / rateKbps
    this.#nextAtMs = beginAtMs
  }

  /** How many are to be sent now. */
  due(nowMs: number): number {
    this.#nextAtMs = Math.max(this.#nextAtMs, nowMs - MOST_LATE_MS)
    if (nowMs < this.#nextAtMs) return 0
    const packets = Math.floor((nowMs - this.#nextAtMs) / this.#intervalMs) + 1
    this.#nextAtMs += packets * this.#intervalMs
    return packets
  }
}
