/** A changed field in words. Pure. */
import type { FieldChange } from '@trunkline/contract/as-text/text-object.schema'

/** 'config.latency: 120 to 300'; a secret is not shown. */
export function changeText({ field, from, to, isSecret }: FieldChange): string {
  return isSecret ? `${field}: new` : `${field}: ${valueText(from)} to ${valueText(to)}`
}

function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'empty'
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.map(valueText).join(' | ')
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : JSON.stringify(value)
}
