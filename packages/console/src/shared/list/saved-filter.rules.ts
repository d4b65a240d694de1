/** How a saved filter may be called. */
import type { SavedFilter } from '../../lib/storage.ts'

/** A sentence, '' for a good name. `own`: the filter that has it already. */
export function checkName(
  typed: string,
  saved: readonly SavedFilter[],
  own: SavedFilter | null,
): string {
  const name = typed.trim()
  if (name === '') return 'Type a name.'
  const isTaken = saved.some((other) => other !== own && other.name === name)
  return isTaken ? `Another saved filter is called '${name}'. Choose another name.` : ''
}
