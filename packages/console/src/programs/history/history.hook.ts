/** What the history of one link shows: its span, its steps, and the step that is pointed at. */
import { useQuery } from '@tanstack/react-query'
import type { HistorySpan } from '@trunkline/contract/contributions/history.calls'
import { type KeyboardEvent, useMemo, useState } from 'react'
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import { historyQuery } from './link-history.queries.ts'
import { gridOf, withPresent } from './history.rules.ts'

export function useLinkHistory(kind: ProgramKind, id: string) {
  const [span, setSpan] = useState<HistorySpan>('5m')
  const [pointed, setPointed] = useState<number | null>(null)
  const { data: kept, isError, refetch } = useQuery(historyQuery(kind, id, span))
  // The steps of a day are summed up a minute or two late: the present is in the short span.
  const { data: recent } = useQuery({ ...historyQuery(kind, id, '5m'), enabled: span === '24h' })
  const history = useMemo(
    () => (kept !== undefined && span === '24h' ? withPresent(kept, recent?.points ?? []) : kept),
    [kept, recent, span],
  )
  const grid = useMemo(() => (history === undefined ? null : gridOf(history)), [history])
  const last = (grid?.atMs.length ?? 0) - 1
  return {
    span,
    choose: (next: HistorySpan) => {
      setPointed(null)
      setSpan(next)
    },
    history,
    grid,
    isFailed: isError && history === undefined,
    retry: () => void refetch(),
    /** Null while nothing is pointed at: then the newest is shown. */
    pointed: pointed === null || pointed > last ? null : pointed,
    setPointed,
    onKeyDown: (event: KeyboardEvent) => {
      const next = stepTo(event.key, pointed ?? last, last)
      if (next === null) return
      event.preventDefault()
      event.stopPropagation()
      setPointed(next === 'none' ? null : next)
    },
  }
}

/** Ten at a time with the page keys. */
const FAR = 10

/** Null for a key that is not ours. */
function stepTo(key: string, from: number, last: number): number | 'none' | null {
  const within = (index: number) => Math.min(last, Math.max(0, index))
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return within(from - 1)
    case 'ArrowRight':
    case 'ArrowUp':
      return within(from + 1)
    case 'PageDown':
      return within(from - FAR)
    case 'PageUp':
      return within(from + FAR)
    case 'Home':
      return 0
    case 'End':
      return last
    case 'Escape':
      return 'none'
    default:
      return null
  }
}
