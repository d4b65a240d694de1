/** The last five minutes of an encoder or link: what the API kept, then what this browser has seen itself. */
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import { useHistory } from '../../lib/live/live-hooks.ts'
import type { Sample } from '../../lib/live/live-store.ts'
import { recentQuery } from './link-history.queries.ts'
import { mergedSamples } from './link-history.rules.ts'

/**
 * Around the rows of a table of links, or the cards of encoders: the kind of what is within, whose
 * sparklines then begin with what the API kept, so that a page is full at its opening. Rows that are
 * drawn together are asked for in one call, so it may stand around a table of any length, rows drawn
 * as they scroll into sight included. Null for none.
 */
export const KeptHistory = createContext<ProgramKind | null>(null)

/** Oldest first. */
export function useLinkSamples(kind: ProgramKind, id: string): readonly Sample[] {
  const seen = useHistory(kind, id)
  const isKept = useContext(KeptHistory) === kind
  const { data: kept } = useQuery({ ...recentQuery(kind, id), enabled: isKept })
  return useMemo(() => mergedSamples(kept ?? [], seen), [kept, seen])
}
