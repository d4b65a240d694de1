import {
  ArrangedList,
  HiddenColumns,
  SavedFilters,
  type ListView,
} from '@trunkline/contract/users/list-view.schema'
import { decodeJson, encodeJson } from '../../db/codecs.ts'
import type { Db } from '../../db/open.ts'
import type { ListViewRow } from '../../db/rows/list-view-rows.ts'

/** In the order of the names of the lists. */
export async function list(db: Db, userId: string): Promise<ListView[]> {
  const rows = await db
    .selectFrom('list_views')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('list')
    .execute()
  return rows.flatMap((row) => viewOf(row) ?? [])
}

export async function find(db: Db, userId: string, name: ArrangedList): Promise<ListView | null> {
  const row = await db
    .selectFrom('list_views')
    .selectAll()
    .where('user_id', '=', userId)
    .where('list', '=', name)
    .executeTakeFirst()
  return row === undefined ? null : viewOf(row)
}

/** `version`: as it was read, 0 for none. Answers false when it was saved by another since. */
export async function save(
  db: Db,
  userId: string,
  { list: name, hidden, saved, version }: ListView,
): Promise<boolean> {
  const texts = { hidden: encodeJson(hidden), saved: encodeJson(saved) }
  if (version === 0) {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('list_views')
      .values({ user_id: userId, list: name, ...texts, version: 1 })
      .onConflict((row) => row.columns(['user_id', 'list']).doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows > 0n
  }
  const { numUpdatedRows } = await db
    .updateTable('list_views')
    .set({ ...texts, version: version + 1 })
    .where('user_id', '=', userId)
    .where('list', '=', name)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Null for a list that this version of the console does not have. */
function viewOf({ list: name, hidden, saved, version }: ListViewRow): ListView | null {
  const { data } = ArrangedList.safeParse(name)
  if (data === undefined) return null
  return {
    list: data,
    hidden: decodeJson(HiddenColumns, hidden),
    saved: decodeJson(SavedFilters, saved),
    version,
  }
}
