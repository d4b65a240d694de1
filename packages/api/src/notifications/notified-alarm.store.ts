/** Which open alarms each rule has sent: so that each is sent once, again when it is due, and cleared. */
import type { Severity } from '@trunkline/contract/alarms/open-alarms.schema'
import type { Db } from '../db/open.ts'
import type { SentAlarm } from './due.rules.ts'

/** Rows of a statement: both databases limit how many values one may have. */
const ROWS_AT_ONCE = 100

/** Of an alarm that is not in the database any more it is cleared. */
export async function list(db: Db, ruleId: string): Promise<SentAlarm[]> {
  const rows = await db
    .selectFrom('notified_alarms')
    .leftJoin('alarms', (join) =>
      join.onRef('alarms.id', '=', 'notified_alarms.alarm_id').on('alarms.cleared_at', 'is', null),
    )
    .select([
      'notified_alarms.alarm_id as alarmId',
      'notified_alarms.severity as severity',
      'notified_alarms.sent_at as sentAt',
      'alarms.id as openId',
    ])
    .where('notified_alarms.rule_id', '=', ruleId)
    .execute()
  return rows.map(({ alarmId, severity, sentAt, openId }) => ({
    alarmId,
    severity: severity as Severity,
    sentAtMs: Date.parse(sentAt),
    isCleared: openId === null,
  }))
}

/** They are sent, or sent again, with these severities. */
export async function put(
  db: Db,
  ruleId: string,
  alarms: readonly { alarmId: string; severity: Severity }[],
  nowMs: number,
): Promise<void> {
  const sent_at = new Date(nowMs).toISOString()
  for (let at = 0; at < alarms.length; at += ROWS_AT_ONCE) {
    const rows = alarms
      .slice(at, at + ROWS_AT_ONCE)
      .map(({ alarmId, severity }) => ({ rule_id: ruleId, alarm_id: alarmId, severity, sent_at }))
    await db
      .insertInto('notified_alarms')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['rule_id', 'alarm_id']).doUpdateSet((row) => ({
          severity: row.ref('excluded.severity'),
          sent_at: row.ref('excluded.sent_at'),
        })),
      )
      .execute()
  }
}

export async function remove(db: Db, ruleId: string, alarmIds: readonly string[]): Promise<void> {
  for (let at = 0; at < alarmIds.length; at += ROWS_AT_ONCE) {
    await db
      .deleteFrom('notified_alarms')
      .where('rule_id', '=', ruleId)
      .where('alarm_id', 'in', alarmIds.slice(at, at + ROWS_AT_ONCE))
      .execute()
  }
}

export async function removeAll(db: Db, ruleId: string): Promise<void> {
  await db.deleteFrom('notified_alarms').where('rule_id', '=', ruleId).execute()
}
