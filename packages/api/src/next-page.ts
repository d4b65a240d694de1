/**
 * Pages of a list that grows at its newest end: `next` of an answer, given as `before`, answers what is
 * older.
 */
import { invalid } from './errors.ts'

/** `before` as a caller gave it; '' for the newest. Throws Invalid for what no answer has said. */
export function assertNext(before: string): void {
  if (before !== '' && !/^\S+Z [a-z0-9]+$/.test(before)) {
    throw invalid('before', 'must be the next of an answer.')
  }
}

/** Of the rows found, one more than asked for if there are: those of the page, and where the next begins; '' at the end. */
export function pageOf<T>(
  found: readonly T[],
  limit: number,
  placeOf: (row: T) => { atMs: number; id: string },
): { shown: T[]; next: string } {
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  if (last === undefined || found.length <= limit) return { shown, next: '' }
  const { atMs, id } = placeOf(last)
  return { shown, next: `${new Date(atMs).toISOString()} ${id}` }
}
