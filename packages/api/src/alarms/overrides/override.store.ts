import {
  CoveredKind,
  type Covered,
} from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { OverrideSettings } from '@trunkline/contract/alarms/overrides/override.schema'
import { decodeJson, encodeJson } from '../../db/codecs.ts'
import { guarded } from '../../db/guarded.ts'
import type { Db } from '../../db/open.ts'
import { countRows, hasDeleted } from '../../db/queries/row-counts.ts'
import type { AlarmOverrideRow } from '../../db/rows/covered-rows.ts'
import { updateVersioned } from '../../db/versioned-row.ts'
import type { AppError } from '../../errors.ts'

export interface StoredOverride extends OverrideSettings {
  id: string
  version: number
  createdAt: string
  covers: Covered
  rule: AlarmRule
}

/** All; there are at most OVERRIDES_AT_MOST. */
export async function list(db: Db): Promise<StoredOverride[]> {
  const rows = await db.selectFrom('alarm_overrides').selectAll().orderBy('id').execute()
  return rows.map(overrideOf)
}

export async function find(db: Db, id: string): Promise<StoredOverride | null> {
  const row = await db
    .selectFrom('alarm_overrides')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : overrideOf(row)
}

export async function count(db: Db): Promise<number> {
  return countRows(db.selectFrom('alarm_overrides'))
}

/** `taken`: there is one of this rule for what it covers. */
export async function insert(
  db: Db,
  override: StoredOverride,
  taken: () => AppError,
): Promise<void> {
  const { id, version, createdAt, covers, rule } = override
  const row: AlarmOverrideRow = {
    id,
    version,
    created_at: createdAt,
    covers_kind: covers.kind,
    covers_id: covers.id,
    rule,
    settings: encodeJson(settingsOf(override)),
  }
  await guarded({ unique: taken }, async () =>
    db.insertInto('alarm_overrides').values(row).execute(),
  )
}

/** Answers false when somebody else has changed or removed it since `read`. */
export async function update(
  db: Db,
  read: Pick<StoredOverride, 'id' | 'version'>,
  settings: OverrideSettings,
): Promise<boolean> {
  return updateVersioned(db, 'alarm_overrides', read, { settings: encodeJson(settings) })
}

/** Answers false when it is gone already. */
export async function remove(db: Db, id: string): Promise<boolean> {
  return hasDeleted(db.deleteFrom('alarm_overrides').where('id', '=', id))
}

export function settingsOf(override: OverrideSettings): OverrideSettings {
  const { isOff, severity, threshold, raiseAfterSeconds, clearAfterSeconds } = override
  return { isOff, severity, threshold, raiseAfterSeconds, clearAfterSeconds }
}

function overrideOf(row: AlarmOverrideRow): StoredOverride {
  return {
    id: row.id,
    version: row.version,
    createdAt: row.created_at,
    covers: { kind: CoveredKind.parse(row.covers_kind), id: row.covers_id },
    rule: AlarmRule.parse(row.rule),
    ...decodeJson(OverrideSettings, row.settings),
  }
}
