import {
  RUNS_KEPT,
  RunOutcome,
  ScheduleCommand,
  ScheduleSource,
  ScheduleTimes,
  type ScheduleContent,
  type ScheduledObject,
  type ScheduleKind,
  type ScheduleRun,
} from '@trunkline/contract/schedules/schedule.schema'
import { decodeFlag, decodeJson, encodeFlag, encodeJson } from '../db/codecs.ts'
import type { Db } from '../db/open.ts'
import { fromRow } from '../db/rows/column-names.ts'
import { countRows, hasDeleted } from '../db/queries/row-counts.ts'
import { readByIds } from '../db/read-by-ids.ts'
import type { ScheduleRow, ScheduleRunRow } from '../db/rows/schedule-rows.ts'
import { updateVersioned } from '../db/versioned-row.ts'

/** Whoever saved it last; `userId` null: their account was deleted. */
export interface Maker {
  userId: string | null
  name: string
}

export interface StoredSchedule extends ScheduleContent {
  id: string
  version: number
  createdAt: string
  object: ScheduledObject
  madeBy: Maker
  /** ISO 8601, UTC; null: never again, or disabled. */
  nextAt: string | null
}

export interface StoredRun extends ScheduleRun {
  id: string
  scheduleId: string
  begunAt: string
}

type Saved = Pick<StoredSchedule, 'madeBy' | 'nextAt'> & ScheduleContent

const COLUMNS = {
  encoder: 'encoder_id',
  feeder: 'feeder_id',
  input: 'input_id',
  output: 'output_id',
  channel: 'channel_id',
} as const satisfies Record<ScheduleKind, keyof ScheduleRow>

const KINDS = Object.keys(COLUMNS) as ScheduleKind[]

/** All, or those of one object; there are at most SCHEDULES_AT_MOST. */
export async function list(db: Db, object: ScheduledObject | null): Promise<StoredSchedule[]> {
  let wanted = db.selectFrom('schedules').selectAll()
  if (object !== null) wanted = wanted.where(COLUMNS[object.kind], '=', object.id)
  return (await wanted.orderBy('id').execute()).map(scheduleOf)
}

export async function find(db: Db, id: string): Promise<StoredSchedule | null> {
  const row = await db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : scheduleOf(row)
}

export async function count(db: Db): Promise<number> {
  return countRows(db.selectFrom('schedules'))
}

export async function insert(db: Db, schedule: StoredSchedule): Promise<void> {
  const { id, version, createdAt, object } = schedule
  const nowhere = {
    encoder_id: null,
    feeder_id: null,
    input_id: null,
    output_id: null,
    channel_id: null,
  }
  await db
    .insertInto('schedules')
    .values({
      id,
      version,
      created_at: createdAt,
      ...nowhere,
      [COLUMNS[object.kind]]: object.id,
      ...columnsOf(schedule),
    })
    .execute()
}

/** Answers false when somebody else has changed or removed it since `read`. */
export async function update(
  db: Db,
  read: Pick<StoredSchedule, 'id' | 'version'>,
  saved: Saved,
): Promise<boolean> {
  return updateVersioned(db, 'schedules', read, columnsOf(saved))
}

/** Answers false when it is gone already. */
export async function remove(db: Db, id: string): Promise<boolean> {
  return hasDeleted(db.deleteFrom('schedules').where('id', '=', id))
}

/** Those that are due at that moment (ISO), the earliest first. */
export async function due(db: Db, now: string, limit: number): Promise<StoredSchedule[]> {
  const rows = await db
    .selectFrom('schedules')
    .selectAll()
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(limit)
    .execute()
  return rows.map(scheduleOf)
}

/** ISO; null while nothing will be due. */
export async function earliestNext(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('schedules')
    .select('next_at')
    .where('next_at', 'is not', null)
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_at ?? null
}

/**
 * Moves a schedule on, as it was read, from the moment at which it is due to the next. Answers false when
 * another process has done that, or a person has changed it: of several callers one gets true.
 */
