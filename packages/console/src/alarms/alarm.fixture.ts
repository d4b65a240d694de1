import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'

/** An open alarm of an input. */
export function alarmOf(id: string, more: Partial<Alarm> = {}): Alarm {
  const raisedAtMs = Date.now() - 65_000
  return {
    _id: id,
    id,
    kind: 'input',
    objectId: `input-${id}`,
    title: `Feed ${id}`,
    rule: 'program-down',
    severity: 'critical',
    raisedAtMs,
    raisedAt: new Date(raisedAtMs).toISOString(),
    clearedAt: null,
    overSinceMs: null,
    sentence: 'Not running although it should be. Start it, or read its log.',
    behind: 0,
    version: 3,
    acknowledged: null,
    mutedUntil: null,
    maintenanceUntil: null,
    causedBy: null,
    serverId: 's1',
    groupId: 'g1',
    ownerId: '',
    ...more,
  }
}
