/** What the history of one link shows: its span, its steps, and the step that is pointed at. */
import { useQuery } from '@tanstack/react-query'
import type { HistorySpan } from '@trunkline/contract/contributions/history.calls'
import { useMemo, useState } from 'react'
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import { historyQuery } from './link-history.queries.ts'
import { gridOf, withPresent } from './history.rules.ts'
import { usePointer } from './pointer.hook.ts'

export function useLinkHistory(kind: ProgramKind, id: string) {
  const [span, setSpan] = useState<HistorySpan>('5m')
  const { data: kept, error, refetch } = useQuery(historyQuery(kind, id, span))
  // The steps of a day are summed up a minute or two late: the present is in the short span.
  const { data: recent } = useQuery({ ...historyQuery(kind, id, '5m'), enabled: span === '24h' })
  const history = useMemo(
    () => (kept !== undefined && span === '24h' ? withPresent(kept, recent?.points ?? []) : kept),
    [kept, recent, span],
  )
  const grid = useMemo(() => (history === undefined ? null : gridOf(history)), [history])
  const pointer = usePointer((grid?.atMs.length ?? 0) - 1)
  return {
    span,
    choose: (next: HistorySpan) => {
      pointer.setPointed(null)
      setSpan(next)
    },
    history,
    grid,
    /** Null while there is something to show. */
    error: history === undefined ? error : null,
    retry: () => void refetch(),
    ...pointer,
  }
}
