/**
 * Which files of a run get a second try, and what both tries come to (docs/adr/0013). Pure.
 */
import { sum } from './counts.mjs'

/**
 * @typedef {import('./counts.mjs').Counts} Counts
 * @typedef {import('./counts.mjs').FileCounts} FileCounts
 */

/** A machine that is slow for a moment spoils one file or two; when more fail, the product is at fault. */
export const MOST_FILES = 3

/**
 * The files with a failure when they may be tried again: those under the folder, if they are few.
 * @param {readonly FileCounts[]} first
 * @param {string} folder from the repository's root, such as 'e2e/'
 * @returns {string[]}
 */
export function filesToTryAgain(first, folder) {
  const failed = first.filter((counts) => counts.failed > 0 && counts.file.startsWith(folder))
  return failed.length > MOST_FILES ? [] : failed.map((counts) => counts.file)
}

/**
 * The second try of a file counts in place of its first; what failed first is reported too.
 * @param {readonly FileCounts[]} first
 * @param {Counts} second of all files that were tried again
 * @param {readonly string[]} files those
 * @returns {{ counts: Counts, firstFailures: string[] }}
 */
export function afterSecondTry(first, second, files) {
  const isAgain = (/** @type {FileCounts} */ counts) => files.includes(counts.file)
  return {
    counts: sum([...first.filter((counts) => !isAgain(counts)), second]),
    firstFailures: first.filter(isAgain).flatMap((counts) => counts.failures),
  }
}

/**
 * The end of a run tells of each check that needed a second try, so that nobody overlooks a fault
 * that comes and goes.
 * @param {readonly string[]} firstFailures
 * @returns {string[]} nothing when there was none
 */
export function secondTryLines(firstFailures) {
  if (firstFailures.length === 0) return []
  return [
    '\nNeeded a second try, with what failed at first:',
    ...firstFailures.map((failure) => `  ${failure}`),
  ]
}
