/** The state of each encoder that the dashboard counts: of a page that holds all, or of a whole fleet. */
import { useQuery } from '@tanstack/react-query'
import type { Encoder, EncoderSummary } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  FAMILIES,
  needsAttention,
  viewOfEncoder,
  type Freshness,
  type StateView,
} from '@trunkline/contract/fleet/state-view.rules'
import { useMemo } from 'react'
import { useFreshness, usePrograms } from '../../lib/live-hooks.ts'
import { programKey } from '../../lib/live-store.ts'
import { encoderSummaryQuery, pickedEncodersQuery } from '../encoder.queries.ts'
import { isShown, SHOWS, type Show } from '../encoder.rules.ts'

export interface Judged {
  id: string
  status: ProgramStatus | null
  view: StateView
}

type Summary = readonly (readonly [string, EncoderSummary])[]

const NO_SUMMARY: Summary = []

/** @param listed what the page holds; where that is not all, the fleet is asked for what counts */
export function useFleet(listed: readonly Encoder[], isPartial: boolean, group: string) {
  const query = useQuery({ ...encoderSummaryQuery(group), enabled: isPartial })
  const summary = useMemo(
    () => (isPartial ? (query.data ?? NO_SUMMARY) : listed.map(summaryOf)),
    [isPartial, query.data, listed],
  )
  return {
    judged: useJudged(summary),
    isCounted: !isPartial || query.data !== undefined,
    error: query.error,
    refetch: query.refetch,
  }
}

/** The encoders of these ids: from the page where it holds them, else asked for. */
export function usePicked(listed: readonly Encoder[], ids: readonly string[]) {
  const known = useMemo(() => new Map(listed.map((item) => [item._id, item])), [listed])
  // In one order, so that states that change places ask for nothing new.
  const missing = [...new Set(ids)].filter((id) => !known.has(id)).toSorted()
  const isWanted = missing.length > 0
  const query = useQuery({ ...pickedEncodersQuery(missing), enabled: isWanted })
  const { data } = query
  const byId = useMemo(
    () => new Map([...(data ?? []), ...listed].map((item) => [item._id, item])),
    [data, listed],
  )
  return {
    byId,
    isFetching: isWanted && query.isFetching,
    error: isWanted ? query.error : null,
    refetch: async () => (isWanted ? query.refetch() : undefined),
  }
}

function summaryOf({ _id, isEnabled, config }: Encoder): [string, EncoderSummary] {
  if (!isEnabled) return [_id, 'off']
  return [_id, config === null ? 'bare' : 'on']
}

/** Beyond that many a fleet is judged once a second, not at every change; each card still is. */
const JUDGED_AT_ONCE = 500

function useJudged(summary: Summary): readonly Judged[] {
  const live = usePrograms()
  const { nowMs, isLoaded, brokenSinceMs } = useFreshness()
  const beat = summary.length > JUDGED_AT_ONCE ? nowMs : live
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new beat, not a new picture, is the point
  const programs = useMemo(() => live, [beat])
  return useMemo(
    () => judge(summary, programs, { nowMs, isLoaded, brokenSinceMs }),
    [summary, programs, nowMs, isLoaded, brokenSinceMs],
  )
}

function judge(
  summary: Summary,
  programs: ReturnType<typeof usePrograms>,
  freshness: Freshness,
): Judged[] {
  return summary.map(([id, word]) => {
    const status = programs.get(programKey('encoder', id)) ?? null
    const known = { isEnabled: word !== 'off', isConfigured: word !== 'bare' }
    return { id, status, view: viewOfEncoder({ ...known, status, freshness }) }
  })
}

export function countsOf(judged: readonly Judged[]): Record<Show, number> {
  const count = (show: Show) => judged.filter((item) => isShown(show, item.view.family)).length
  return Object.fromEntries(SHOWS.map((show) => [show, count(show)])) as Record<Show, number>
}

/** Those that need somebody, worst first. */
export function troublesOf(judged: readonly Judged[]): Judged[] {
  return judged
    .filter((item) => needsAttention(item.view.family))
    .toSorted((a, b) => FAMILIES.indexOf(a.view.family) - FAMILIES.indexOf(b.view.family))
}