export async function moveOn(
  db: Db,
  { id, version, nextAt }: StoredSchedule,
  next: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('schedules')
    .set({ next_at: next })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('next_at', '=', nextAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Within that span (ISO): the earliest first. */
export async function comingUp(db: Db, until: string): Promise<StoredSchedule[]> {
  const rows = await db
    .selectFrom('schedules')
    .selectAll()
    .where('next_at', '<=', until)
    .orderBy('next_at')
    .execute()
  return rows.map(scheduleOf)
}

export async function insertRun(db: Db, run: StoredRun): Promise<void> {
  await db
    .insertInto('schedule_runs')
    .values({
      id: run.id,
      schedule_id: run.scheduleId,
      due_at: run.dueAt,
      begun_at: run.begunAt,
      ended_at: run.endedAt,
      outcome: run.outcome,
      sentence: run.sentence,
    })
    .execute()
}

/** Answers false when somebody has ended it already. */
export async function endRun(
  db: Db,
  id: string,
  { endedAt, outcome, sentence }: Pick<StoredRun, 'endedAt' | 'outcome' | 'sentence'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('schedule_runs')
    .set({ ended_at: endedAt, outcome, sentence })
    .where('id', '=', id)
    .where('outcome', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Still running, and begun before that moment (ISO). */
export async function runsBegunBefore(db: Db, before: string): Promise<StoredRun[]> {
  const rows = await db
    .selectFrom('schedule_runs')
    .selectAll()
    .where('outcome', '=', 'running')
    .where('begun_at', '<', before)
    .execute()
  return rows.map(runOf)
}

/** But for the newest RUNS_KEPT. */
export async function removeOldRuns(db: Db, scheduleId: string): Promise<void> {
  const oldest = await db
    .selectFrom('schedule_runs')
    .select('due_at')
    .where('schedule_id', '=', scheduleId)
    .orderBy('due_at', 'desc')
    .offset(RUNS_KEPT - 1)
    .limit(1)
    .executeTakeFirst()
  if (oldest === undefined) return
  await db
    .deleteFrom('schedule_runs')
    .where('schedule_id', '=', scheduleId)
    .where('due_at', '<', oldest.due_at)
    .execute()
}

/** The newest first. */
export async function runs(db: Db, scheduleId: string): Promise<StoredRun[]> {
  const rows = await db
    .selectFrom('schedule_runs')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .orderBy('due_at', 'desc')
    .orderBy('id', 'desc')
    .limit(RUNS_KEPT)
    .execute()
  return rows.map(runOf)
}

function newest(db: Db) {
  return db
    .selectFrom('schedule_runs')
    .selectAll('schedule_runs')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('schedule_runs as later')
            .select('later.id')
            .whereRef('later.schedule_id', '=', 'schedule_runs.schedule_id')
            .whereRef('later.due_at', '>', 'schedule_runs.due_at'),
        ),
      ),
    )
}

/** By schedule. One that never ran is not there. */
export async function lastRuns(
  db: Db,
  scheduleIds: readonly string[],
): Promise<Map<string, StoredRun>> {
  const rows = await readByIds(scheduleIds, async (some) =>
    newest(db).where('schedule_runs.schedule_id', 'in', some).execute(),
  )
  return new Map(rows.map((row) => [row.schedule_id, runOf(row)]))
}

/** Of each schedule the last run, where it was not carried out and begun after that moment (ISO). */
export async function problemsSince(
  db: Db,
  since: string,
): Promise<{ run: StoredRun; schedule: StoredSchedule }[]> {
  const rows = await newest(db)
    .where('schedule_runs.outcome', 'in', ['missed', 'refused', 'failed'])
    .where('schedule_runs.begun_at', '>', since)
    .execute()
  const ids = rows.map((row) => row.schedule_id)
  const schedules = await readByIds(ids, async (some) =>
    db.selectFrom('schedules').selectAll().where('id', 'in', some).execute(),
  )
  const byId = new Map(schedules.map((row) => [row.id, scheduleOf(row)]))
  return rows.flatMap((row) => {
    const schedule = byId.get(row.schedule_id)
    return schedule === undefined ? [] : [{ run: runOf(row), schedule }]
  })
}

function columnsOf(saved: Saved) {
  const { note, command, source, times, alsoOnAir, isEnabled, madeBy, nextAt } = saved
  return {
    note,
    command,
    source: source === null ? null : encodeJson(source),
    times: encodeJson(times),
    also_on_air: encodeFlag(alsoOnAir),
    is_enabled: encodeFlag(isEnabled),
    made_by: madeBy.userId,
    made_by_name: madeBy.name,
    next_at: nextAt,
  }
}

function scheduleOf(row: ScheduleRow): StoredSchedule {
  const kind = KINDS.find((each) => row[COLUMNS[each]] !== null) ?? 'channel'
  return {
    id: row.id,
    version: row.version,
    createdAt: row.created_at,
    object: { kind, id: row[COLUMNS[kind]] ?? '' },
    note: row.note,
    command: ScheduleCommand.parse(row.command),
    source: row.source === null ? null : decodeJson(ScheduleSource, row.source),
    times: decodeJson(ScheduleTimes, row.times),
    alsoOnAir: decodeFlag(row.also_on_air),
    isEnabled: decodeFlag(row.is_enabled),
    madeBy: { userId: row.made_by, name: row.made_by_name },
    nextAt: row.next_at,
  }
}

function runOf(row: ScheduleRunRow): StoredRun {
  return fromRow<StoredRun>({ ...row, outcome: RunOutcome.parse(row.outcome) })
}
