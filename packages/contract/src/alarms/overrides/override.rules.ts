/** Which settings of a rule apply to an object, by the overrides that cover it. Pure. */
import type { ObservedKind } from '../../fleet/observed-kind.schema.ts'
import { compareSeverity, RULES, type RuleSettings } from '../alarm.rules.ts'
import type { CoveredKind } from '../maintenance/maintenance.schema.ts'
import { ALARM_RULES, type AlarmRule } from '../open-alarms.schema.ts'
import { defaultThreshold, moreAlarmingThreshold } from '../threshold.rules.ts'
import type { OverrideSettings } from './override.schema.ts'

export interface AppliedSettings extends RuleSettings {
  /** It raises nothing. */
  isOff: boolean
  /** Percent; null of a rule that judges no figure. */
  threshold: number | null
}

/** Without any override. */
export function defaultSettings(rule: AlarmRule): AppliedSettings {
  return DEFAULTS[rule]
}

const DEFAULTS = Object.fromEntries(
  ALARM_RULES.map((rule) => [
    rule,
    { ...RULES[rule], isOff: false, threshold: defaultThreshold(rule) },
  ]),
) as Record<AlarmRule, AppliedSettings>

/** With this override: each field that it leaves empty stays as it was. */
export function withOverride(
  before: AppliedSettings,
  { isOff, severity, threshold, raiseAfterSeconds, clearAfterSeconds }: OverrideSettings,
): AppliedSettings {
  return {
    ...before,
    isOff: isOff ?? before.isOff,
    severity: severity ?? before.severity,
    threshold: threshold ?? before.threshold,
    raiseAfterMs: raiseAfterSeconds === null ? before.raiseAfterMs : raiseAfterSeconds * 1000,
    clearAfterMs: clearAfterSeconds === null ? before.clearAfterMs : clearAfterSeconds * 1000,
  }
}

/**
 * Of an object that belongs to several groups, the more alarming of each field: a group that has
 * quietened a rule must not quieten it for another.
 */
export function moreAlarming(
  rule: AlarmRule,
  a: AppliedSettings,
  b: AppliedSettings,
): AppliedSettings {
  return {
    title: a.title,
    isOff: a.isOff && b.isOff,
    severity: compareSeverity(a.severity, b.severity) <= 0 ? a.severity : b.severity,
    threshold: moreAlarmingThreshold(rule, a.threshold, b.threshold),
    raiseAfterMs: Math.min(a.raiseAfterMs, b.raiseAfterMs),
    clearAfterMs: Math.max(a.clearAfterMs, b.clearAfterMs),
  }
}

/** What an override can set, of all that applies. */
type SettingField = Exclude<keyof AppliedSettings, 'title'>

/** Settings, and of each which override it comes from: its id, '' for the default. */
export interface TracedSettings {
  settings: AppliedSettings
  from: Readonly<Record<SettingField, string>>
}

const FROM_DEFAULT: TracedSettings['from'] = {
  isOff: '',
  severity: '',
  threshold: '',
  raiseAfterMs: '',
  clearAfterMs: '',
}

export function tracedDefault(rule: AlarmRule): TracedSettings {
  return { settings: defaultSettings(rule), from: FROM_DEFAULT }
}

/** As `withOverride`. */
export function tracedOverride(
  before: TracedSettings,
  override: OverrideSettings & { id: string },
): TracedSettings {
  const given: Record<SettingField, unknown> = {
    ...override,
    raiseAfterMs: override.raiseAfterSeconds,
    clearAfterMs: override.clearAfterSeconds,
  }
  return {
    settings: withOverride(before.settings, override),
    from: eachField((field) => (given[field] === null ? before.from[field] : override.id)),
  }
}

/** As `moreAlarming`; of two alike the first counts as the one that it comes from. */
export function tracedMoreAlarming(
  rule: AlarmRule,
  a: TracedSettings,
  b: TracedSettings,
): TracedSettings {
  const settings = moreAlarming(rule, a.settings, b.settings)
  return {
    settings,
    from: eachField((field) =>
      settings[field] === a.settings[field] ? a.from[field] : b.from[field],
    ),
  }
}

function eachField(from: (field: SettingField) => string): TracedSettings['from'] {
  return {
    isOff: from('isOff'),
    severity: from('severity'),
    threshold: from('threshold'),
    raiseAfterMs: from('raiseAfterMs'),
    clearAfterMs: from('clearAfterMs'),
  }
}

const LINKS: readonly ObservedKind[] = ['feeder', 'input', 'output']
const PROGRAMS: readonly ObservedKind[] = ['encoder', ...LINKS]

/** Whose alarms each rule raises. */
const RULE_KINDS: Readonly<Record<AlarmRule, readonly ObservedKind[]>> = {
  'host-unreachable': ['server', ...PROGRAMS],
  'media-server-silent': ['server', 'channel'],
  'supervisor-down': ['server', 'encoder'],
  'program-down': [...PROGRAMS, 'channel'],
  'source-lost': ['channel'],
  'no-peer': LINKS,
  'no-media': PROGRAMS,
  slow: ['encoder'],
  'losing-packets': LINKS,
  'path-silent': LINKS,
  'never-connected': LINKS,
  'bad-picture': ['encoder', 'feeder', 'input', 'output', 'channel'],
  'no-sound': ['feeder', 'input', 'output', 'channel'],
  'on-backup': ['channel'],
  'no-backup': ['channel'],
  'disk-full': ['server', 'encoder', 'console'],
  'backup-failed': ['console'],
  'schedule-not-run': ['console'],
  'wrong-secrets': ['console'],
}

/** The rules that raise alarms of such an object itself. */
export function rulesOf(kind: ObservedKind): AlarmRule[] {
  return ALARM_RULES.filter((rule) => RULE_KINDS[rule].includes(kind))
}

/** Whose alarms something covers beside its own; a group and a server have all kinds of the site. */
const COVERED_WITH: Partial<Record<CoveredKind, ObservedKind>> = {
  encoder: 'feeder',
  input: 'output',
}

/** Whether an override of that rule says anything for what it covers. */
export function canOverride(covered: CoveredKind, rule: AlarmRule): boolean {
  if (covered === 'group' || covered === 'server') {
    return RULE_KINDS[rule].some((kind) => kind !== 'console')
  }
  const kinds = [covered, COVERED_WITH[covered]]
  return RULE_KINDS[rule].some((kind) => kinds.includes(kind))
}
