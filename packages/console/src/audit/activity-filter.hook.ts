/** Which part of the record of activity is asked for: search, kind of object, result, period, page. */
import { AUDIT_RESULTS, type AuditResult } from '@trunkline/contract/audit/audit.schema'
import { OBJECT_KINDS, type ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import { apiNowMs } from '../lib/live/live-store.ts'
import { storage } from '../lib/storage.ts'
import { clockDateText } from '../shared/format.ts'
import { TABLE_PAGE_SIZES, usePaging } from '../shared/list/paging.hook.ts'
import { boundsOf, PERIOD_KINDS, type Period, type PeriodKind } from './activity-period.rules.ts'

const PAGING = { sizes: TABLE_PAGE_SIZES, rowsEntry: storage.tableRowsPerPage }
/** '' is any. */
const FILTERS = {
  object: () => '',
  result: () => '',
  period: () => 'all',
  from: () => '',
  to: () => '',
}
const UNFILTERED = { search: '', object: '', result: '', period: 'all', from: '', to: '' }

export type ActivityFilter = ReturnType<typeof useActivityFilter>

export function useActivityFilter(isShown: boolean) {
  const named = { list: 'activity' as const, sorts: [], filters: FILTERS, isShown }
  const paging = usePaging({ ...PAGING, named })
  const { filters, setFilters } = paging
  // An address may be written by hand.
  const objectKind: ObjectKind | '' = OBJECT_KINDS.find((kind) => kind === filters.object) ?? ''
  const result: AuditResult | '' = AUDIT_RESULTS.find((each) => each === filters.result) ?? ''
  const kind = PERIOD_KINDS.find((each) => each === filters.period) ?? 'all'
  const period: Period = { kind, fromDay: filters.from, toDay: filters.to }
  return {
    ...paging,
    objectKind,
    result,
    period,
    isNarrowed: objectKind !== '' || result !== '' || period.kind !== 'all',
    list: {
      searchText: paging.search,
      objectKind,
      result,
      ...boundsOf(period, clockDateText(apiNowMs())),
      page: paging.page,
      rowsPerPage: paging.rowsPerPage,
    },
    setObjectKind: (object: ObjectKind | '') => setFilters({ object }),
    setResult: (next: AuditResult | '') => setFilters({ result: next }),
    setPeriodKind: (next: PeriodKind) => setFilters({ period: next }),
    setDays: (days: { from: string } | { to: string }) => setFilters(days),
    clear: () => paging.applySaved(UNFILTERED),
  }
}
