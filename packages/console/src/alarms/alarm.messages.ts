/** What the alarm pages say. */
import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'
import type { OpenAlarms, Severity } from '@trunkline/contract/alarms/open-alarms.schema'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'

export const ALARMS = 'Alarms'
export const LIST_FAILED = 'The list of alarms could not be read.'
export const HISTORY_FAILED = 'The history of alarms could not be read.'
export const HIDDEN_TITLE = 'In another group'
export const ACKNOWLEDGED = 'Alarm acknowledged'
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

export const KIND_WORDS: Readonly<Record<ObservedKind, string>> = {
  server: 'Server',
  encoder: 'Encoder',
  feeder: 'Feeder',
  input: 'Input',
  output: 'Output',
  channel: 'Channel',
}

export function behindText(count: number): string {
  return `${count.toLocaleString('en')} behind it`
}

/** Of one that is acknowledged, or muted for now. */
export function quietText({ acknowledged }: Pick<Alarm, 'acknowledged'>): string {
  return acknowledged === null ? 'Muted' : `Acknowledged by ${acknowledged.by}`
}

export function unacknowledgedCount({ unacknowledged }: OpenAlarms): number {
  return unacknowledged.critical + unacknowledged.major + unacknowledged.warning
}
