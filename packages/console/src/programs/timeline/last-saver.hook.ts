/** Who saved meanwhile what stands in the form of a page, for the band that says so. */
import { useQuery } from '@tanstack/react-query'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useRole } from '../../lib/session.ts'

interface Edited {
  state: { news: object | null; version: number | null }
  savedBy: string
}

/** '' where that is not known. A refused save names them; of what was heard by push it is asked. */
export function useLastSaver(kind: ObservedKind, id: string, { state, savedBy }: Edited): string {
  const isAsked = mayDo(useRole(), 'readAudit') && state.news !== null && savedBy === ''
  const { data = '' } = useQuery({
    queryKey: [kind, 'saver', id, state.version],
    // The page needs no events before.
    queryFn: async ({ signal }) =>
      (await import('./timeline.queries.ts')).readLastSaver(kind, id, signal),
    enabled: isAsked,
    gcTime: 0,
    retry: false,
  })
  return savedBy === '' ? data : savedBy
}
