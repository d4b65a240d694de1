/** What the manager and its dialogs ask for; none of it comes with the dashboard. */
import type { Sort } from '@trunkline/contract/paging.schema'
import type { ENCODER_SORTS } from '@trunkline/contract/encoders/encoder.calls'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { call } from '../../lib/call.ts'

export interface ManagedList {
  page: number
  rowsPerPage: number
  searchValue: string
  /** '' for all groups. */
  groupId: string
  sort?: Sort<(typeof ENCODER_SORTS)[number]>
}

/** ENC-03: a page of the manager's table. */
export function managedEncodersQuery(list: ManagedList) {
  return queryOptions({
    queryKey: ['encoder', 'managed', list],
    queryFn: async ({ signal }) => call(listEncoders, { query: list, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Every encoder that this operator may see and in whose record `ip` stands; '' asks for none. */
export function encodersAtQuery(ip: string) {
  const query = { page: 0, rowsPerPage: 0, searchValue: ip, groupId: '' }
  return queryOptions({
    queryKey: ['encoder', 'at', ip],
    queryFn: async ({ signal }) => (await call(listEncoders, { query, signal })).encoders,
    enabled: ip !== '',
  })
}
