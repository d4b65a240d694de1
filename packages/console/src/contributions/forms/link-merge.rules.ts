/** What an input or output is merged by when two operators edit it (shared/merge.rules.ts). */
import {
  merged,
  newsLinesOf,
  type MergeParts,
  type News as NewsOf,
  type NewsLine as NewsLineOf,
  withTheirs,
} from '../../forms/merge.rules.ts'
import { FIELD_NAMES, type FieldName } from './link-field.rules.ts'
import type { LinkState } from './link-state.rules.ts'
import type { LinkValues } from './link-values.rules.ts'

/** A field, or all advanced parameters as one. */
export type MergedName = FieldName | 'advanced'
export const MERGED_NAMES: readonly MergedName[] = [...FIELD_NAMES, 'advanced']

export type News = NewsOf<LinkValues, MergedName>
export type NewsLine = NewsLineOf<MergedName>

const PARTS: MergeParts<LinkValues, MergedName> = { names: MERGED_NAMES, textAt, take }

export function merge(state: LinkState, theirs: LinkValues, version: number): LinkState {
  return merged(PARTS, state, theirs, version)
}

export function takeTheirs(state: LinkState): LinkState {
  return withTheirs(PARTS, state)
}

export function newsLines(state: LinkState): NewsLine[] {
  return newsLinesOf(PARTS, state)
}

export function textAt({ fields, advanced }: LinkValues, name: MergedName): string {
  if (name !== 'advanced') return fields[name]
  return advanced.map(({ key, value }) => `${key.trim()}=${value.trim()}`).join(', ')
}

function take(values: LinkValues, from: LinkValues, names: readonly MergedName[]): LinkValues {
  const taken = FIELD_NAMES.filter((name) => names.includes(name))
  return {
    ...values,
    hasKey: from.hasKey,
    busPort: from.busPort,
    fields: {
      ...values.fields,
      ...Object.fromEntries(taken.map((name) => [name, from.fields[name]])),
    },
    advanced: names.includes('advanced') ? from.advanced : values.advanced,
  }
}
