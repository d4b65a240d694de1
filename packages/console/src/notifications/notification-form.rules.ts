/** The form of a notification rule: its values, what is wrong with them, and what of it is sent. Pure. */
import { keepsSecrets, targetFaults } from '@trunkline/contract/notifications/notification.rules'
import {
  NotificationRuleDraft,
  type NotificationKind,
  type NotificationRule,
} from '@trunkline/contract/notifications/notification.schema'
import type { Language } from '@trunkline/contract/session/language.rules'
import {
  type FieldNames,
  formFieldOf,
  schemaFaults,
  sentenceOf,
} from '../forms/field-faults.rules.ts'
import type { Sentences } from '../forms/form.hook.ts'

type YesNo = 'yes' | 'no'

export interface RuleValues {
  title: string
  isEnabled: YesNo
  severity: string
  groupIds: string[]
  delaySeconds: string
  groupingSeconds: string
  repeatMinutes: string
  sendsCleared: YesNo
  language: Language
  kind: NotificationKind
  host: string
  port: string
  security: string
  user: string
  password: string
  from: string
  /** With commas between them. */
  to: string
  url: string
  secret: string
  version: string
  type: string
  community: string
  level: string
  authProtocol: string
  authPassword: string
  privPassword: string
}

export const RULE_LABELS = {
  title: 'Title',
  isEnabled: 'Send notifications',
  severity: 'Severity',
  groupIds: 'Groups',
  delaySeconds: 'Delay (s)',
  groupingSeconds: 'Group for (s)',
  repeatMinutes: 'Repeat every (min)',
  sendsCleared: 'Send when cleared',
  language: 'Language',
  kind: 'Send by',
  host: 'Host',
  port: 'Port',
  security: 'Encryption',
  user: 'User',
  password: 'Password',
  from: 'From',
  to: 'To',
  url: 'Address',
  secret: 'Secret',
  version: 'SNMP version',
  type: 'Type',
  community: 'Community',
  level: 'Security level',
  authProtocol: 'Authentication',
  authPassword: 'Authentication password',
  privPassword: 'Encryption password (AES-128)',
} as const satisfies Record<keyof RuleValues, string>

const RULE_FIELDS = [
  'title',
  'isEnabled',
  'severity',
  'groupIds',
  'delaySeconds',
  'groupingSeconds',
  'repeatMinutes',
  'sendsCleared',
  'language',
] as const
const TARGET_FIELDS = {
  email: ['host', 'port', 'security', 'user', 'password', 'from', 'to'],
  webhook: ['url', 'secret'],
  snmp: [
    'host',
    'port',
    'version',
    'type',
    'community',
    'user',
    'level',
    'authProtocol',
    'authPassword',
    'privPassword',
  ],
} as const satisfies Record<NotificationKind, readonly (keyof RuleValues)[]>

/** What the API calls them. */
export const RULE_NAMES: FieldNames<keyof RuleValues> = [
  ...RULE_FIELDS.map((name) => [name, name] as const),
  ...Object.values(TARGET_FIELDS)
    .flat()
    .map((name) => [`target.${name}`, name] as const),
  ['target', 'kind'],
]

export const DEFAULT_PORTS: Readonly<Record<NotificationKind, string>> = {
  email: '587',
  webhook: '',
  snmp: '162',
}

const NEW_RULE: RuleValues = {
  title: '',
  isEnabled: 'yes',
  severity: 'warning',
  groupIds: [],
  delaySeconds: '10',
  groupingSeconds: '30',
  repeatMinutes: '60',
  sendsCleared: 'yes',
  language: 'en',
  kind: 'email',
  host: '',
  port: DEFAULT_PORTS.email,
  security: 'starttls',
  user: '',
  password: '',
  from: '',
  to: '',
  url: '',
  secret: '',
  version: '2c',
  type: 'trap',
  community: '',
  level: 'authPriv',
  authProtocol: 'sha',
  authPassword: '',
  privPassword: '',
}

export function valuesOf(rule: NotificationRule | null): RuleValues {
  if (rule === null) return NEW_RULE
  const { target } = rule
  const known = Object.entries(target).filter(([name]) => name in NEW_RULE)
  const texts = known.map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : String(value),
  ])
  return {
    ...NEW_RULE,
    ...(Object.fromEntries(texts) as Partial<RuleValues>),
    title: rule.title,
    isEnabled: yesNo(rule.isEnabled),
    severity: rule.severity,
    groupIds: rule.groupIds,
    delaySeconds: String(rule.delaySeconds),
    groupingSeconds: String(rule.groupingSeconds),
    repeatMinutes: String(rule.repeatMinutes),
    sendsCleared: yesNo(rule.sendsCleared),
    language: rule.language,
  }
}

function yesNo(value: boolean): YesNo {
  return value ? 'yes' : 'no'
}

/** Not checked yet: the contract's schema reads it. */
export function bodyOf(values: RuleValues) {
  const { title, severity, groupIds, language, kind } = values
  const { delaySeconds, groupingSeconds, repeatMinutes } = values
  const fields = TARGET_FIELDS[kind].map((name) => [name, targetValue(values, name)])
  return {
    title,
    isEnabled: values.isEnabled === 'yes',
    severity,
    groupIds,
    delaySeconds,
    groupingSeconds,
    repeatMinutes,
    sendsCleared: values.sendsCleared === 'yes',
    language,
    target: { kind, ...(Object.fromEntries(fields) as Record<string, unknown>) },
  }
}

function targetValue(values: RuleValues, name: keyof RuleValues): unknown {
  if (name !== 'to') return values[name]
  const addresses = values.to.split(/[,;\s]+/)
  return addresses.filter((address) => address !== '')
}

/** `rule`: as it is stored, with the secrets that it has; null for a new rule. */
export function checkRule(values: RuleValues, rule: NotificationRule | null) {
  const faults: Sentences<RuleValues> = {}
  const note = (field: string, message: string) => {
    const name = formFieldOf(RULE_NAMES, field)
    if (name !== null) faults[name] ??= sentenceOf(RULE_LABELS[name], message)
  }
  const body = bodyOf(values)
  for (const { field, message } of schemaFaults(NotificationRuleDraft, body)) note(field, message)
  const target = NotificationRuleDraft.shape.target.safeParse(body.target).data
  if (target === undefined) return faults
  const stored = rule !== null && keepsSecrets(rule.target, target) ? rule.target : {}
  const isSet = (name: string) =>
    Reflect.get(target, name) !== '' || Reflect.get(stored, `${name}Set`) === true
  for (const { field, sentence } of targetFaults(target, isSet)) note(`target.${field}`, sentence)
  return faults
}

const SECRET_BYTES = 32

/** A secret as Standard Webhooks has it. */
export function newWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  return `whsec_${btoa(String.fromCodePoint(...bytes))}`
}
