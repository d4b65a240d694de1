/** Notification rules: which alarms are sent to whom, how, and how often; and what became of each message. */
import { z } from 'zod'
import { Severity } from '../alarms/open-alarms.schema.ts'
import {
  echoed,
  Email,
  HostName,
  Id,
  optionalLine,
  RemotePort,
  Title,
  unlessEmpty,
  Version,
  wholeNumber,
} from '../text.schema.ts'
import { Sentence } from '../sentence.schema.ts'
import { Language } from '../session/language.schema.ts'

export const NOTIFICATION_KINDS = ['email', 'webhook', 'snmp'] as const
export const NotificationKind = z.enum(NOTIFICATION_KINDS)
export type NotificationKind = z.infer<typeof NotificationKind>

const SMTP_SECURITIES = ['starttls', 'tls', 'none'] as const
const SNMP_VERSIONS = ['2c', '3'] as const
/** A trap is not answered; an inform is acknowledged by the receiver. */
const SNMP_TYPES = ['trap', 'inform'] as const
const SNMP_LEVELS = ['noAuthNoPriv', 'authNoPriv', 'authPriv'] as const
const SNMP_AUTH_PROTOCOLS = ['sha', 'sha256', 'sha512'] as const
const RECIPIENTS_AT_MOST = 50
const GROUPS_AT_MOST = 200

/** Empty keeps the stored one. */
const secret = optionalLine(256).default('')

/** RFC 3414 11.2: keys are made from passwords of at least 8 characters. */
const snmpPassword = z
  .string()
  .regex(/^([\x21-\x7e]{8,128})?$/, 'must be 8 to 128 letters, digits or symbols, without spaces.')
  .default('')

