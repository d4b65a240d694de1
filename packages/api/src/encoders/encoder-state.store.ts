/** Whether an encoder and its feeders are enabled and wanted running; what they are is in the other stores. */
import { encodeFlag } from '../db/codecs.ts'
import { setRowEnabled } from '../db/enabled-row.ts'
import type { Db } from '../db/open.ts'

/** Answers false when it is disabled, not configured or gone: then nothing is wanted of it. */
export async function setWantedRunning(db: Db, id: string, isWanted: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('encoders')
    .set({ wanted_running: encodeFlag(isWanted) })
    .where('id', '=', id)
    .where('is_enabled', '=', encodeFlag(true))
    .where('config', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** As `setWantedRunning`, of a feeder. Its encoder cannot be disabled until the transaction ends. */
export async function setFeederWantedRunning(
  trx: Db,
  encoderId: string,
  feederId: string,
  isWanted: boolean,
): Promise<boolean> {
  if (!(await hold(trx, encoderId))) return false
  const { numUpdatedRows } = await trx
    .updateTable('feeders')
    .set({ wanted_running: encodeFlag(isWanted) })
    .where('id', '=', feederId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A write that changes nothing locks the row on both databases; SQLite knows no other way. */
async function hold(trx: Db, encoderId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('encoders')
    .set((row) => ({ is_enabled: row.ref('is_enabled') }))
    .where('id', '=', encoderId)
    .where('is_enabled', '=', encodeFlag(true))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Nothing is wanted running afterwards, whichever way it goes. Answers false when it was so already. */
export async function setEnabled(trx: Db, id: string, isEnabled: boolean): Promise<boolean> {
  if (!(await setRowEnabled(trx, 'encoders', id, isEnabled))) return false
  await trx
    .updateTable('feeders')
    .set({ wanted_running: encodeFlag(false) })
    .where('encoder_id', '=', id)
    .execute()
  return true
}
