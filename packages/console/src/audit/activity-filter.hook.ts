/** Which part of the record of activity is asked for: search, kind of object, result, period, page. */
import type { AuditResult } from '@trunkline/contract/audit/audit.schema'
import type { ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import { useState } from 'react'
import { apiNowMs } from '../lib/live/live-store.ts'
import { storage } from '../lib/storage.ts'
import { TABLE_PAGE_SIZES, usePaging } from '../shared/list/paging.hook.ts'
import { boundsOf, dayText, type Period } from './activity-period.rules.ts'

const PAGING = { sizes: TABLE_PAGE_SIZES, rowsEntry: storage.tableRowsPerPage }

export type ActivityFilter = ReturnType<typeof useActivityFilter>

/** '' is any. */
export function useActivityFilter() {
  const paging = usePaging(PAGING)
  const { setPage } = paging
  const [objectKind, setObjectKind] = useState<ObjectKind | ''>('')
  const [result, setResult] = useState<AuditResult | ''>('')
  const [period, setPeriod] = useState<Period>({ kind: 'all', fromDay: '', toDay: '' })
  const today = dayText(apiNowMs())
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
      ...boundsOf(period, today),
      page: paging.page,
      rowsPerPage: paging.rowsPerPage,
    },
    setObjectKind: (kind: ObjectKind | '') => {
      setObjectKind(kind)
      setPage(0)
    },
    setResult: (next: AuditResult | '') => {
      setResult(next)
      setPage(0)
    },
    setPeriod: (next: Period) => {
      setPeriod(next)
      setPage(0)
    },
    clear: () => {
      setObjectKind('')
      setResult('')
      setPeriod({ kind: 'all', fromDay: '', toDay: '' })
      paging.clearSearch()
    },
  }
}
