/** What the palette asks for. */
import { queryOptions } from '@tanstack/react-query'
import { searchObjects } from '@trunkline/contract/search/search.calls'
import { call } from '../../lib/call.ts'
import { isSearched } from './typed.rules.ts'

/** States are pushed; titles may change meanwhile, so nothing is kept for longer than it is shown. */
const FRESH = { staleTime: 0, gcTime: 0 } as const

/** `text` comes back with the answer: what was typed since may be something else. A new question aborts the old one. */
export function searchQuery(text: string) {
  return queryOptions({
    ...FRESH,
    queryKey: ['search', text],
    queryFn: async ({ signal }) => {
      const { data, more } = await call(searchObjects, { query: { q: text }, signal })
      return { text, data, more }
    },
    enabled: isSearched(text),
    placeholderData: (before) => before,
  })
}

/** These objects as they are now; those that are gone, or out of sight, are left out. */
export function recentQuery(keys: readonly string[]) {
  return queryOptions({
    ...FRESH,
    queryKey: ['search', 'recent', keys.join(',')],
    queryFn: async ({ signal }) =>
      (await call(searchObjects, { query: { keys: keys.join(',') }, signal })).data,
    enabled: keys.length > 0,
  })
}
