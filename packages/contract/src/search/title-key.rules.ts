/** The order of titles, the same in the databases and in the console. */
import { foldCase } from './fold.rules.ts'

/**
 * What titles are ordered by: without case and accents, and by their numbers, so that 'Camera 9'
 * stands before 'Camera 10'. Two titles have the same key only if they fold to the same text, so
 * that the key also keeps titles unique.
 *
 * Each number becomes the count of its digits (two digits), the number, and how many zeros it began
 * with, if any: 9 is 019, 10 is 0210, 09 is 0191.
 */
export function titleKey(title: string): string {
  return foldCase(title).replace(/\d+/g, numberKey)
}

/** A title has at most 120 characters; a longer number than 99 digits is only compared as text. */
function numberKey(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, '')
  const zeros = digits.length - significant.length
  const length = String(Math.min(99, significant.length)).padStart(2, '0')
  return `${length}${significant}${zeros === 0 ? '' : zeros}`
}

/** By code units: the same on every machine, and as SQLite compares texts. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
