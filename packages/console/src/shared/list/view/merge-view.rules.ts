/** What a browser kept of lists before accounts did, and what becomes of it. */
import {
  MOST_SAVED_FILTERS,
  type ListView,
  type SavedFilter,
} from '@trunkline/contract/users/list-view.schema'
import type { ListView as BrowserView } from '../../../lib/storage.ts'

/**
 * Adds it to what the account has. A filter that is there
 * already is not added again; of another one of its name both stay. `left`: those beyond the limit.
 */
export function mergeBrowserView(
  view: ListView,
  { hidden, saved }: Pick<BrowserView, 'hidden' | 'saved'>,
): { view: ListView; left: SavedFilter[] } {
  const merged = [...view.saved]
  const left: SavedFilter[] = []
  for (const filter of saved) {
    const name = freeName(filter, merged)
    if (name === null) continue
    if (merged.length < MOST_SAVED_FILTERS) merged.push({ ...filter, name })
    else left.push(filter)
  }
  // Whoever has arranged the list since has chosen the columns anew.
  const columns = view.version === 0 ? hidden : view.hidden
  return { view: { ...view, hidden: columns, saved: merged }, left }
}

/** Null for a filter that is among them, under its name or with a number behind it. */
function freeName({ name, values }: SavedFilter, saved: readonly SavedFilter[]): string | null {
  for (let no = 1; ; no++) {
    const tried = no === 1 ? name : `${name.slice(0, 50)} (${no})`
    const known = saved.find((other) => other.name === tried)
    if (known === undefined) return tried
    if (sortedText(known.values) === sortedText(values)) return null
  }
}

function sortedText(values: SavedFilter['values']): string {
  return JSON.stringify(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
