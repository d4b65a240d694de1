/** What a list of encoders was asked for, out of the dialects that it may be asked in (Q53, API-22). */
import type { Show } from '../fleet/show.rules.ts'
import { DEFAULT_ROWS } from '../paging.schema.ts'
import type { BodyOf, QueryOf } from '../route.ts'
import type { listAllEncoders } from './encoder.calls.ts'

export interface EncodersAsked {
  page: number
  /** 0 for all. */
  rows: number
  search: string
  /** '' for all groups. */
  group: string
  /** null for any. */
  ids: readonly string[] | null
  show: Show
}

/** The body counts before the query string, and the list's own names before the manager's. */
export function encodersAsked(
  query: QueryOf<typeof listAllEncoders>,
  body: BodyOf<typeof listAllEncoders>,
): EncodersAsked {
  const sent = body ?? {}
  return {
    page: sent.page ?? query.page ?? 0,
    rows: sent.rows ?? sent.rowsPerPage ?? query.rows ?? query.rowsPerPage ?? DEFAULT_ROWS,
    search: sent.search ?? sent.searchValue ?? query.search ?? query.searchValue ?? '',
    group: sent.group ?? sent.groupId ?? query.group ?? query.groupId ?? '',
    ids: sent.ids ?? null,
    show: sent.show ?? 'all',
  }
}
