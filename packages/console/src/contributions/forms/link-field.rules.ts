/**
 * The fields of the input and output forms: what each is called, which types have it (requirements,
 * table 2.9), where it stands, how it is typed and what its value means. Names are the wire's own, dotted. A field of
 * the configuration needs an entry here and nothing else of the forms.
 */
import {
  INPUT_TYPES,
  type InputType,
  LatencyMs,
} from '@trunkline/contract/contributions/input.schema'
import { RIST_MAIN, RIST_SIMPLE } from '@trunkline/contract/contributions/link.schema'
import { receiversHint } from '@trunkline/contract/contributions/link.rules'
import { OUTPUT_TYPES, type OutputType } from '@trunkline/contract/contributions/output.schema'
import type { FieldSpec } from '../../forms/field.rules.ts'
import {
  MAX_BANDWIDTH,
  maxBandwidthHint,
  safeRttText,
} from '../../shared/link-settings/link-rate.rules.ts'
import { ENCRYPTION } from '../../shared/link-settings/encryption.rules.ts'
import type { TypedParameter } from '../../shared/link-settings/srt-parameter.rules.ts'
import { MODE_WORDS } from '../contribution.messages.ts'
import type { LinkKind } from '../link.rules.ts'
import * as text from './form.messages.ts'

export const TABS = ['settings', 'encryption', 'advanced'] as const
export type Tab = (typeof TABS)[number]

/** IN-FORM-02, OUT-FORM-02. */
export function tabLabels(kind: LinkKind): Readonly<Record<Tab, string>> {
  return {
    settings: kind === 'input' ? 'Input Settings' : 'Output Settings',
    encryption: 'Encryption',
    advanced: 'Advanced parameters',
  }
}

export const FIELD_NAMES = [
  'title',
  'inputType',
  'serverId',
  'groupId',
  'contributionId',
  'config.mode',
  'destinationId',
  'config.host',
  'config.port',
  'config.multicast',
  'config.adapterIp',
  'config.profile',
  'config.latency',
  'config.maxBandWidth',
  'config.bandWidth',
  'config.bufferMin',
  'config.reorderBuffer',
  'config.compression',
  'config.rtl',
  'config.statInterval',
  'config.logLevel',
  'config.ttl',
  'config.secondPath',
  'config.secondPath.host',
  'config.secondPath.port',
  'config.secondPath.adapterIp',
  'encryption.selection',
  'encryption.type',
  'encryption.passphrase',
] as const
export type FieldName = (typeof FIELD_NAMES)[number]
export type Fields = Readonly<Record<FieldName, string>>

export interface FeederKey {
  encoderId: string
  name: string
  title: string
}

/** What the forms hold: every field as its text, and what goes with them. */
export interface LinkValues extends Fields {
  readonly advanced: readonly TypedParameter[]
  readonly kind: LinkKind
  /** Of a new input: the feeder whose passphrase the API copies when none is typed; null for none. */
  readonly feeder: FeederKey | null
  /** A passphrase is stored, so an empty field keeps it (decisions.md 17). */
  readonly hasKey: boolean
  /** Of the local bus; given by the API, null while there is none. */
  readonly busPort: number | null
}

/** Titles of what is kept by id; the id where it is not known. */
export type TitleOf = (name: FieldName, id: string) => string
export interface Titles {
  titleOf: TitleOf
}

export type Section = 'address' | 'rates'

interface LinkField extends FieldSpec<LinkValues, Titles> {
  tab?: Tab
  /** Table 2.9: the types of inputs and of outputs that have it; without it none. */
  input?: readonly InputType[]
  output?: readonly OutputType[]
  /** Of the first tab: it draws what belongs there, in the order of FIELD_NAMES. */
  section?: Section
  /** What an empty field stands for; without it the field may not be empty. */
  empty?: 'any' | 'unset' | 'chosen automatically'
}

type Types = Pick<LinkField, 'input' | 'output'>

const EVERY_INPUT: Types = { input: INPUT_TYPES }
const EVERY_OUTPUT: Types = { output: OUTPUT_TYPES }
const EVERY: Types = { ...EVERY_INPUT, ...EVERY_OUTPUT }
const NOT_LOCAL: readonly InputType[] = INPUT_TYPES.filter((type) => type !== 'Local')
const LINKS: Types = { input: NOT_LOCAL, ...EVERY_OUTPUT }
const SRT: Types = { input: ['aCANFeeder', 'SRT'], output: ['SRT'] }
const RIST: Types = { input: ['RIST'], output: ['RIST'] }
const RIST_OUTPUT: Types = { output: ['RIST'] }

