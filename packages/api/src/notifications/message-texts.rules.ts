/**
 * The texts of a message itself, by their English: each has its French in messages.json of the
 * contract, which a test holds complete. `{0}`, `{1}` is what is put in.
 */
import type { Severity } from '@trunkline/contract/alarms/open-alarms.schema'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  critical: 'CRITICAL',
  major: 'MAJOR',
  warning: 'WARNING',
}

export const KIND_WORDS: Readonly<Record<ObservedKind, string>> = {
  encoder: 'encoder',
  feeder: 'feeder',
  input: 'input',
  output: 'output',
  channel: 'channel',
  server: 'server',
  console: 'console',
}

/** Why an alarm is in a message. */
export type Sort = 'raised' | 'reminders' | 'cleared'

interface SortTexts {
  /** Of the product, the severity and the alarm, which is the only one. */
  subject: string
  /** Of one such alarm, and of several: French has a plural. */
  single: string
  several: string
  heading: string
}

export const SORT_TEXTS: Readonly<Record<Sort, SortTexts>> = {
  raised: {
    subject: '[{0}] {1} {2}',
    single: '1 raised',
    several: '{0} raised',
    heading: 'Raised:',
  },
  reminders: {
    subject: '[{0}] STILL OPEN {1} {2}',
    single: '1 still open',
    several: '{0} still open',
    heading: 'Still open, not acknowledged:',
  },
  cleared: {
    subject: '[{0}] CLEARED {1} {2}',
    single: '1 cleared',
    several: '{0} cleared',
    heading: 'Cleared:',
  },
}

export const ALARMS_SUBJECT = '[{0}] alarms: {1}'
export const WORST_SUBJECT = '[{0}] {1} alarms: {2}'
export const TEST_SUBJECT = '[{0}] Test of {1}'
export const TEST_TEXT =
  'This is a test of the notification rule {0}, sent by {1} at {2}. Nothing is wrong.'
/** Who it is, what is wrong with it, and ' (and 300 caused by this)'. */
export const HEAD = '{0}: {1}{2}'
export const OTHER_GROUP = '{0} of another group'
export const CONSEQUENCES = ' (and {0} caused by this)'
export const RAISED_AT = '{0}, raised at {1}'
export const CLEARED_AT = '{0}, raised at {1}, cleared at {2}'
export const OMITTED = 'and {0} more. See the page Alarms.'
export const SENT_BY = 'Sent by the notification rule {0} of {1} at {2}.'
