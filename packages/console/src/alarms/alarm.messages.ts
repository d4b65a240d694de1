/** What the alarm pages say. */
import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'
import {
  SEVERITIES,
  type OpenAlarms,
  type Severity,
} from '@trunkline/contract/alarms/open-alarms.schema'
import { LOCALE } from '../lib/locale/language.ts'

export const ALARMS = 'Alarms'
export const LIST_FAILED = 'The list of alarms could not be read.'
export const HISTORY_FAILED = 'The history of alarms could not be read.'
export const HIDDEN_TITLE = 'In another group'
export const ACKNOWLEDGED = 'Alarm acknowledged'
export const PLAN_REFUSED = 'Your role only sees maintenance windows.'
export const OVERRIDE_REFUSED = 'Your role only sees the rules.'
export const NONE_LOUD = 'All alarms shown are acknowledged, muted or in maintenance.'
export const NO_ACKNOWLEDGED = 'No alarm was acknowledged.'
export const UNACKNOWLEDGED = 'Acknowledgement withdrawn'
export const MUTED = 'Alarm muted'
export const UNMUTED = 'Alarm unmuted'
export const NOT_CHANGED = 'The alarm was not changed.'
export const NO_DESKTOP =
  'This browser does not allow notifications from this address. Allow them in its settings, then switch them on again.'

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  major: 'Major',
  warning: 'Warning',
}

export function consequencesText(count: number): string {
  return `${count.toLocaleString(LOCALE)} caused by this`
}

/** Of one that is open only until its end has lasted. */
export const CLEARS_SOON = 'The cause is gone. The alarm clears if it stays gone.'

/** Of one that is acknowledged, or muted for now, or in maintenance. */
export function quietText({ acknowledged }: Pick<Alarm, 'acknowledged'>, isMuted: boolean): string {
  if (acknowledged !== null) return `Acknowledged by ${acknowledged.by}`
  return isMuted ? 'Muted' : 'In maintenance'
}

export function unacknowledgedCount({ unacknowledged }: OpenAlarms): number {
  return unacknowledged.critical + unacknowledged.major + unacknowledged.warning
}

/** How it went with several; `left` were changed or cleared meanwhile. */
export function acknowledgedText(done: number, left: number): string {
  const count = done === 1 ? '1 alarm acknowledged' : `${done} alarms acknowledged`
  return left === 0 ? count : `${count}, ${left} left`
}

export const LEFT_REASON = 'They have changed or were cleared meanwhile. Look at them again.'

const COUNTED: Readonly<Record<Severity, (count: number) => string>> = {
  critical: (count) => `${count} critical`,
  major: (count) => `${count} major`,
  warning: (count) => `${count} warning`,
}

/** '2 critical, 1 warning' */
export function severitiesText(alarms: readonly { severity: Severity }[]): string {
  return SEVERITIES.map((severity) => ({
    severity,
    count: alarms.filter((alarm) => alarm.severity === severity).length,
  }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => COUNTED[severity](count))
    .join(', ')
}