function setting(label: LinkField['label'], types: Types, more: Partial<LinkField>): LinkField {
  return { label, tab: 'settings', section: 'address', ...types, ...more }
}

function rate(label: string, types: Types, more: Partial<LinkField>): LinkField {
  return setting(label, types, { section: 'rates', control: 'number', ...more })
}

/** In a section of its own. */
function secondPath(label: string, more: Partial<LinkField>): LinkField {
  return { label, tab: 'settings', ...RIST_OUTPUT, ...more }
}

export const LINK_FIELDS: Readonly<Record<FieldName | 'advanced', LinkField>> = {
  title: { label: 'Title' },
  inputType: {
    label: ({ kind }) => (kind === 'output' ? 'Output type' : 'Input type'),
    control: 'segments',
    segments: ({ kind }) =>
      (kind === 'input' ? INPUT_TYPES : OUTPUT_TYPES).map((value) => segmentOf(value, value)),
  },
  serverId: { label: 'Server', control: 'choice', ...EVERY_INPUT },
  groupId: { label: 'Group', control: 'choice', ...EVERY_INPUT },
  contributionId: { label: 'Input', control: 'choice', ...EVERY_OUTPUT },
  'config.mode': setting('Mode', LINKS, {
    control: 'segments',
    segments: modeSegments,
    hint: ({ values }) => modeHint(values),
  }),
  // Drawn with the host.
  destinationId: {
    label: 'Destination Host',
    fullLabel: 'Destination',
    tab: 'settings',
    ...EVERY_OUTPUT,
    empty: 'unset',
  },
  'config.host': setting(hostLabel, LINKS, { placeholder: text.HOST_PLACEHOLDER, empty: 'any' }),
  'config.port': setting('Port', EVERY, {
    control: 'number',
    hint: ({ values }) => portHint(values),
  }),
  'config.multicast': setting('Multicast', EVERY_INPUT, {
    hint: ({ values }) => text.MULTICAST[values.inputType === 'Local' ? 'local' : 'bus'],
    empty: 'chosen automatically',
  }),
  'config.adapterIp': setting('Adapter IP', EVERY, { control: 'choice', empty: 'any' }),
  'config.profile': rate('Profile', RIST, {
    control: 'choice',
    // Main is 2 and Simple is 1 (IN-FORM-09).
    choices: [
      { value: String(RIST_MAIN), label: 'Main' },
      { value: String(RIST_SIMPLE), label: 'Simple' },
    ],
  }),
  'config.latency': rate('Latency', LINKS, {
    unit: 'ms',
    hint: ({ values }) => latencyHint(values),
  }),
  'config.maxBandWidth': rate(MAX_BANDWIDTH, SRT, {
    unit: 'kbit/s',
    hint: ({ values }) => maxBandwidthHint(values['config.maxBandWidth']),
  }),
  'config.bandWidth': rate(MAX_BANDWIDTH, RIST, {
    unit: 'kbit/s',
    hint: ({ values }) => ristBandwidthHint(values['config.bandWidth']),
  }),
  'config.bufferMin': rate('Buffer min', RIST, {
    unit: 'ms',
    hint: 'Minimum buffer; leave empty to use the latency.',
    empty: 'unset',
  }),
  'config.reorderBuffer': rate('Reorder buffer', RIST_OUTPUT, {
    unit: 'ms',
    hint: 'Reorder window; leave empty for the default.',
    empty: 'unset',
  }),
  'config.compression': rate('Compression', RIST_OUTPUT, {
    control: 'choice',
    choices: [
      { value: 'Disabled', label: text.COMPRESSION_WORDS.Disabled },
      { value: 'Enabled', label: text.COMPRESSION_WORDS.Enabled },
    ],
    hint: 'Effective only with receivers that support it.',
  }),
  'config.rtl': rate('RTL (ms)', RIST_OUTPUT, {
    unit: 'ms',
    hint: 'Minimum RTT; leave empty for the default.',
    empty: 'unset',
  }),
  'config.statInterval': rate('Stat interval', RIST, { unit: 'ms', hint: '500 to 60000 ms.' }),
  'config.logLevel': rate(
    'Log level',
    { input: ['RIST'] },
    {
      control: 'choice',
      choices: [
        { value: '1', label: '1 errors' },
        { value: '2', label: '2 warnings' },
        { value: '3', label: '3 all' },
      ],
      hint: 'Filters the log view; the tool logs everything.',
    },
  ),
  'config.ttl': setting(
    'TTL',
    { input: NOT_LOCAL },
    {
      control: 'number',
      unit: 'hops',
      hint: 'Of the local bus, 0 to 255.',
    },
  ),
  'config.secondPath': secondPath('Send over a second path', { empty: 'unset' }),
  'config.secondPath.host': secondPath('Second host', { placeholder: text.HOST_PLACEHOLDER }),
  'config.secondPath.port': secondPath('Second port', {
    control: 'number',
    hint: ({ values }) => portHint(values),
  }),
  'config.secondPath.adapterIp': secondPath('Second adapter IP', {
    control: 'choice',
    empty: 'any',
  }),
  'encryption.selection': { label: ENCRYPTION, tab: 'encryption' },
  'encryption.type': { label: 'Key size', tab: 'encryption' },
  'encryption.passphrase': { label: 'Passphrase', tab: 'encryption' },
  advanced: { label: 'Advanced parameters', tab: 'advanced' },
}

