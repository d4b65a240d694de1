/**
 * What the fields of the API are called, in a recorded change and in a refusal: as the forms label them,
 * where they have a form.
 */
import { RECORDED_LABELS } from '@trunkline/contract/audit/recorded-field.messages'
import { LANGUAGE } from './locale/language.ts'

/** Of fields that are sent, and refused, but not recorded. */
const SENT_LABELS = {
  at: 'Date and time',
  adapterId: 'Local IP',
  code: 'Code',
  currentPassword: 'Current password',
  encoderId: 'Encoder',
  feederName: 'Feeder',
  index: 'Source',
  key: 'Parameter',
  localIp: 'Local IP',
  newConfirmPassword: 'Confirm password',
  newPassword: 'New password',
  newServerId: 'New server',
  search: 'Search',
  searchValue: 'Search',
  value: 'Value',
} as const

const LABELS: Readonly<Record<string, string>> = { ...SENT_LABELS, ...RECORDED_LABELS }

/** '' for a field that this console does not know, as of another version. */
export function fieldLabel(name: string): string {
  return Object.hasOwn(LABELS, name) ? (LABELS[name] ?? '') : ''
}

/**
 * A refusal that begins with the field as scripts send it, as 'config.port must be …', begins with what
 * people call it. In English a field that is a word stays: the API's own sentence is shown (ERR-01).
 */
export function withFieldLabel(sentence: string, field: string): string {
  if (field === '' || !sentence.startsWith(`${field} `)) return sentence
  if (LANGUAGE === 'en' && /^[a-z]+$/.test(field)) return sentence
  // Of 'days.0' the list has the name.
  const name = field.split('.').findLast((part) => !/^\d+$/.test(part)) ?? ''
  const label = fieldLabel(name)
  return label === '' ? sentence : label + sentence.slice(field.length)
}
