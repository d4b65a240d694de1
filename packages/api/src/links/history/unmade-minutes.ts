/**
 * Of which programs short steps were written since their minutes were made. Whoever writes a step makes
 * its minute, also one that comes late: of several processes the last makes it of the steps of all.
 */
import { LONG_STEP_S, stepStartS, type LinkSample } from './history.rules.ts'

interface Span {
  firstS: number
  lastS: number
}

/** Another process may have ended before it made the minute of the steps that it wrote. */
const LOOKED_BACK_S = 2 * LONG_STEP_S

/** Programs whose minutes are made together: reading their steps takes SQLite some milliseconds. */
const MADE_AT_ONCE = 200

export class UnmadeMinutes {
  readonly #spans = new Map<string, Span>()
  /** Up to where we made the minutes of each. */
  readonly #madeToS = new Map<string, number>()

  add({ programId, atS }: Pick<LinkSample, 'programId' | 'atS'>): void {
    const known = this.#spans.get(programId)
    const firstS = known?.firstS ?? Math.max(this.#madeToS.get(programId) ?? 0, atS - LOOKED_BACK_S)
    this.#spans.set(programId, {
      firstS: Math.min(firstS, atS),
      lastS: Math.max(known?.lastS ?? atS, atS),
    })
  }

  /** Some hundreds each, with the minute from which on theirs are to be made, up to `toS`. */
  partsUpTo(toS: number): { programIds: string[]; fromS: number }[] {
    const due = [...this.#spans].filter(([, { firstS }]) => firstS < toS)
    // By program, as the table is ordered.
    due.sort(([a], [b]) => (a < b ? -1 : 1))
    const count = Math.ceil(due.length / MADE_AT_ONCE)
    return Array.from({ length: count }, (_, at) => {
      const some = due.slice(at * MADE_AT_ONCE, (at + 1) * MADE_AT_ONCE)
      const firstS = Math.min(...some.map(([, span]) => span.firstS))
      return {
        programIds: some.map(([programId]) => programId),
        fromS: stepStartS(firstS * 1000, LONG_STEP_S),
      }
    })
  }

  /** Their minutes are made up to there. */
  made(programIds: readonly string[], toS: number): void {
    for (const programId of programIds) {
      this.#madeToS.set(programId, toS)
      const span = this.#spans.get(programId)
      if (span === undefined) continue
      if (span.lastS < toS) this.#spans.delete(programId)
      else this.#spans.set(programId, { ...span, firstS: toS })
    }
  }

  /** It is gone, or none of ours. */
  forget(programId: string): void {
    this.#madeToS.delete(programId)
  }
}
