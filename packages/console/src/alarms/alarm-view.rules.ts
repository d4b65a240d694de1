/** How an alarm is shown, and where its object is found. Pure. */
import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'
import { CONSOLE_PARTS } from '@trunkline/contract/alarms/console-parts'
import { RULES } from '@trunkline/contract/alarms/alarm.rules'
import type { AlarmHead, Severity } from '@trunkline/contract/alarms/open-alarms.schema'
import type { Family, Shape } from '@trunkline/contract/fleet/state-view.rules'
import { mayDo } from '@trunkline/contract/role-table'
import type { Role } from '@trunkline/contract/roles'
import { HIDDEN_TITLE } from './alarm.messages.ts'

/** Titles in the language of the page. */
const PARTS: Readonly<Record<string, string>> = CONSOLE_PARTS

interface Look {
  family: Family
  shape: Shape
}

const LOOKS: Readonly<Record<Severity, Look>> = {
  critical: { family: 'bad', shape: 'octagon' },
  major: { family: 'warn', shape: 'triangle' },
  warning: { family: 'warn', shape: 'half-disc' },
}

/** What is acknowledged, muted, over or cleared is no longer loud. */
export function lookOf(
  alarm: Pick<Alarm, 'severity' | 'overSinceMs' | 'clearedAt'>,
  isQuiet: boolean,
): Look {
  const { family, shape } = lookOfHead(alarm)
  return { family: isQuiet || alarm.clearedAt !== null ? 'off' : family, shape }
}

export function lookOfHead({
  severity,
  overSinceMs,
}: Pick<AlarmHead, 'severity' | 'overSinceMs'>): Look {
  const { family, shape } = LOOKS[severity]
  return { family: overSinceMs === null ? family : 'off', shape }
}

export function isMuted({ mutedUntil }: Pick<Alarm, 'mutedUntil'>, nowMs: number): boolean {
  return mutedUntil !== null && Date.parse(mutedUntil) > nowMs
}

/** While its object is in maintenance. */
export function isInMaintenance(
  { maintenanceUntil }: Pick<Alarm, 'maintenanceUntil'>,
  nowMs: number,
): boolean {
  return maintenanceUntil !== null && Date.parse(maintenanceUntil) > nowMs
}

export function isQuiet(
  alarm: Pick<Alarm, 'acknowledged' | 'mutedUntil' | 'maintenanceUntil'>,
  nowMs: number,
): boolean {
  const isSeenTo = alarm.acknowledged !== null || isMuted(alarm, nowMs)
  return isSeenTo || isInMaintenance(alarm, nowMs)
}

export function titleOf({
  kind,
  title,
  objectId,
}: Pick<AlarmHead, 'kind' | 'title' | 'objectId'>): string {
  return (kind === 'console' && PARTS[objectId]) || title || objectId || HIDDEN_TITLE
}

export function ruleTitle({ rule }: Pick<AlarmHead, 'rule'>): string {
  return RULES[rule].title
}

/** Why this person only sees the alarm; null where they may acknowledge it. */
export function disabledReasonOf(
  { kind, objectId }: Pick<AlarmHead, 'kind' | 'objectId'>,
  role: Role | null,
): string | null {
  if (!mayDo(role, 'acknowledgeAlarm')) return 'Your role only sees alarms.'
  if (objectId === '') return 'Its cause is in another group.'
  const isOfEditor = kind === 'encoder' || kind === 'feeder'
  if (role === 'editor' && !isOfEditor) return 'Your role only sees this alarm.'
  return null
}

/** False where its object is hidden, or this person has no page of it. */
export function canOpen(
  { kind, objectId, serverId, groupId, ownerId }: Alarm,
  opensPlaces: boolean,
  opensLinks: boolean,
): boolean {
  if (objectId === '') return false
  switch (kind) {
    case 'server':
      return opensPlaces
    case 'encoder':
    case 'channel':
      return true
    case 'feeder':
      return ownerId !== ''
    case 'input':
      return opensLinks && serverId !== '' && groupId !== ''
    case 'output':
      return opensLinks && serverId !== ''
    case 'console':
      return objectId === 'backups' || objectId === 'sign-in'
  }
}
