/** Open alarms for tests, as their keeper writes them. */
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import * as alarmStore from '../alarms/alarm.store.ts'
import type { Context } from '../context.ts'
import { newId } from '../id.ts'

/** The open alarm of that object, raised now unless there is one. Answers its id. */
export async function openTestAlarm(
  ctx: Pick<Context, 'db' | 'alarms' | 'clock'>,
  object: ObjectKey,
  more: Partial<alarmStore.StoredAlarm> = {},
): Promise<string> {
  const known = ctx.alarms.at(keyOf(object))
  if (known !== undefined) return known.alarmId
  const alarm: alarmStore.StoredAlarm = {
    ...object,
    alarmId: newId(),
    version: 1,
    title: 'Camera',
    rule: 'program-down',
    severity: 'critical',
    sentence: 'Not running although it should be. Start it, or read its log.',
    raisedAtMs: ctx.clock(),
    clearedAtMs: null,
    causedBy: null,
    mostConsequences: 0,
    acknowledged: null,
    mutedUntilMs: null,
    ...more,
  }
  await alarmStore.raise(ctx.db, [alarm])
  ctx.alarms.put(alarm)
  return alarm.alarmId
}