export function isFieldName(name: string): name is FieldName {
  return (FIELD_NAMES as readonly string[]).includes(name)
}

/** Table 2.9: what of the configuration this form has. */
export function shownFields(values: LinkValues): ReadonlySet<FieldName> {
  const { kind, inputType } = values
  const names = FIELD_NAMES.filter((name) => {
    const field = LINK_FIELDS[name]
    const types: readonly string[] = field[kind] ?? []
    return field.tab === 'settings' && types.includes(inputType) && isOnPath(name, values)
  })
  return new Set(names)
}

/** Those of a section that this form has, in the order of the form. */
export function fieldsIn(section: Section, values: LinkValues): FieldName[] {
  return [...shownFields(values)].filter((name) => LINK_FIELDS[name].section === section)
}

function isOnPath(name: FieldName, values: LinkValues): boolean {
  if (!name.startsWith('config.secondPath')) return true
  return maySecondPath(values) && (name === 'config.secondPath' || hasSecondPath(values))
}

export function hasSecondPath(values: LinkValues): boolean {
  return values['config.secondPath'] === '1'
}

/** A second path is a RIST caller's. */
export function maySecondPath({ kind, inputType, 'config.mode': mode }: LinkValues): boolean {
  return kind === 'output' && inputType === 'RIST' && mode === 'Push'
}

export function isSimple({ inputType, 'config.profile': profile }: LinkValues): boolean {
  return inputType === 'RIST' && profile === String(RIST_SIMPLE)
}

/** Q169: neither RIST Simple nor a Local input encrypts. */
export function mayEncrypt(values: LinkValues): boolean {
  return values.inputType !== 'Local' && !isSimple(values)
}

/** IN-FORM-20. */
export function mayAddParameters({ inputType }: LinkValues): boolean {
  return inputType === 'aCANFeeder' || inputType === 'SRT'
}

/** OUT-FORM-04, OUT-FORM-05: an output's host is another thing in each mode. */
function hostLabel({ kind, 'config.mode': mode }: LinkValues): string {
  if (kind === 'input') return 'Host'
  return mode === 'Push' ? 'Destination Host' : 'Local IP'
}

function segmentOf(value: string, label: string) {
  return { value, label, count: null }
}

/** Table 2.9: an aCANFeeder input waits for its feeder. */
function modeSegments({ kind, inputType }: LinkValues) {
  const listen = segmentOf('Listen', MODE_WORDS.Listen)
  if (kind === 'output') return [segmentOf('Push', MODE_WORDS.Push), listen]
  return inputType === 'aCANFeeder' ? [listen] : [listen, segmentOf('Push', text.PUSH_CALLS)]
}

/** An output that listens: how many may call it. */
function modeHint({ contributionId, inputType, 'config.mode': mode }: LinkValues): string {
  if (contributionId === '') return ''
  return receiversHint(inputType === 'RIST' ? 'RIST' : 'SRT', mode === 'Listen' ? 'Listen' : 'Push')
}

function latencyHint({ inputType, 'config.latency': typed }: LinkValues): string {
  const { data } = LatencyMs.safeParse(typed)
  if (typed.trim() === '' || data === undefined) return '20 to 30000 ms.'
  return inputType === 'RIST' ? text.LATENCY_RIST_HINT : safeRttText(data)
}

/** What RIST's tool makes of 0 is not known, so nothing is said of it. */
function ristBandwidthHint(typed: string): string {
  return /^[1-9]/.test(typed) ? maxBandwidthHint(typed) : ''
}

function portHint(values: LinkValues): string {
  if (values.inputType === 'Local') return text.LOCAL_PORT_HINT
  return isSimple(values) ? text.EVEN_PORT_HINT : ''
}
