/** Who saved meanwhile what stands in the form of a page, for the band that says so. */
import { useQuery } from '@tanstack/react-query'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useRole } from '../../lib/session.ts'
import { lastSaverQuery } from './timeline.queries.ts'

interface Edited {
  state: { news: object | null; version: number | null }
  savedBy: string
}

/** '' where that is not known. A refused save names them; of what was heard by push it is asked. */
export function useLastSaver(kind: ObservedKind, id: string, { state, savedBy }: Edited): string {
  const isAsked = mayDo(useRole(), 'readAudit') && state.news !== null && savedBy === ''
  const query = lastSaverQuery(kind, id, state.version)
  const { data = '' } = useQuery({ ...query, enabled: isAsked })
  return savedBy === '' ? data : savedBy
}