const EmailTarget = z.strictObject({
  kind: z.literal('email'),
  host: HostName,
  port: unlessEmpty(RemotePort.default(587)),
  security: z.enum(SMTP_SECURITIES).default('starttls'),
  /** '': without sign-in. */
  user: optionalLine(254).default(''),
  password: secret,
  from: Email,
  to: z
    .array(Email)
    .min(1, 'must have at least one address.')
    .max(RECIPIENTS_AT_MOST, `must be at most ${RECIPIENTS_AT_MOST} addresses.`),
  ...echoed(['passwordSet']),
})
/** A password in an address would stand in the log and on the screen. */
const WEB_ADDRESS = /^https?:\/\/[^\s/?#@]+([/?][^\s#]*)?$/i

const WebhookTarget = z.strictObject({
  kind: z.literal('webhook'),
  url: z
    .string()
    .trim()
    .max(2000, 'must be at most 2000 characters long.')
    .regex(
      WEB_ADDRESS,
      'must be an address such as https://example.com/alarms, without user and password.',
    ),
  /** As Standard Webhooks has it. */
  secret: z
    .string()
    .regex(
      /^(whsec_[A-Za-z0-9+/]{32,86}={0,2})?$/,
      'must be whsec_ and a key of 24 to 64 bytes in base64. Use Generate a secret.',
    )
    .default(''),
  ...echoed(['secretSet']),
})
const SnmpTarget = z.strictObject({
  kind: z.literal('snmp'),
  host: HostName,
  port: unlessEmpty(RemotePort.default(162)),
  version: z.enum(SNMP_VERSIONS).default('2c'),
  type: z.enum(SNMP_TYPES).default('trap'),
  /** Of version 2c. */
  community: z
    .string()
    .regex(/^[\x21-\x7e]{0,64}$/, 'must be at most 64 letters, digits or symbols, without spaces.')
    .default(''),
  /** Of version 3, as all below. */
  user: z
    .string()
    .regex(/^[\x21-\x7e]{0,32}$/, 'must be at most 32 letters, digits or symbols, without spaces.')
    .default(''),
  level: z.enum(SNMP_LEVELS).default('authPriv'),
  authProtocol: z.enum(SNMP_AUTH_PROTOCOLS).default('sha'),
  authPassword: snmpPassword,
  /** AES-128. */
  privPassword: snmpPassword,
  ...echoed(['communitySet', 'authPasswordSet', 'privPasswordSet']),
})
export const TargetDraft = z.discriminatedUnion('kind', [EmailTarget, WebhookTarget, SnmpTarget])
export type TargetDraft = z.output<typeof TargetDraft>

const DELAY = 'must be 0 to 3600 seconds.'
const GROUPING = 'must be 10 to 3600 seconds.'
const REPEAT = 'must be 0 (never) to 10080 minutes.'

export const NotificationRuleDraft = z.strictObject({
  title: Title,
  isEnabled: z.boolean().default(true),
  /** Alarms of what these groups see; none named: of all groups. */
  groupIds: z
    .array(Id)
    .max(GROUPS_AT_MOST, `must be at most ${GROUPS_AT_MOST} groups.`)
    .default([]),
  /** Alarms of this severity and worse. */
  severity: Severity.default('warning'),
  /** An alarm that is cleared or acknowledged sooner is not sent. */
  delaySeconds: unlessEmpty(wholeNumber(0, 3600, DELAY).default(10)),
  /** Least time between two messages: what comes meanwhile is sent together. */
  groupingSeconds: unlessEmpty(wholeNumber(10, 3600, GROUPING).default(30)),
  /** While an alarm is neither acknowledged, muted nor cleared; 0: never. */
  repeatMinutes: unlessEmpty(wholeNumber(0, 10_080, REPEAT).default(60)),
  sendsCleared: z.boolean().default(true),
  /** Of subjects, texts and sentences; names of fields and values of webhooks and SNMP stay. */
  language: Language,
  target: TargetDraft,
})
export type NotificationRuleDraft = z.output<typeof NotificationRuleDraft>

export const NotificationRuleEdit = NotificationRuleDraft.extend({
  version: Version,
  ...echoed(['_id', 'id', 'waiting', 'last']),
})
export type NotificationRuleEdit = z.output<typeof NotificationRuleEdit>

export const DELIVERY_STATES = ['waiting', 'sent', 'failed'] as const
/** waiting: to be tried, or tried again; failed: not tried again. */
export const DeliveryState = z.enum(DELIVERY_STATES)
export type DeliveryState = z.infer<typeof DeliveryState>

/** A message to one target, and what became of it. */
export const NotificationDelivery = z.object({
  _id: z.string(),
  /** The receiver's key against duplicates: it is the same in each try. */
  id: z.string(),
  ruleId: z.string(),
  /** As it was called then. */
  ruleTitle: z.string(),
  kind: NotificationKind,
  reason: z.enum(['alarms', 'test']),
  state: DeliveryState,
  /** ISO 8601, UTC, as all times here. */
  createdAt: z.string(),
  attempts: z.number(),
  /** Of the next try; null when there is none. */
  nextTryAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  /** What the other side said last, or why it was not reached. */
  answer: Sentence,
  subject: z.string(),
  text: z.string(),
})
export type NotificationDelivery = z.infer<typeof NotificationDelivery>

const SetFlags = { passwordSet: z.boolean() }
/** Secrets are answered as '' (decisions.md 17). */
const Target = z.discriminatedUnion('kind', [
  EmailTarget.extend(SetFlags),
  WebhookTarget.extend({ secretSet: z.boolean() }),
  SnmpTarget.extend({
    communitySet: z.boolean(),
    authPasswordSet: z.boolean(),
    privPasswordSet: z.boolean(),
  }),
])

export const NotificationRule = NotificationRuleDraft.extend({
  _id: z.string(),
  id: z.string(),
  version: z.number(),
  target: Target,
  /** Messages that are to be tried, or tried again. */
  waiting: z.number(),
  /** The newest message; null: there was none. */
  last: NotificationDelivery.pick({ state: true, createdAt: true, answer: true }).nullable(),
})
export type NotificationRule = z.infer<typeof NotificationRule>
