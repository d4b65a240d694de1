/** The backups that were begun, and which moment of the schedule was seen to last. */
import type { BackupReason, BackupRecord } from '@trunkline/contract/backups/backup.schema'
import { mark } from '../db/marks.ts'
import type { Db } from '../db/open.ts'
import type { BackupRow } from '../db/rows/backup-rows.ts'

const DUE_MARK = 'backup due'
/** As many as anybody reads; older ones go. */
const RECORDS_KEPT = 100
const RECORDS_AT_ONCE = 20

export async function insert(db: Db, backup: BackupRecord): Promise<void> {
  await db.insertInto('backups').values(rowOf(backup)).execute()
  const oldest = await db
    .selectFrom('backups')
    .select('begun_at')
    .orderBy('begun_at', 'desc')
    .orderBy('id', 'desc')
    .offset(RECORDS_KEPT)
    .limit(1)
    .executeTakeFirst()
  if (oldest === undefined) return
  await db.deleteFrom('backups').where('begun_at', '<=', oldest.begun_at).execute()
}

export async function end(
  db: Db,
  id: string,
  ended: Pick<BackupRecord, 'endedAt' | 'bytes' | 'fault'>,
): Promise<void> {
  const { endedAt: ended_at, bytes, fault } = ended
  await db.updateTable('backups').set({ ended_at, bytes, fault }).where('id', '=', id).execute()
}

/** Its process makes it still, at that moment (ISO). */
export async function renew(db: Db, id: string, seenAt: string): Promise<void> {
  await db.updateTable('backups').set({ seen_at: seenAt }).where('id', '=', id).execute()
}

const ENDED_EARLY = 'The API ended before it was finished.'

/** Those that nobody has been seen to make since `silentSince` (ISO); answers where they were written. */
export async function endInterrupted(
  db: Db,
  silentSince: string,
  endedAt: string,
): Promise<Pick<BackupRecord, 'machine' | 'file'>[]> {
  return db
    .updateTable('backups')
    .set({ ended_at: endedAt, fault: ENDED_EARLY })
    .where('ended_at', 'is', null)
    .where(({ fn }) => fn.coalesce('seen_at', 'begun_at'), '<=', silentSince)
    .returning(['machine', 'file'])
    .execute()
}

/** The newest first. */
export async function list(db: Db): Promise<BackupRecord[]> {
  const rows = await db
    .selectFrom('backups')
    .selectAll()
    .orderBy('begun_at', 'desc')
    .orderBy('id', 'desc')
    .limit(RECORDS_AT_ONCE)
    .execute()
  return rows.map(backupOf)
}

/** The one that ended last, well or not; null: none has. */
export async function lastEnded(db: Db): Promise<BackupRecord | null> {
  const row = await db
    .selectFrom('backups')
    .selectAll()
    .where('ended_at', 'is not', null)
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : backupOf(row)
}

/** Before the first one nothing was missed. */
export async function beginSchedule(db: Db, dueAt: string): Promise<void> {
  await mark(db, DUE_MARK, dueAt)
}

/** Whether the backup that was due then is the caller's to make: of all API processes one makes it. */
export async function takeDue(db: Db, dueAt: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('marks')
    .set({ value: dueAt })
    .where('name', '=', DUE_MARK)
    .where('value', '<', dueAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function rowOf(backup: BackupRecord): BackupRow {
  const { begunAt: begun_at, endedAt: ended_at, ...rest } = backup
  return { ...rest, begun_at, ended_at, seen_at: begun_at }
}

function backupOf(row: BackupRow): BackupRecord {
  const { id, reason, begun_at: begunAt, ended_at: endedAt, machine, file, bytes, fault } = row
  return { id, reason: reason as BackupReason, begunAt, endedAt, machine, file, bytes, fault }
}
