/** Alarms in the database: the truth about which are open, whoever raised them. */
import type { AlarmRule, Severity } from '@trunkline/contract/alarms/open-alarms.schema'
import { CONSOLE_PARTS } from '@trunkline/contract/alarms/console-parts'
import { FeederInput } from '@trunkline/contract/encoders/encoder-config.schema'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { decodeJson } from '../db/codecs.ts'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import { idList } from '../db/id-list.ts'
import type { Db } from '../db/open.ts'
import { readByIds } from '../db/read-by-ids.ts'
import type { AlarmRow } from '../db/schema.ts'
import { giveWay, inPartsById, type InParts } from '../in-slices.ts'
import type { GroupScope } from '../security/actor.ts'

export interface StoredAlarm extends ObjectKey {
  alarmId: string
  version: number
  title: string
  rule: AlarmRule
  severity: Severity
  sentence: string
  raisedAtMs: number
  clearedAtMs: number | null
  causedBy: string | null
  /** The most at a time. */
  mostConsequences: number
  acknowledged: { atMs: number; by: string; note: string } | null
  mutedUntilMs: number | null
}

/** Rows of a statement: both databases limit how many values one may have. */
const ROWS_AT_ONCE = 50

/** Thousands of alarms may come at once: SQLite answers in our own thread, and others have their turn between. */
async function eachBatch<T>(
  rows: readonly T[],
  write: (batch: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    if (at > 0) await giveWay()
    await write(rows.slice(at, at + ROWS_AT_ONCE))
  }
}

function text(ms: number): string {
  return new Date(ms).toISOString()
}

function rowOf(alarm: StoredAlarm): AlarmRow {
  const { acknowledged, clearedAtMs, mutedUntilMs } = alarm
  return {
    id: alarm.alarmId,
    version: alarm.version,
    object_kind: alarm.kind,
    object_id: alarm.id,
    title: alarm.title,
    rule: alarm.rule,
    severity: alarm.severity,
    sentence: alarm.sentence,
    raised_at: text(alarm.raisedAtMs),
    cleared_at: clearedAtMs === null ? null : text(clearedAtMs),
    caused_by: alarm.causedBy,
    behind: alarm.mostConsequences,
    acknowledged_at: acknowledged === null ? null : text(acknowledged.atMs),
    acknowledged_by: acknowledged?.by ?? null,
    note: acknowledged?.note ?? '',
    muted_until: mutedUntilMs === null ? null : text(mutedUntilMs),
  }
}

function alarmOf(row: AlarmRow): StoredAlarm {
  const { acknowledged_at: at, acknowledged_by: by, note } = row
  return {
    alarmId: row.id,
    version: row.version,
    kind: row.object_kind as ObservedKind,
    id: row.object_id,
    title: row.title,
    rule: row.rule as AlarmRule,
    severity: row.severity as Severity,
    sentence: row.sentence,
    raisedAtMs: Date.parse(row.raised_at),
    clearedAtMs: row.cleared_at === null ? null : Date.parse(row.cleared_at),
    causedBy: row.caused_by,
    mostConsequences: row.behind,
    acknowledged: at === null ? null : { atMs: Date.parse(at), by: by ?? '', note },
    mutedUntilMs: row.muted_until === null ? null : Date.parse(row.muted_until),
  }
}

