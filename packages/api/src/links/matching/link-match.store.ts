/** All that match a filter without their rows: read in parts, between which others have their turn. */
import { ALL_ROWS_LIMIT } from '@trunkline/contract/paging.schema'
import { sql, type SelectQueryBuilder } from 'kysely'
import { giveWay } from '../../in-slices.ts'

export interface LinkMatch {
  id: string
  name: string
  isEnabled: boolean
  /** A Local input runs no program. */
  isLocal: boolean
  /** How many the input has; 0 for an output. */
  outputs: number
}

/** A few columns of each: some milliseconds. */
const MATCHES_AT_ONCE = 500

/** No more than 'all' means; `total` is of all that match. `read` picks the columns of a part. */
export async function matchesOf<DB, TB extends keyof DB, Row, Match>(
  ordered: SelectQueryBuilder<DB, TB, Row>,
  read: (part: SelectQueryBuilder<DB, TB, Row>) => Promise<Match[]>,
): Promise<{ matches: Match[]; total: number }> {
  const { total } = await ordered
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow()
  const matches: Match[] = []
  while (matches.length < Math.min(total, ALL_ROWS_LIMIT)) {
    if (matches.length > 0) await giveWay()
    const part = await read(ordered.limit(MATCHES_AT_ONCE).offset(matches.length))
    for (const match of part) matches.push(match)
    if (part.length < MATCHES_AT_ONCE) break
  }
  return { matches: matches.slice(0, ALL_ROWS_LIMIT), total }
}
