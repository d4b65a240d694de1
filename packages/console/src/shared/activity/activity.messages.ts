/** What was done, to what and how it ended, in an operator's words. */
import type { AuditResult } from '@trunkline/contract/audit/audit.schema'
import type { ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import type { Family, Shape } from '@trunkline/contract/fleet/state-view.rules'

/** After the words of a command: 'Started encoder'. */
export const COMMANDED_WORDS: Readonly<Partial<Record<ObjectKind, string>>> = {
  encoder: 'encoder',
  input: 'input',
  output: 'output',
}

export const KIND_WORDS: Readonly<Record<ObjectKind, string>> = {
  user: 'User',
  group: 'Group',
  server: 'Server',
  encoder: 'Encoder',
  encoderTemplate: 'Encoder template',
  maintenance: 'Maintenance window',
  channel: 'Channel',
  input: 'Input',
  output: 'Output',
  destination: 'Destination',
  notificationRule: 'Notification rule',
  alarmOverride: 'Alarm rule override',
  backup: 'Backup',
  apiToken: 'API token',
  schedule: 'Schedule',
}

interface ResultView {
  word: string
  shape: Shape
  family: Family
}

export const RESULT_VIEWS: Readonly<Record<AuditResult, ResultView>> = {
  done: { word: 'Done', shape: 'disc', family: 'ok' },
  refused: { word: 'Refused', shape: 'triangle', family: 'warn' },
  failed: { word: 'Failed', shape: 'octagon', family: 'bad' },
}

/** Nobody was signed in: the product did it, or somebody who was not let in. */
export const SYSTEM = 'System'
export const NOT_SIGNED_IN = 'Not signed in'
