/** Whether an output is enabled and wanted running; what it is stands in output.store.ts. */
import { encodeFlag } from '../../db/codecs.ts'
import { setRowEnabled } from '../../db/enabled-row.ts'
import type { Db } from '../../db/open.ts'

/** Answers false when it is disabled or gone: then nothing is wanted of it. */
export async function setWantedRunning(db: Db, id: string, isWanted: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outputs')
    .set({ wanted_running: encodeFlag(isWanted) })
    .where('id', '=', id)
    .where('is_enabled', '=', encodeFlag(true))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Nothing is wanted running afterwards, whichever way it goes. Answers false when it was so already. */
export async function setEnabled(db: Db, id: string, isEnabled: boolean): Promise<boolean> {
  return setRowEnabled(db, 'outputs', id, isEnabled)
}
