/** The clock references of one PID: how far apart they are, and how steadily they arrive. */
import type { PcrTiming } from '@trunkline/contract/fleet/transport.schema'
import { PCR_ADVISED_MS, PCR_LIMIT_MS } from '@trunkline/contract/fleet/transport.rules'

const TICKS_PER_MS = 27_000
/** 33 bits of 90 kHz, 300 ticks each: it begins anew after 26.5 hours. */
const WRAP_TICKS = 2 ** 33 * 300
/** Clock references that differ from the time that has passed by more than this have jumped. */
const JUMP_MS = 1000

export class PcrClock {
  readonly pid: number
  #ticks = 0
  #atMs = 0
  #isKnown = false
  /** Since the reference that the arrivals are measured from. */
  #elapsedMs = 0
  #baseAtMs = 0
  #count = 0
  #longestMs = 0
  #over40 = 0
  #over100 = 0
  #jumps = 0
  #earliestMs = Infinity
  #latestMs = -Infinity
  #jitterMs = 0

  constructor(pid: number) {
    this.pid = pid
  }

  /** The next one begins anew: it was announced so, or nothing came for a while. */
  restart(): void {
    this.#isKnown = false
  }

  came(ticks: number, nowMs: number): void {
    this.#count += 1
    if (!this.#isKnown) {
      this.#begin(ticks, nowMs)
      return
    }
    const forward = (ticks - this.#ticks + WRAP_TICKS) % WRAP_TICKS
    const ms = (forward > WRAP_TICKS / 2 ? forward - WRAP_TICKS : forward) / TICKS_PER_MS
    if (ms < 0 || Math.abs(ms - (nowMs - this.#atMs)) > JUMP_MS) {
      this.#jumps += 1
      this.#begin(ticks, nowMs)
      return
    }
    this.#ticks = ticks
    this.#atMs = nowMs
    this.#longestMs = Math.max(this.#longestMs, ms)
    if (ms > PCR_LIMIT_MS) this.#over100 += 1
    if (ms > PCR_ADVISED_MS) this.#over40 += 1
    this.#elapsedMs += ms
    this.#arrived(nowMs - this.#baseAtMs - this.#elapsedMs)
  }

  take(): PcrTiming {
    this.#endSpan()
    const taken = {
      pid: this.pid,
      count: this.#count,
      longestIntervalMs: this.#longestMs,
      over40Ms: this.#over40,
      over100Ms: this.#over100,
      jumps: this.#jumps,
      jitterMs: this.#jitterMs,
    }
    this.#count = 0
    this.#longestMs = 0
    this.#over40 = 0
    this.#over100 = 0
    this.#jumps = 0
    this.#jitterMs = 0
    return taken
  }

  #begin(ticks: number, nowMs: number): void {
    this.#endSpan()
    this.#ticks = ticks
    this.#atMs = nowMs
    this.#isKnown = true
    this.#elapsedMs = 0
    this.#baseAtMs = nowMs
    this.#arrived(0)
  }

  #arrived(delayMs: number): void {
    this.#earliestMs = Math.min(this.#earliestMs, delayMs)
    this.#latestMs = Math.max(this.#latestMs, delayMs)
  }

  /** Arrivals are compared with those of the same reference only. */
  #endSpan(): void {
    if (this.#latestMs > this.#earliestMs) {
      this.#jitterMs = Math.max(this.#jitterMs, this.#latestMs - this.#earliestMs)
    }
    this.#earliestMs = Infinity
    this.#latestMs = -Infinity
  }
}
