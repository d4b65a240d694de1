/**
 * Which alarms of a rule are to be sent now, and when there is something to look at again. Pure: it
 * decides from open alarms, what was sent of them, and when messages were sent.
 */
import { compareSeverity } from '@trunkline/contract/alarms/alarm.rules'
import type { Severity } from '@trunkline/contract/alarms/open-alarms.schema'
import type { NotificationRuleDraft } from '@trunkline/contract/notifications/notification.schema'

export type Pace = Pick<
  NotificationRuleDraft,
  'severity' | 'delaySeconds' | 'groupingSeconds' | 'repeatMinutes' | 'sendsCleared'
>

/** A first cause that the rule's groups see. */
export interface OpenAlarm {
  alarmId: string
  severity: Severity
  raisedAtMs: number
  /** Acknowledged, or muted for now. */
  isQuiet: boolean
}

export interface SentAlarm {
  alarmId: string
  severity: Severity
  sentAtMs: number
  isCleared: boolean
}

/** The messages of a rule so far. */
export interface SentMessages {
  /** When each of the last hour was made, the newest first. */
  atMs: readonly number[]
  /** Not delivered yet. */
  waiting: number
}

export interface Due {
  raised: readonly string[]
  reminders: readonly string[]
  cleared: readonly string[]
}

const HOUR_MS = 3_600_000
/** A storm of alarms must not become a storm of messages: what comes beyond is gathered. */
export const MESSAGES_PER_HOUR = 30
/** While the other side takes none, what comes is gathered in few messages. */
export const WAITING_AT_MOST = 10
const WAITING_LOOK_MS = 10_000

/** `due` null: nothing is to be sent now. `againAtMs` null: not before something changes. */
export function dueOf(
  pace: Pace,
  open: readonly OpenAlarm[],
  sent: readonly SentAlarm[],
  messages: SentMessages,
  nowMs: number,
): { due: Due | null; againAtMs: number | null } {
  const known = new Map(sent.map((alarm) => [alarm.alarmId, alarm]))
  const raised: string[] = []
  const reminders: string[] = []
  let againAtMs = Infinity
  for (const alarm of open) {
    if (alarm.isQuiet || compareSeverity(alarm.severity, pace.severity) > 0) continue
    const before = known.get(alarm.alarmId)
    const atMs = dueAtMs(pace, alarm, before)
    if (nowMs < atMs) againAtMs = Math.min(againAtMs, atMs)
    else if (isReminder(alarm, before)) reminders.push(alarm.alarmId)
    else raised.push(alarm.alarmId)
  }
  const cleared = pace.sendsCleared
    ? sent.filter(({ isCleared }) => isCleared).map(({ alarmId }) => alarmId)
    : []
  if (raised.length + reminders.length + cleared.length > 0) {
    const earliestMs = earliestAtMs(pace, messages, nowMs)
    if (nowMs >= earliestMs) return { due: { raised, reminders, cleared }, againAtMs: nowMs }
    againAtMs = Math.min(againAtMs, earliestMs)
  }
  return { due: null, againAtMs: againAtMs === Infinity ? null : againAtMs }
}

/** A worse alarm than was sent is sent at once. */
function dueAtMs(pace: Pace, alarm: OpenAlarm, before: SentAlarm | undefined): number {
  if (before === undefined) return alarm.raisedAtMs + pace.delaySeconds * 1000
  if (!isReminder(alarm, before)) return 0
  return pace.repeatMinutes === 0 ? Infinity : before.sentAtMs + pace.repeatMinutes * 60_000
}

function isReminder({ severity }: OpenAlarm, before: SentAlarm | undefined): boolean {
  return before !== undefined && compareSeverity(severity, before.severity) >= 0
}

/** When the next message may be made. */
function earliestAtMs({ groupingSeconds }: Pace, { atMs, waiting }: SentMessages, nowMs: number) {
  const [last = -Infinity] = atMs
  const ofHour = atMs[MESSAGES_PER_HOUR - 1] ?? -Infinity
  const ofWaiting = waiting >= WAITING_AT_MOST ? nowMs + WAITING_LOOK_MS : -Infinity
  // A clock that was set back holds no message back for longer than that.
  const ofGrouping = Math.min(last, nowMs) + groupingSeconds * 1000
  return Math.max(ofGrouping, ofHour + HOUR_MS, ofWaiting)
}
