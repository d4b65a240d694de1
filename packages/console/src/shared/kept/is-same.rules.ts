/** Whether two values of a form say the same. Pure. */

/** Lists are the same when their rows are. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  return typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b)
}
