import type { DeleteQueryBuilder, DeleteResult, SelectQueryBuilder } from 'kysely'

/** How many rows a query finds. */
export async function countRows<DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const { total } = await rows
    .select((row) => row.fn.countAll().as('total'))
    .$castTo<{ total: number | string }>()
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Carries out a deletion; answers false when there was nothing to delete. */
export async function hasDeleted<DB, TB extends keyof DB>(
  rows: DeleteQueryBuilder<DB, TB, DeleteResult>,
): Promise<boolean> {
  const { numDeletedRows } = await rows.executeTakeFirst()
  return numDeletedRows > 0n
}
