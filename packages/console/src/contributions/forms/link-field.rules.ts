/** The fields of the input and output forms and which of them each type shows (requirements, table 2.9). Names are the wire's own, dotted. */
import { RIST_SIMPLE } from '@trunkline/contract/contributions/link.schema'
import { MAX_BANDWIDTH } from '../../shared/bandwidth.rules.ts'
import { ENCRYPTION } from '../../shared/encryption.rules.ts'
import type { LinkKind } from '../link.rules.ts'

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
  'config.latency',
  'config.maxBandWidth',
  'config.bandWidth',
  'config.profile',
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

const LABELS: Readonly<Record<FieldName, string>> = {
  title: 'Title',
  inputType: 'Input type',
  serverId: 'Server',
  groupId: 'Group',
  contributionId: 'Input',
  'config.mode': 'Mode',
  destinationId: 'Destination Host',
  'config.host': 'Host',
  'config.port': 'Port',
  'config.multicast': 'Multicast',
  'config.adapterIp': 'Adapter IP',
  'config.latency': 'Latency',
  'config.maxBandWidth': MAX_BANDWIDTH,
  'config.bandWidth': MAX_BANDWIDTH,
  'config.profile': 'Profile',
  'config.bufferMin': 'Buffer min',
  'config.reorderBuffer': 'Reorder buffer',
  'config.compression': 'Compression',
  'config.rtl': 'RTL (ms)',
  'config.statInterval': 'Stat interval',
  'config.logLevel': 'Log level',
  'config.ttl': 'TTL',
  'config.secondPath': 'Send over a second path',
  'config.secondPath.host': 'Second host',
  'config.secondPath.port': 'Second port',
  'config.secondPath.adapterIp': 'Second adapter IP',
  'encryption.selection': ENCRYPTION,
  'encryption.type': 'Key size',
  'encryption.passphrase': 'Passphrase',
}

/** OUT-FORM-04, OUT-FORM-05: an output's host is another thing in each mode. */
export function labelOf(kind: LinkKind, name: FieldName, fields: Fields): string {
  if (name === 'inputType' && kind === 'output') return 'Output type'
  if (name === 'config.host' && kind === 'output') {
    return fields['config.mode'] === 'Push' ? 'Destination Host' : 'Local IP'
  }
  return LABELS[name]
}

/** Away from its tab and its neighbours: in lists of changes. */
const FULL_LABELS: Partial<Record<FieldName, string>> = {
  destinationId: 'Destination',
}

export function fullLabelOf(kind: LinkKind, name: string, fields: Fields): string {
  if (!isFieldName(name)) return tabLabels(kind).advanced
  return FULL_LABELS[name] ?? labelOf(kind, name, fields)
}

export const UNITS: Partial<Record<FieldName, string>> = {
  'config.latency': 'ms',
  'config.maxBandWidth': 'kbit/s',
  'config.bandWidth': 'kbit/s',
  'config.bufferMin': 'ms',
  'config.reorderBuffer': 'ms',
  'config.rtl': 'ms',
  'config.statInterval': 'ms',
  'config.ttl': 'hops',
}

/** May be left empty; every other number may not. */
export const OPTIONAL: readonly FieldName[] = [
  'config.bufferMin',
  'config.reorderBuffer',
  'config.rtl',
]

/** Null: above the tabs, always in sight. */
export function tabOf(name: string): Tab | null {
  if (name.startsWith('encryption')) return 'encryption'
  if (name.startsWith('advanced')) return 'advanced'
  return name.startsWith('config.') || name === 'destinationId' ? 'settings' : null
}

export function tabsOf(names: readonly string[]): ReadonlySet<Tab> {
  return new Set(names.flatMap((name) => tabOf(name) ?? []))
}

export function isFieldName(name: string): name is FieldName {
  return (FIELD_NAMES as readonly string[]).includes(name)
}

const RIST_INPUT: readonly FieldName[] = [
  'config.profile',
  'config.latency',
  'config.bandWidth',
  'config.bufferMin',
  'config.statInterval',
  'config.logLevel',
]
const RIST_OUTPUT: readonly FieldName[] = [
  'config.profile',
  'config.latency',
  'config.bandWidth',
  'config.bufferMin',
  'config.reorderBuffer',
  'config.compression',
  'config.rtl',
  'config.statInterval',
]
const SRT_RATES: readonly FieldName[] = ['config.latency', 'config.maxBandWidth']
const SECOND_PATH: readonly FieldName[] = [
  'config.secondPath.host',
  'config.secondPath.port',
  'config.secondPath.adapterIp',
]

/** Table 2.9: what of the configuration this form has, in the order of the page. */
export function shownFields(kind: LinkKind, fields: Fields): ReadonlySet<FieldName> {
  const type = fields['inputType']
  if (type === 'Local') return new Set(['config.port', 'config.multicast', 'config.adapterIp'])
  const common: FieldName[] = ['config.mode', 'config.host', 'config.port', 'config.adapterIp']
  if (kind === 'input') {
    const own = type === 'RIST' ? RIST_INPUT : SRT_RATES
    return new Set([...common, 'config.multicast', ...own, 'config.ttl'])
  }
  return new Set([
    ...common,
    'destinationId',
    ...(type === 'RIST' ? RIST_OUTPUT : SRT_RATES),
    ...(maySecondPath(kind, fields) ? pathFields(fields) : []),
  ])
}

function pathFields(fields: Fields): readonly FieldName[] {
  return fields['config.secondPath'] === '1'
    ? ['config.secondPath', ...SECOND_PATH]
    : ['config.secondPath']
}

/** A second path is a RIST caller's. */
export function maySecondPath(kind: LinkKind, fields: Fields): boolean {
  return kind === 'output' && fields['inputType'] === 'RIST' && fields['config.mode'] === 'Push'
}

export function isSimple(fields: Fields): boolean {
  return fields['inputType'] === 'RIST' && fields['config.profile'] === String(RIST_SIMPLE)
}

/** Q169: neither RIST Simple nor a Local input encrypts. */
export function mayEncrypt(fields: Fields): boolean {
  return fields['inputType'] !== 'Local' && !isSimple(fields)
}

/** IN-FORM-20. */
export function mayAddParameters(fields: Fields): boolean {
  return fields['inputType'] === 'aCANFeeder' || fields['inputType'] === 'SRT'
}
