/** The rules that raise alarms, as they are without any set-up. Pure. */
import type { ObservedKind } from '../fleet/observed-kind.schema.ts'
import { SEVERITIES, type AlarmRule, type Severity } from './open-alarms.schema.ts'

export interface RuleSettings {
  /** Short enough for a row. */
  title: string
  severity: Severity
  /** It must hold so long before it is raised, counted from when the host saw it begin. */
  raiseAfterMs: number
  /** All must be well for so long before it is cleared. */
  clearAfterMs: number
}

/**
 * Raise: 2 s for what hosts report at once, so that an operator reads it within 3 s and a program that
 * supervisord restarts within a second raises nothing; 1 s where a silence was waited for already; 5 s
 * for quality, which a single burst must not raise. Clear: 6 s, longer than the 5 s between two
 * readings, so that a fault that comes and goes every 5 s stays one alarm, and short enough to clear
 * within 10 s of the repair.
 */
export const RULES: Readonly<Record<AlarmRule, RuleSettings>> = {
  'host-unreachable': settings('Host unreachable', 'critical', 2000),
  'media-server-silent': settings('Media server does not answer', 'critical', 1000),
  'supervisor-down': settings('Supervisor down', 'critical', 2000),
  'program-down': settings('Not running', 'critical', 2000),
  'source-lost': settings('Source lost', 'critical', 2000),
  'no-peer': settings('Peer lost', 'major', 2000),
  'no-media': settings('No media', 'major', 1000),
  slow: settings('Slower than real time', 'major', 5000),
  // Its host calls a loss over after four seconds without: together no sooner than the others.
  'losing-packets': { ...settings('Losing packets', 'warning', 5000), clearAfterMs: 3000 },
  'path-silent': settings('One path silent', 'warning', 2000),
  // Twenty seconds were waited for already.
  'never-connected': settings('No peer yet', 'warning', 0),
  // Longer than a cut through black, or a pause between two words, which are no fault.
  'bad-picture': settings('Black or frozen picture', 'major', 5000),
  'no-sound': settings('Silent', 'warning', 10_000),
  'on-backup': settings('On backup source', 'warning', 5000),
  // Longer than a channel that is restarted waits for the first picture of each of its sources.
  'no-backup': settings('Backup source not ready', 'warning', 20_000),
  // The agent says so below 5 % or 1 GB: at 20 Mbit/s that is minutes, on most disks hours.
  'disk-full': settings('Disk nearly full', 'major', 0),
  // Of the console itself, which looks every twenty seconds: each is a fact by then.
  'backup-failed': settings('Backup failed', 'major', 0),
  'schedule-not-run': settings('Schedule not carried out', 'warning', 0),
  'wrong-secrets': settings('Many wrong passwords or codes', 'warning', 0),
}

function settings(title: string, severity: Severity, raiseAfterMs: number): RuleSettings {
  return { title, severity, raiseAfterMs, clearAfterMs: 6000 }
}

/** Why an alarm of that rule cannot be cleared after so many seconds; null where it can. */
export function clearFault(rule: AlarmRule, seconds: number | null): string | null {
  const least = RULES[rule].clearAfterMs / 1000
  if (seconds === null || seconds >= least) return null
  return `must be ${least} seconds to 1 hour (3600): cleared sooner, the alarm would come and go with each reading.`
}

/** An alarm that was cleared so often within this time comes and goes: it is cleared later. */
export const CHATTER_CLEARS = 3
export const CHATTER_WITHIN_MS = 10 * 60_000
export const CHATTER_CLEAR_AFTER_MS = 60_000

/** Below zero when `a` is the worse. */
export function compareSeverity(a: Severity, b: Severity): number {
  return SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b)
}

/** What an alarm can be the reason of, on an object downstream. */
const EXPLAINS: Readonly<Record<AlarmRule, readonly AlarmRule[]>> = {
  'host-unreachable': [
    'host-unreachable',
    'media-server-silent',
    'no-peer',
    'never-connected',
    'no-media',
    ...sourceless(),
    ...lossy(),
  ],
  'media-server-silent': ['media-server-silent', 'no-peer', 'no-media', ...sourceless()],
  // Of the programs there those that ended with it: the API says which.
  'supervisor-down': ['supervisor-down'],
  'program-down': ['no-peer', 'no-media', 'never-connected', ...sourceless(), ...lossy()],
  'source-lost': ['no-media', ...sourceless()],
  'no-peer': ['no-media', ...sourceless(), ...lossy()],
  'never-connected': ['no-media', ...sourceless(), ...lossy()],
  'no-media': ['no-media', 'no-peer', ...sourceless(), ...lossy()],
  slow: ['slow', 'no-media', 'losing-packets', ...sourceless()],
  'losing-packets': ['losing-packets', ...sourceless()],
  'path-silent': ['path-silent', 'losing-packets'],
  'bad-picture': ['bad-picture', 'no-sound'],
  'no-sound': ['no-sound'],
  'on-backup': [],
  'no-backup': [],
  // Several records of one machine see the same disk.
  'disk-full': ['disk-full'],
  'backup-failed': [],
  'schedule-not-run': [],
  'wrong-secrets': [],
}

/** What becomes of a channel whose source is lost, or brings only part of the stream. */
function sourceless(): readonly AlarmRule[] {
  return ['source-lost', 'on-backup', 'no-backup', 'bad-picture', 'no-sound']
}

function lossy(): readonly AlarmRule[] {
  return ['slow', 'losing-packets', 'path-silent']
}

const SENDERS: readonly ObservedKind[] = ['feeder', 'output']
const WITHOUT_PEER: readonly AlarmRule[] = ['no-peer', 'never-connected']

interface Found {
  kind: ObservedKind
  rule: AlarmRule
}

/** Whether the alarm of a hop before an object, or of the host of one, is the reason of its alarm. */
export function explains(before: Found, { kind, rule }: Found): boolean {
  if (EXPLAINS[before.rule].includes(rule)) return true
  // Both ends of a link lose their peer: the sender's alarm is the first.
  const isLink = kind === 'input' && SENDERS.includes(before.kind)
  return isLink && WITHOUT_PEER.includes(before.rule) && WITHOUT_PEER.includes(rule)
}

const NOT_THERE: readonly AlarmRule[] = ['program-down', 'host-unreachable', 'media-server-silent']

/** Whether the alarm of the receiver that a sender calls, or of its host, is the reason of the sender's. */
export function explainsSender(receiver: AlarmRule, { kind, rule }: Found): boolean {
  return needsReceivers({ kind, rule }) && NOT_THERE.includes(receiver)
}

/** Whose alarms may be explained by an alarm of the receiver. */
export function needsReceivers(found: Found): boolean {
  return SENDERS.includes(found.kind) && lacksPeer(found)
}

export function lacksPeer({ rule }: Pick<Found, 'rule'>): boolean {
  return WITHOUT_PEER.includes(rule)
}
