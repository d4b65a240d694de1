/**
 * Thresholds of the alarm rules that judge a figure. Hosts report which of these steps a figure has
 * passed, so that any of them can be set for an object without a word to its host, and a figure that
 * moves between two steps costs nothing. Pure.
 */
import type { MediaFinding } from '../fleet/observed.schema.ts'
import type { AlarmRule } from './open-alarms.schema.ts'

export interface Threshold {
  /** In percent; the lowest first. */
  steps: readonly number[]
  /** One of the steps: what applies without any set-up. */
  default: number
  /** What is bad: a figure above it, or below it. */
  isBad: 'above' | 'below'
}

/** Of the packets of the last ten seconds. One in a thousand dropped shows in the picture. */
const LOSS: Threshold = {
  steps: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20],
  default: 0.1,
  isBad: 'above',
}
/** Of real time. Below this an encoder falls behind its own picture. */
const SPEED: Threshold = { steps: [50, 60, 70, 80, 90, 95, 97], default: 95, isBad: 'below' }
/** Of the size of the disk. */
const DISK: Threshold = { steps: [1, 2, 3, 5, 10, 15, 20, 30, 50], default: 5, isBad: 'below' }

/** Of the rules that judge a figure. */
export const THRESHOLDS: Partial<Readonly<Record<AlarmRule, Threshold>>> = {
  'losing-packets': LOSS,
  slow: SPEED,
  'disk-full': DISK,
}

/**
 * With less a disk counts as nearly full too, unless the threshold is set below the default: at 20 Mbit/s
 * it is full in minutes.
 */
const LOW_BYTES = 1_000_000_000

/** Whether a disk with so much free space has passed the threshold, in percent of its size. */
export function isDiskLow(
  { freeBytes, totalBytes }: { freeBytes: number; totalBytes: number },
  thresholdPercent: number,
): boolean {
  const isFloorKept = thresholdPercent >= DISK.default
  return freeBytes < (totalBytes * thresholdPercent) / 100 || (isFloorKept && freeBytes < LOW_BYTES)
}

/** The lowest step that a disk with so much free space has passed; null: none. */
export function diskStepOf(disk: { freeBytes: number; totalBytes: number }): number | null {
  return DISK.steps.find((step) => isDiskLow(disk, step)) ?? null
}

/** Steps that the share of dropped packets (0 to 1) has passed, the lowest first. */
export function lossStepsOf(share: number): number[] {
  return LOSS.steps.filter((step) => share * 100 > step)
}

/** Steps that the speed of an encoder (1 is real time) has passed, the lowest first. */
export function speedStepsOf(speed: number): number[] {
  return SPEED.steps.filter((step) => speed * 100 < step)
}

const JUDGED_BY: Partial<Record<MediaFinding['kind'], AlarmRule>> = {
  losing: 'losing-packets',
  slow: 'slow',
}

/**
 * The worst of what a host has found that counts, by the threshold in percent that applies to each rule
 * (null for none); undefined while nothing does.
 */
export function worstFinding(
  findings: readonly MediaFinding[],
  applied: (rule: AlarmRule) => number | null,
): MediaFinding | undefined {
  return findings.find(({ kind, step }) => {
    const rule = JUDGED_BY[kind]
    return rule === undefined || step === applied(rule)
  })
}

export function defaultThreshold(rule: AlarmRule): number | null {
  return THRESHOLDS[rule]?.default ?? null
}

/** Of two thresholds of a rule the one that raises more. */
export function moreAlarmingThreshold(
  rule: AlarmRule,
  a: number | null,
  b: number | null,
): number | null {
  if (a === null || b === null) return a ?? b
  return THRESHOLDS[rule]?.isBad === 'below' ? Math.max(a, b) : Math.min(a, b)
}

/** Why that threshold cannot be set; null where it can. */
export function thresholdFault(rule: AlarmRule, threshold: number | null): string | null {
  if (threshold === null) return null
  const steps = THRESHOLDS[rule]?.steps
  if (steps === undefined) return 'cannot be set: this rule judges no figure. Leave it empty.'
  return steps.includes(threshold) ? null : `must be one of ${steps.join(', ')} (percent).`
}
