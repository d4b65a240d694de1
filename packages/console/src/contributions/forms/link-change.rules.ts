/** What saving changes: each field with its old and new value, as an operator reads them. */
import { UNKNOWN } from '../../shared/format.ts'
import type { PlannedChange } from '../../forms/SavePlan.tsx'
import { ANY } from './form.messages.ts'
import {
  FIELD_NAMES,
  type FieldName,
  type Fields,
  fullLabelOf,
  isFieldName,
  UNITS,
} from './link-field.rules.ts'
import { type MergedName, textAt } from './link-merge.rules.ts'
import { effectiveFields, effectiveParameters, type LinkValues } from './link-values.rules.ts'

/** Titles of what is kept by id; the id where it is not known. */
export type TitleOf = (name: FieldName, id: string) => string

export function changesOf(base: LinkValues, values: LinkValues, titleOf: TitleOf): PlannedChange[] {
  const before = effectiveFields(base, base)
  const after = effectiveFields(values, base)
  const changes = FIELD_NAMES.filter((name) => before[name] !== after[name]).map((name) => ({
    name,
    label: fullLabelOf(values.kind, name, after),
    before: shownText(name, before, titleOf, base.hasKey),
    after: shownText(name, after, titleOf, base.hasKey),
    why: '',
  }))
  const [old, now] = [parametersText(base), parametersText(values)]
  if (old === now) return changes
  const label = fullLabelOf(values.kind, 'advanced', after)
  return [
    ...changes,
    { name: 'advanced', label, before: old || UNKNOWN, after: now || UNKNOWN, why: '' },
  ]
}

function parametersText(values: LinkValues): string {
  // A row in which nothing was typed is no parameter.
  const advanced = effectiveParameters(values).filter(({ key, value }) => key + value !== '')
  return textAt({ ...values, advanced }, 'advanced')
}

const KEPT_BY_ID: readonly FieldName[] = ['serverId', 'groupId', 'contributionId', 'destinationId']
const ANY_WHEN_EMPTY: readonly FieldName[] = [
  'config.host',
  'config.adapterIp',
  'config.secondPath.adapterIp',
]

/** '3000 ms', 'Any', 'on', a title; never a passphrase. `hasKey`: one is stored. */
export function shownText(
  name: FieldName,
  fields: Fields,
  titleOf: TitleOf,
  hasKey: boolean,
): string {
  const text = fields[name]
  if (name === 'encryption.passphrase' && text === '') return hasKey ? 'as stored' : 'none'
  if (name === 'encryption.passphrase') return 'a new one'
  if (name === 'config.secondPath') return text === '1' ? 'on' : 'off'
  if (name === 'config.host' && text === '' && fields['config.mode'] === 'Push') return UNKNOWN
  if (text === '') return ANY_WHEN_EMPTY.includes(name) ? ANY : UNKNOWN
  if (KEPT_BY_ID.includes(name)) return titleOf(name, text)
  if (name === 'config.profile') return text === '1' ? 'Simple' : 'Main'
  const unit = UNITS[name]
  return unit === undefined ? text : `${text} ${unit}`
}

/** Of one side of a conflict. */
export function mergedText(values: LinkValues, name: MergedName, titleOf: TitleOf): string {
  if (isFieldName(name)) return shownText(name, values.fields, titleOf, values.hasKey)
  return parametersText(values) || UNKNOWN
}

/** 'was 3000 ms'; '' for a field as it was saved. */
export function wasText(
  base: LinkValues,
  values: LinkValues,
  name: FieldName,
  titleOf: TitleOf,
): string {
  if (base.fields[name] === values.fields[name] || name === 'encryption.passphrase') return ''
  return `was ${shownText(name, base.fields, titleOf, base.hasKey)}`
}
