/**
 * Gathers what encoders and links say into steps of ten seconds, in memory, and keeps each once it is over. It
 * knows no timer: history-recorder.service.ts tells it what was heard, and when to write.
 */
import type { Reading } from '@trunkline/contract/fleet/reading.schema'
import {
  countedSince,
  markOf,
  SHORT_STEP_S,
  stepStartS,
  withReading,
  type LinkSample,
  type Mark,
} from './history.rules.ts'

/** What a host last said of a program. */
export interface Heard {
  reading: Reading | null
  /** API clock, as the reading's. */
  startedAtMs: number | null
}

/** What could not be written is held for some minutes, then given up. */
const HELD_S = 300

export class HistoryRecorder {
  readonly #sinceMs: number
  readonly #marks = new Map<string, Mark>()
  /** By where they begin, then by program. */
  readonly #steps = new Map<number, Map<string, LinkSample>>()
  /** Steps before it are over. */
  #openS = 0

  constructor(nowMs: number) {
    this.#sinceMs = nowMs
  }

  /** Takes a reading once, however often it is reported. */
  hear(programId: string, { reading, startedAtMs }: Heard, nowMs: number): void {
    if (reading === null) return
    const before = this.#markBefore(programId, reading.atMs, nowMs)
    if (before !== null && reading.atMs <= before.atMs) return
    const mark = markOf(reading)
    this.#marks.set(programId, mark)
    // Left over from before, or from a clock that is far off.
    const ageMs = nowMs - reading.atMs
    if (ageMs > SHORT_STEP_S * 1000) return
    const counters = countedSince(before, mark, startedAtMs, this.#sinceMs)
    const atS = Math.max(this.#openS, stepStartS(Math.min(reading.atMs, nowMs), SHORT_STEP_S))
    const step = this.#stepAt(atS)
    const place = { programId, stepS: SHORT_STEP_S, atS }
    step.set(programId, withReading(step.get(programId) ?? null, place, reading, counters))
  }

  /** A clock that was ahead must not silence the link until that time has come. */
  #markBefore(programId: string, atMs: number, nowMs: number): Mark | null {
    const mark = this.#marks.get(programId)
    if (mark === undefined) return null
    const isAhead = mark.atMs > nowMs + SHORT_STEP_S * 1000
    return isAhead && mark.atMs !== atMs ? null : mark
  }

  /** It is gone, or none of ours. */
  forget(programId: string): void {
    this.#marks.delete(programId)
  }

  /** Steps that are over, and now those that were handed back. */
  takeEnded(nowMs: number): LinkSample[] {
    this.#openS = stepStartS(nowMs, SHORT_STEP_S)
    return this.#take((atS) => atS < this.#openS)
  }

  /** The step that is under way as well, for an orderly end. */
  takeAll(): LinkSample[] {
    return this.#take(() => true)
  }

  /** They could not be written: they are tried again with the next. */
  handBack(samples: readonly LinkSample[], nowMs: number): void {
    for (const sample of samples) {
      if (sample.atS < nowMs / 1000 - HELD_S) continue
      this.#stepAt(sample.atS).set(sample.programId, sample)
    }
  }

  #stepAt(atS: number): Map<string, LinkSample> {
    const known = this.#steps.get(atS)
    if (known !== undefined) return known
    const step = new Map<string, LinkSample>()
    this.#steps.set(atS, step)
    return step
  }

  #take(isWanted: (atS: number) => boolean): LinkSample[] {
    const taken: LinkSample[] = []
    for (const [atS, step] of this.#steps) {
      if (!isWanted(atS)) continue
      this.#steps.delete(atS)
      taken.push(...step.values())
    }
    return taken
  }
}