export async function* readOpen(db: Db): InParts<StoredAlarm> {
  const parts = inPartsById(async (behindId, limit) =>
    db
      .selectFrom('alarms')
      .selectAll()
      .where('cleared_at', 'is', null)
      .where('id', '>', behindId)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  for await (const rows of parts) yield rows.map(alarmOf)
}

export async function readThese(db: Db, ids: readonly string[]): Promise<StoredAlarm[]> {
  const rows = await readByIds(ids, async (some) =>
    db.selectFrom('alarms').selectAll().where('id', 'in', some).execute(),
  )
  return rows.map(alarmOf)
}

/** Of these objects, each its open alarm. */
export async function readOpenOf(db: Db, objects: readonly ObjectKey[]): Promise<StoredAlarm[]> {
  const byKind = Map.groupBy(objects, ({ kind }) => kind)
  const found: StoredAlarm[] = []
  for (const [kind, some] of byKind) {
    const ids = some.map(({ id }) => id)
    const rows = await readByIds(ids, async (part) =>
      db
        .selectFrom('alarms')
        .selectAll()
        .where('object_kind', '=', kind)
        .where('object_id', 'in', part)
        .where('cleared_at', 'is', null)
        .execute(),
    )
    found.push(...rows.map(alarmOf))
  }
  return found
}

/** Answers the ids of those that were raised; of the others an alarm is open already. */
export async function raise(db: Db, alarms: readonly StoredAlarm[]): Promise<Set<string>> {
  const raised = new Set<string>()
  await eachBatch(alarms, async (batch) => {
    const rows = await db
      .insertInto('alarms')
      .values(batch.map(rowOf))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute()
    for (const { id } of rows) raised.add(id)
  })
  return raised
}

/** An alarm that says something else now. A worse one needs a person again. */
export async function change(
  db: Db,
  id: string,
  to: Pick<StoredAlarm, 'rule' | 'severity' | 'sentence'>,
  isWorse: boolean,
): Promise<void> {
  await db
    .updateTable('alarms')
    .set({ ...to, ...(isWorse ? UNACKNOWLEDGED : {}) })
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .where('cleared_at', 'is', null)
    .execute()
}

const UNACKNOWLEDGED = { acknowledged_at: null, acknowledged_by: null, note: '' } as const

export async function clear(db: Db, ids: readonly string[], atMs: number): Promise<void> {
  await eachBatch(ids, async (batch) =>
    db
      .updateTable('alarms')
      .set({ cleared_at: text(atMs) })
      .set((row) => ({ version: row('version', '+', 1) }))
      .where('id', 'in', batch)
      .where('cleared_at', 'is', null)
      .execute(),
  )
}

/** That alarm is the first cause of these from now on; null: they are first causes. */
export async function assignCause(
  db: Db,
  ids: readonly string[],
  causedBy: string | null,
): Promise<void> {
  await eachBatch(ids, async (batch) =>
    db.updateTable('alarms').set({ caused_by: causedBy }).where('id', 'in', batch).execute(),
  )
}

/** Keeps the largest number that was noted. */
export async function noteConsequences(db: Db, id: string, count: number): Promise<void> {
  await db
    .updateTable('alarms')
    .set({ behind: count })
    .where('id', '=', id)
    .where('behind', '<', count)
    .execute()
}

/** Answers false when somebody has changed it since that version, or it was cleared. */
export async function save(
  db: Db,
  alarm: Pick<StoredAlarm, 'alarmId' | 'version'>,
  to: Partial<Pick<StoredAlarm, 'acknowledged' | 'mutedUntilMs'>>,
): Promise<boolean> {
  const { acknowledged, mutedUntilMs } = to
  const { numUpdatedRows } = await db
    .updateTable('alarms')
    .set({
      version: alarm.version + 1,
      ...(acknowledged === undefined ? {} : acknowledgedColumns(acknowledged)),
      ...(mutedUntilMs === undefined
        ? {}
        : { muted_until: mutedUntilMs === null ? null : text(mutedUntilMs) }),
    })
    .where('id', '=', alarm.alarmId)
    .where('version', '=', alarm.version)
    .where('cleared_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function acknowledgedColumns(acknowledged: StoredAlarm['acknowledged']) {
  if (acknowledged === null) return UNACKNOWLEDGED
  const { atMs, by, note } = acknowledged
  return { acknowledged_at: text(atMs), acknowledged_by: by, note }
}

export interface HistoryFilter {
  object: ObjectKey | null
  severity: Severity | ''
  /** 'raised_at id' of the last that was read; '' for the newest. */
  before: string
  limit: number
  /** Whose objects: all, or of these groups; an editor's encoders by assignment. */
  reader: { groups: GroupScope; editorId: string | null; seesContributions: boolean }
}

/** Newest first. */
export async function history(db: Db, filter: HistoryFilter): Promise<StoredAlarm[]> {
  const { object, severity, before, limit, reader } = filter
  let wanted = db.selectFrom('alarms').selectAll()
  if (object !== null) {
    wanted = wanted.where('object_kind', '=', object.kind).where('object_id', '=', object.id)
  } else if (reader.groups !== 'all') {
    wanted = wanted.where(isOf(reader.groups, reader.editorId, reader.seesContributions))
  }
  if (severity !== '') wanted = wanted.where('severity', '=', severity)
  if (before !== '') {
    const [at = '', id = ''] = before.split(' ')
    wanted = wanted.where(sql<SqlBool>`(raised_at, id) < (${at}, ${id})`)
  }
  const rows = await wanted
    .orderBy('raised_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(alarmOf)
}

/** As the objects belong to groups now; of what was removed only admins see the history. */
function isOf(groups: readonly string[], editorId: string | null, seesContributions: boolean) {
  const list = sql.join(idList(groups))
  const encoders =
    editorId === null
      ? sql`select id from encoders where group_id in (${list})`
      : sql`select encoder_id from encoder_users where user_id = ${editorId}`
  const contributions = sql<SqlBool>`(object_kind = 'input' and object_id in (select id from inputs where group_id in (${list})))
    or (object_kind = 'output' and object_id in (select outputs.id from outputs join inputs on inputs.id = outputs.input_id where inputs.group_id in (${list})))`
  return sql<SqlBool>`(
    (object_kind = 'encoder' and object_id in (${encoders}))
    or (object_kind = 'feeder' and object_id in (select id from feeders where encoder_id in (${encoders})))
    or (object_kind = 'server' and object_id in (select server_id from server_groups where group_id in (${list})))
    or (object_kind = 'channel' and object_id in (select channel_id from channel_groups where group_id in (${list})))
    or ${seesContributions ? contributions : sql<SqlBool>`1 = 0`}
  )`
}

const TABLE_OF = {
  server: 'servers',
  encoder: 'encoders',
  input: 'inputs',
  output: 'outputs',
  channel: 'channels',
} as const

/** What each object is called, by `keyOf` the object. */
export async function titlesOfAll(
  db: Db,
  objects: readonly ObjectKey[],
): Promise<Map<string, string>> {
  const titles = new Map<string, string>()
  for (const [kind, some] of Map.groupBy(objects, (object) => object.kind)) {
    const ids = some.map(({ id }) => id)
    for (const [id, title] of await titlesOf(db, kind, ids)) titles.set(keyOf({ kind, id }), title)
  }
  return titles
}

async function titlesOf(
  db: Db,
  kind: ObservedKind,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (kind === 'feeder') return feederTitles(db, ids)
  if (kind === 'console') return new Map(Object.entries(CONSOLE_PARTS))
  const rows = await readByIds(ids, async (some) =>
    db.selectFrom(TABLE_OF[kind]).select(['id', 'title']).where('id', 'in', some).execute(),
  )
  return new Map(rows.map(({ id, title }) => [id, title]))
}

const FeederSpec = z.object({ input: FeederInput.pick({ title: true }) })

async function feederTitles(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await readByIds(ids, async (some) =>
    db.selectFrom('feeders').select(['id', 'spec']).where('id', 'in', some).execute(),
  )
  return new Map(rows.map(({ id, spec }) => [id, decodeJson(FeederSpec, spec).input.title]))
}

/** Removes cleared alarms of before that moment, at most `most`; answers how many. */
export async function removeBefore(db: Db, before: string, most: number): Promise<number> {
  const oldest = db
    .selectFrom('alarms')
    .select('id')
    .where('cleared_at', '<', before)
    .orderBy('cleared_at')
    .limit(most)
  const { numDeletedRows } = await db
    .deleteFrom('alarms')
    .where('id', 'in', oldest)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
