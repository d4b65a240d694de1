import {
  CoveredKind,
  WindowTimes,
  type Covered,
} from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import { decodeJson, encodeJson } from '../../db/codecs.ts'
import type { Db } from '../../db/open.ts'
import { countRows, hasDeleted } from '../../db/queries/row-counts.ts'
import type { MaintenanceWindowRow } from '../../db/rows/covered-rows.ts'
import { updateVersioned } from '../../db/versioned-row.ts'

export interface StoredWindow {
  id: string
  version: number
  createdAt: string
  title: string
  covers: Covered
  times: WindowTimes
}

/** All; there are at most WINDOWS_AT_MOST. */
export async function list(db: Db): Promise<StoredWindow[]> {
  const rows = await db.selectFrom('maintenance_windows').selectAll().orderBy('id').execute()
  return rows.map(windowOf)
}

export async function find(db: Db, id: string): Promise<StoredWindow | null> {
  const row = await db
    .selectFrom('maintenance_windows')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : windowOf(row)
}

export async function count(db: Db): Promise<number> {
  return countRows(db.selectFrom('maintenance_windows'))
}

export async function insert(db: Db, window: StoredWindow): Promise<void> {
  const { id, version, createdAt, covers } = window
  const made = { id, version, created_at: createdAt }
  const covered = { covers_kind: covers.kind, covers_id: covers.id }
  await db
    .insertInto('maintenance_windows')
    .values({ ...made, ...covered, ...columnsOf(window) })
    .execute()
}

/** Answers false when somebody else has changed or removed it since `read`. */
export async function update(
  db: Db,
  read: Pick<StoredWindow, 'id' | 'version'>,
  content: Pick<StoredWindow, 'title' | 'times'>,
): Promise<boolean> {
  return updateVersioned(db, 'maintenance_windows', read, columnsOf(content))
}

/** Answers false when it is gone already. */
export async function remove(db: Db, id: string): Promise<boolean> {
  return hasDeleted(db.deleteFrom('maintenance_windows').where('id', '=', id))
}

function columnsOf({ title, times }: Pick<StoredWindow, 'title' | 'times'>) {
  return { title, times: encodeJson(times) }
}

function windowOf(row: MaintenanceWindowRow): StoredWindow {
  return {
    id: row.id,
    version: row.version,
    createdAt: row.created_at,
    title: row.title,
    covers: { kind: CoveredKind.parse(row.covers_kind), id: row.covers_id },
    times: decodeJson(WindowTimes, row.times),
  }
}
