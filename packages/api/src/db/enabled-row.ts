/** Switching encoders, inputs and outputs off and on: the same in each of their tables. */
import { encodeFlag } from './codecs.ts'
import type { Db } from './open.ts'

/** Nothing is wanted running afterwards, whichever way it goes. Answers false when it was so already. */
export async function setRowEnabled(
  db: Db,
  table: 'encoders' | 'inputs' | 'outputs',
  id: string,
  isEnabled: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set((row) => ({
      is_enabled: encodeFlag(isEnabled),
      wanted_running: encodeFlag(false),
      version: row('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('is_enabled', '=', encodeFlag(!isEnabled))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
