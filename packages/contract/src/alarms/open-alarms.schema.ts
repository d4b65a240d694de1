/** The open alarms of a person as the live stream carries them: counts and the worst, never a list. */
import { z } from 'zod'
import { ObservedKind } from '../fleet/observed-kind.schema.ts'
import { Sentence } from '../sentence.schema.ts'

/** Worst first. */
export const SEVERITIES = ['critical', 'major', 'warning'] as const
export const Severity = z.enum(SEVERITIES)
export type Severity = z.infer<typeof Severity>

export const ALARM_RULES = [
  'host-unreachable',
  'media-server-silent',
  'supervisor-down',
  'program-down',
  'source-lost',
  'no-peer',
  'no-media',
  'slow',
  'losing-packets',
  'path-silent',
  'never-connected',
  'bad-picture',
  'no-sound',
  'on-backup',
  'no-backup',
  'disk-full',
  'backup-failed',
  'schedule-not-run',
  'wrong-secrets',
] as const
export const AlarmRule = z.enum(ALARM_RULES)
export type AlarmRule = z.infer<typeof AlarmRule>

/** What a strip on every page shows of an alarm. */
export const AlarmHead = z.object({
  id: z.string(),
  kind: ObservedKind,
  objectId: z.string(),
  /** What the object is called; '' where this person may not see it. */
  title: z.string(),
  rule: AlarmRule,
  severity: Severity,
  raisedAtMs: z.number(),
  /**
   * Since when what it says is not seen any more: it is cleared once that has lasted. Null while it is
   * seen; a console of this version may hear an API of the version before, which does not say.
   */
  overSinceMs: z.number().nullable().default(null),
  /** What happened, why if known, what to do. */
  sentence: Sentence,
  /** How many open alarms this one causes, of those that this person may see. */
  behind: z.number(),
  version: z.number(),
})
export type AlarmHead = z.infer<typeof AlarmHead>

/** Of first causes only; how many alarms each causes is in `behind`. */
export const OpenAlarms = z.object({
  /** Neither acknowledged nor muted. */
  unacknowledged: z.object({ critical: z.number(), major: z.number(), warning: z.number() }),
  /** Acknowledged, or muted for now. */
  quiet: z.number(),
  /** The worst of the unacknowledged, the newest of several alike; null while there is none. */
  worst: AlarmHead.nullable(),
  /** Another number whenever the list of open alarms has changed. */
  change: z.number(),
})
export type OpenAlarms = z.infer<typeof OpenAlarms>
