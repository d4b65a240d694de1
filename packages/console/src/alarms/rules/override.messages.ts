/** What the rules of alarms and their overrides say. */
import { RULES } from '@trunkline/contract/alarms/alarm.rules'
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { THRESHOLDS } from '@trunkline/contract/alarms/threshold.rules'
import type { AlarmOverride } from '@trunkline/contract/alarms/overrides/override.schema'
import { decimalText } from '@trunkline/contract/number-text.rules'

export const LIST_FAILED = 'The overrides of alarm rules could not be read.'
export const COMBINED_FAILED = 'The rules of this object could not be read.'
export const ADDED = 'Override added'
export const UPDATED = 'Override changed'
export const DELETED = 'Override deleted'
export const SAVE_FAILED = 'The override was not saved.'
export const DELETE_FAILED = 'The override was not deleted.'
export const REMOVED_TITLE = 'Removed'

export const RULE_MEANINGS: Readonly<Record<AlarmRule, string>> = {
  'host-unreachable': 'The host of a server or an encoder does not answer.',
  'media-server-silent': 'A channel server does not answer.',
  'supervisor-down': 'The supervisor of a host (supervisord) ended or does not answer.',
  'program-down':
    'An encoder, feeder, input, output or the receiver of a channel should run and does not.',
  'source-lost': 'No source of a channel has a picture.',
  'no-peer': 'The other end of a link was connected and is gone.',
  'no-media': 'A program runs, but no media flows.',
  slow: 'An encoder is slower than its source.',
  'losing-packets': 'A link drops packets, counted over 10 s.',
  'path-silent': 'One of several RIST paths carries nothing.',
  'never-connected': 'A link has run for 20 s, and no peer has connected.',
  'bad-picture': 'The picture is black or frozen.',
  'no-sound': 'Audio is present but silent.',
  'on-backup': 'A channel is on a backup source.',
  'no-backup': 'No backup source of a channel has a picture.',
  'disk-full':
    'The disk of a host or of the console has too little free space, or cannot be written.',
  'backup-failed': 'The last backup of the console failed.',
  'schedule-not-run': 'A schedule of the last 24 hours was not carried out.',
  'wrong-secrets': 'Many passwords or codes were wrong within ten minutes.',
}

/** '2 s' */
export function delayText(ms: number): string {
  return ms === 0 ? 'at once' : `${decimalText(ms / 1000, null)} s`
}

/** 'above 0.1 %', 'below 5 % or 1 GB free'; null: the rule judges no figure. */
export function thresholdText(rule: AlarmRule, percent: number | null): string | null {
  const threshold = THRESHOLDS[rule]
  if (threshold === undefined || percent === null) return null
  const floor = rule === 'disk-full' && percent >= threshold.default ? ' or 1 GB' : ''
  return `${BAD_WORDS[threshold.isBad]} ${decimalText(percent, null)} %${floor}${THRESHOLD_OF[rule] ?? ''}`
}

const BAD_WORDS = { above: 'above', below: 'below' } as const

const THRESHOLD_OF: Partial<Record<AlarmRule, string>> = {
  'disk-full': ' free',
  slow: ' of real time',
}

/** 'Peer lost for North' */
export function overrideText({ rule, covers }: Pick<AlarmOverride, 'rule' | 'covers'>): string {
  return `${RULES[rule].title} for ${covers.title || REMOVED_TITLE}`
}
