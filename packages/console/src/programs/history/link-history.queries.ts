/** What encoders and links measured before this page was opened, as the API kept it. */
import { queryOptions } from '@tanstack/react-query'
import {
  HISTORY_LINKS,
  type HistoryKind,
  type HistorySpan,
  linkHistory,
  type LinkPoint,
} from '@trunkline/contract/contributions/history.calls'
import { call } from '../../lib/call.ts'

const NO_POINTS: readonly LinkPoint[] = []

/** Readings go on live while a row is shown; one that was not for so long has a gap. */
const GAP_MS = 15_000

/** The last five minutes of one link. */
export function recentQuery(kind: HistoryKind, id: string) {
  return queryOptions({
    queryKey: ['linkHistory', kind, 'recent', id],
    queryFn: async () => askTogether(kind, id),
    staleTime: GAP_MS,
    retry: false,
  })
}

/** The same of a channel, anew at each opening of its detail: nobody listens while it is closed. */
export function recentChannelQuery(channelId: string) {
  return queryOptions({ ...recentQuery('channel', channelId), staleTime: 0, gcTime: 0 })
}

type Series = ReadonlyMap<string, readonly LinkPoint[]>
interface Batch {
  ids: string[]
  answer: Promise<Series>
}
/** The call that is about to leave, by kind. */
const gathering = new Map<HistoryKind, Batch>()

/** Rows that ask in one breath share a call. */
async function askTogether(kind: HistoryKind, id: string): Promise<readonly LinkPoint[]> {
  const batch = openBatch(kind)
  batch.ids.push(id)
  return (await batch.answer).get(id) ?? NO_POINTS
}

function openBatch(kind: HistoryKind): Batch {
  const open = gathering.get(kind)
  if (open !== undefined && open.ids.length < HISTORY_LINKS) return open
  const ids: string[] = []
  const answer = Promise.resolve().then(async () => {
    if (gathering.get(kind)?.ids === ids) gathering.delete(kind)
    return readSeries(kind, ids, '5m')
  })
  const batch = { ids, answer }
  gathering.set(kind, batch)
  return batch
}

async function readSeries(
  kind: HistoryKind,
  ids: readonly string[],
  span: HistorySpan,
): Promise<Series> {
  const { series } = await call(linkHistory, { query: { kind, ids: ids.join(','), span } })
  return new Map(series.map((reading) => [reading.id, reading.points]))
}

/** How often a chart is read again, by span: once a step. */
const READ_EVERY_MS: Readonly<Record<HistorySpan, number>> = {
  '5m': 10_000,
  '1h': 10_000,
  '24h': 60_000,
}

/** One link over one span, read anew as its steps come in. */
export function historyQuery(kind: HistoryKind, id: string, span: HistorySpan) {
  return queryOptions({
    queryKey: ['linkHistory', kind, span, id],
    queryFn: async ({ signal }) => {
      const { fromMs, toMs, stepMs, series } = await call(linkHistory, {
        query: { kind, ids: id, span },
        signal,
      })
      return { fromMs, toMs, stepMs, points: series[0]?.points ?? [] }
    },
    refetchInterval: READ_EVERY_MS[span],
    refetchIntervalInBackground: false,
  })
}
