import { queryOptions } from '@tanstack/react-query'
import {
  transportHistory,
  type TransportSpan,
} from '@trunkline/contract/contributions/transport-history.calls'
import type { ParamsOf } from '@trunkline/contract/route'
import { call } from '../../lib/call.ts'

export type TransportLinkKind = ParamsOf<typeof transportHistory>['kind']

/** A minute comes when it is over. */
const READ_EVERY_MS = 30_000

export function transportHistoryQuery(kind: TransportLinkKind, id: string, span: TransportSpan) {
  return queryOptions({
    queryKey: ['transportHistory', kind, span, id],
    queryFn: async ({ signal }) =>
      (await call(transportHistory, { params: { kind, id }, query: { span }, signal })).data,
    refetchInterval: READ_EVERY_MS,
    refetchIntervalInBackground: false,
  })
}
