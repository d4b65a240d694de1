/** For how long states were shown wrongly, or not at all, over many faults. Pure. */
import type { ProgramState } from '@trunkline/contract/program-state'

interface State {
  state: ProgramState
  pid: number | null
}

/** What is shown is allowed to lag behind the truth for so long (a restart takes its time to be told). */
const WRONG_AFTER_MS = 2000
/** After a repair the console has to know everything again within this. */
const UNKNOWN_AFTER_MS = 10_000

const NOT_KNOWN: ReadonlySet<ProgramState> = new Set(['unreachable', 'unknown'])

/** Give it what is true and what is shown of each program again and again. */
export class ShownTruth {
  readonly #differsSinceMs = new Map<string, number>()
  #lastMs: number | null = null
  wrongMs = 0
  unknownMs = 0
  /** For the report: the first few of each. */
  readonly examples: string[] = []

  /**
   * `repairedAtMs`: when the last fault was repaired; null while one lasts. `real`: null of a host whose
   * supervisord does not answer, which proves nothing.
   */
  look(
    atMs: number,
    repairedAtMs: number | null,
    hosts: readonly {
      real: ReadonlyMap<string, State> | null
      shown: ReadonlyMap<string, State>
    }[],
  ): void {
    const stepMs = atMs - (this.#lastMs ?? atMs)
    this.#lastMs = atMs
    const isLate = repairedAtMs !== null && atMs - repairedAtMs > UNKNOWN_AFTER_MS
    for (const { real, shown } of hosts) {
      if (real === null) continue
      for (const [program, { state, pid }] of shown) {
        if (NOT_KNOWN.has(state)) {
          this.#differsSinceMs.delete(program)
          if (isLate) this.#note(program, state, () => (this.unknownMs += stepMs))
          continue
        }
        const now = real.get(program) ?? { state: 'absent', pid: null }
        if (now.state === state && (now.pid === pid || state !== 'running')) {
          this.#differsSinceMs.delete(program)
          continue
        }
        const sinceMs = this.#differsSinceMs.get(program) ?? atMs
        this.#differsSinceMs.set(program, sinceMs)
        if (atMs - sinceMs > WRONG_AFTER_MS) {
          this.#note(program, `${state}, is ${now.state}`, () => (this.wrongMs += stepMs))
        }
      }
    }
  }

  #note(program: string, what: string, count: () => void): void {
    count()
    if (this.examples.length < EXAMPLES) this.examples.push(`${program} shown as ${what}`)
  }
}

const EXAMPLES = 10
