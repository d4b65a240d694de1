/** What every proof of `npm run secure` ends with: its figures in one JSON line. */
import { printFigure, type Goal } from '../kit/figure.ts'

/** So many of a kind are in the line: the first ones say what to look for. */
const SHOWN = 20

interface Proof {
  ours: object
  /** The floor, of the same run. */
  limit?: object
  faults: readonly string[]
  goals: Goal[]
}

/** `faults`: sentences, none of which should be there; the first are printed. Answers the goals that are missed. */
export function printProof(name: string, { ours, limit = {}, faults, goals }: Proof): Goal[] {
  printFigure({
    bench: name,
    rounds: 1,
    ours: { ...ours, faults: faults.slice(0, SHOWN) },
    limit,
    goals,
  })
  return goals.filter(({ ok }) => !ok)
}
