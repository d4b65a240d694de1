/** Sentences of the page of notifications. */
import type { Severity } from '@trunkline/contract/alarms/open-alarms.schema'
import type {
  DeliveryState,
  NotificationKind,
} from '@trunkline/contract/notifications/notification.schema'

export const NOTIFICATIONS = 'Notifications'
export const ADDED = 'Notification rule added'
export const SAVED = 'Notification rule saved'
export const DELETED = 'Notification rule deleted'
export const ADD_FAILED = 'The notification rule could not be added.'
export const SAVE_FAILED = 'The notification rule could not be saved.'
export const DELETE_FAILED = 'The notification rule could not be deleted.'
export const TEST_FAILED = 'The test could not be carried out.'
export const RULES_FAILED = 'The notification rules could not be read.'
export const LOG_FAILED = 'The sent notifications could not be read.'

export const KIND_NAMES: Readonly<Record<NotificationKind, string>> = {
  email: 'E-mail',
  webhook: 'Webhook',
  snmp: 'SNMP',
}

export const SEVERITY_CHOICES: Readonly<Record<Severity, string>> = {
  critical: 'Critical only',
  major: 'Major and critical',
  warning: 'All',
}

export const STATE_WORDS: Readonly<Record<DeliveryState, string>> = {
  waiting: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
}

/** What of a message is in the language of its rule. */
export const LANGUAGE_HINTS: Readonly<Record<NotificationKind, string>> = {
  email: 'Of subject and text',
  webhook: 'Of subject and sentences',
  snmp: 'Of the text of the alarm',
}

/** After 'Show' and 'Hide'. */
export const PASSWORD = 'password'
export const COMMUNITY = 'community'

export const SECRET_STORED = 'Stored. Leave empty to keep it.'
export const SECRET_NEW = 'It is stored encrypted and not shown again.'
export const WEBHOOK_SECRET_NEW =
  'The receiver needs the same secret. Copy it now: it is not shown again.'

export function deleteSentences(title: string): readonly string[] {
  return [
    `Deletes the notification rule '${title}'.`,
    'Messages of this rule that still wait are not sent. Sent messages stay in the list of sent notifications.',
  ]
}

export function engineIdHint(engineId: string): string {
  return `For traps, create the user at the receiver for engine ID 0x${engineId}.`
}
