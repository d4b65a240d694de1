/** An override: what a rule for alarms does otherwise for a group, a server or an object. */
import { z } from 'zod'
import { decimalNumber, unlessEmpty, wholeNumber } from '../../text.schema.ts'
import { Covered, CoveredKind } from '../maintenance/maintenance.schema.ts'
import { clearFault } from '../alarm.rules.ts'
import { AlarmRule, Severity } from '../open-alarms.schema.ts'
import { thresholdFault } from '../threshold.rules.ts'

const DELAY_SECONDS_AT_MOST = 3600
const DELAY = 'must be 0 seconds to 1 hour (3600).'

const delay = unlessEmpty(wholeNumber(0, DELAY_SECONDS_AT_MOST, DELAY).nullable().default(null))

/** Null: as it would be without this override. */
const settings = {
  /** true: raises nothing; false: raises, also where a wider override is off. */
  isOff: z.boolean().nullable().default(null),
  severity: Severity.nullable().default(null),
  /** Percent, a step of its rule (threshold.rules.ts); only of rules that judge a figure. */
  threshold: unlessEmpty(
    decimalNumber(0.01, 100, 'must be a number of percent, 0.01 to 100.').nullable().default(null),
  ),
  raiseAfterSeconds: delay,
  /** Of each rule at least what it is without any override (alarm.rules.ts). */
  clearAfterSeconds: delay,
}

export const OverrideSettings = z.strictObject(settings)
export type OverrideSettings = z.output<typeof OverrideSettings>

export function changesSomething(given: OverrideSettings): boolean {
  const { isOff, severity, threshold, raiseAfterSeconds, clearAfterSeconds } = given
  const fields = [isOff, severity, threshold, raiseAfterSeconds, clearAfterSeconds]
  return fields.some((field) => field !== null)
}

export const CHANGES_NOTHING = {
  path: ['isOff'],
  message: 'Set at least one of: raised or not, severity, threshold, raised after, cleared after.',
}

/** Why these settings cannot be those of that rule. */
export function settingsFaults(
  rule: AlarmRule,
  { threshold, clearAfterSeconds }: Pick<OverrideSettings, 'threshold' | 'clearAfterSeconds'>,
): { field: 'threshold' | 'clearAfterSeconds'; message: string }[] {
  const faults = {
    threshold: thresholdFault(rule, threshold),
    clearAfterSeconds: clearFault(rule, clearAfterSeconds),
  }
  return (['threshold', 'clearAfterSeconds'] as const).flatMap((field) => {
    const message = faults[field]
    return message === null ? [] : [{ field, message }]
  })
}

export const OverrideDraft = OverrideSettings.extend({ covers: Covered, rule: AlarmRule })
  .refine(changesSomething, CHANGES_NOTHING)
  .superRefine(({ rule, ...given }, context) => {
    for (const { field, message } of settingsFaults(rule, given)) {
      context.addIssue({ code: 'custom', path: [field], message })
    }
  })
export type OverrideDraft = z.output<typeof OverrideDraft>

export const AlarmOverride = z.object({
  _id: z.string(),
  id: z.string(),
  version: z.number(),
  /** `title`: '' when it was removed. */
  covers: z.object({ kind: CoveredKind, id: z.string(), title: z.string() }),
  rule: AlarmRule,
  ...settings,
})
export type AlarmOverride = z.infer<typeof AlarmOverride>

/**
 * Where a setting comes from: the id of an override, '' for the default, 'hidden' for an override of a
 * group that the caller does not see.
 */
const From = z.string()

/** What applies of one rule to one object. */
export const CombinedRule = z.object({
  rule: AlarmRule,
  isOff: z.boolean(),
  severity: Severity,
  /** Percent; null of a rule that judges no figure. */
  threshold: z.number().nullable(),
  raiseAfterMs: z.number(),
  clearAfterMs: z.number(),
  from: z.object({
    isOff: From,
    severity: From,
    threshold: From,
    raiseAfterMs: From,
    clearAfterMs: From,
  }),
})
export type CombinedRule = z.infer<typeof CombinedRule>

/** Each API process holds all of them in memory. */
export const OVERRIDES_AT_MOST = 1000
