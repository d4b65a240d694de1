/** Two operators edit one input or output: what the other saved, and what becomes of it in this form. */
import { FIELD_NAMES, type FieldName } from './link-field.rules.ts'
import type { LinkState } from './link-state.rules.ts'
import type { LinkValues } from './link-values.rules.ts'

/** A field, or all advanced parameters as one. */
export type MergedName = FieldName | 'advanced'
export const MERGED_NAMES: readonly MergedName[] = [...FIELD_NAMES, 'advanced']

export interface News {
  /** As it was when this operator began. */
  before: LinkValues
  /** Changed by both, each in another way: what was typed stands until one is chosen. */
  clashes: readonly MergedName[]
}

export interface NewsLine {
  name: MergedName
  was: string
  theirs: string
  mine: string
  isClash: boolean
}

/** What was not touched follows; what was touched stays, and is a clash when theirs is another. */
export function merge(state: LinkState, theirs: LinkValues, version: number): LinkState {
  if (version <= state.version) return state
  const { base, values } = state
  const changed = MERGED_NAMES.filter((name) => textAt(base, name) !== textAt(theirs, name))
  const isMine = (name: MergedName) => textAt(values, name) !== textAt(base, name)
  const followed = changed.filter((name) => !isMine(name))
  const clashes = new Set(state.news?.clashes)
  for (const name of changed) {
    if (isMine(name) && textAt(values, name) !== textAt(theirs, name)) clashes.add(name)
    else clashes.delete(name)
  }
  const isNews = followed.length > 0 || clashes.size > 0
  return {
    ...state,
    base: theirs,
    version,
    values: take(values, theirs, followed),
    news: isNews ? { before: state.news?.before ?? base, clashes: [...clashes] } : state.news,
  }
}

/** Theirs, where both changed the same; what only this operator changed stays. */
export function takeTheirs(state: LinkState): LinkState {
  if (state.news === null) return state
  return { ...state, values: take(state.values, state.base, state.news.clashes), news: null }
}

export function newsLines({ news, base, values }: LinkState): NewsLine[] {
  if (news === null) return []
  return MERGED_NAMES.filter((name) => textAt(news.before, name) !== textAt(base, name)).map(
    (name) => ({
      name,
      was: textAt(news.before, name),
      theirs: textAt(base, name),
      mine: textAt(values, name),
      isClash: news.clashes.includes(name),
    }),
  )
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
