/** The form of an override: its values, and what is wrong with them. */
import type { CoveredKind } from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import type { AlarmRule, Severity } from '@trunkline/contract/alarms/open-alarms.schema'
import {
  type AlarmOverride,
  OverrideDraft,
} from '@trunkline/contract/alarms/overrides/override.schema'
import {
  type FieldNames,
  formFieldOf,
  schemaFaults,
  sentenceOf,
} from '../../forms/field-faults.rules.ts'

export interface OverrideValues {
  kind: CoveredKind
  /** '' for none yet. */
  id: string
  rule: AlarmRule
  /** Of this and all that follow, '' keeps what applies without the override. */
  raises: '' | 'yes' | 'no'
  severity: Severity | ''
  /** Percent, a step of the rule. */
  threshold: string
  /** Digits, seconds. */
  raiseAfter: string
  clearAfter: string
}

export const OVERRIDE_LABELS = {
  kind: 'Covers',
  id: 'Which',
  rule: 'Rule',
  raises: 'Raise alarms',
  severity: 'Severity',
  threshold: 'Threshold',
  raiseAfter: 'Raised after (s)',
  clearAfter: 'Cleared after (s)',
} as const satisfies Record<keyof OverrideValues, string>

export const OVERRIDE_FIELDS: FieldNames<keyof OverrideValues> = [
  ['covers.kind', 'kind'],
  ['covers', 'id'],
  ['rule', 'rule'],
  ['isOff', 'raises'],
  ['severity', 'severity'],
  ['threshold', 'threshold'],
  ['raiseAfterSeconds', 'raiseAfter'],
  ['clearAfterSeconds', 'clearAfter'],
]

export function newOverride(covers: Pick<OverrideValues, 'kind' | 'id'>, rule: AlarmRule) {
  const keeps = { raises: '', severity: '', threshold: '', raiseAfter: '', clearAfter: '' } as const
  const values: OverrideValues = { ...covers, rule, ...keeps }
  return values
}

export function valuesOf(override: AlarmOverride): OverrideValues {
  const { covers, rule, isOff, severity, threshold, raiseAfterSeconds, clearAfterSeconds } =
    override
  return {
    kind: covers.kind,
    id: covers.id,
    rule,
    raises: isOff === null ? '' : isOff ? 'no' : 'yes',
    severity: severity ?? '',
    threshold: threshold === null ? '' : String(threshold),
    raiseAfter: raiseAfterSeconds === null ? '' : String(raiseAfterSeconds),
    clearAfter: clearAfterSeconds === null ? '' : String(clearAfterSeconds),
  }
}

export function draftOf(values: OverrideValues): unknown {
  const { kind, id, rule, raises, severity, threshold, raiseAfter, clearAfter } = values
  return {
    covers: { kind, id },
    rule,
    isOff: raises === '' ? null : raises === 'no',
    severity: severity === '' ? null : severity,
    threshold,
    raiseAfterSeconds: raiseAfter,
    clearAfterSeconds: clearAfter,
  }
}

export function checkOverride(
  values: OverrideValues,
): Partial<Record<keyof OverrideValues, string>> {
  const faults: Partial<Record<keyof OverrideValues, string>> = {}
  for (const { field, message } of schemaFaults(OverrideDraft, draftOf(values))) {
    const name = formFieldOf(OVERRIDE_FIELDS, field)
    if (name !== null) faults[name] ??= sentenceOf(OVERRIDE_LABELS[name], message)
  }
  if (values.id === '') faults.id = 'Choose what it covers.'
  return faults
}
