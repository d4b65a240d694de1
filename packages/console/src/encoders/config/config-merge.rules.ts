/** Two operators edit one configuration: what the other saved, and what becomes of it in this form. */
import { FIELD_NAMES, type FieldName } from './config-field.rules.ts'
import type { ConfigState } from './config-state.rules.ts'
import { targetOf, type ConfigValues } from './config-values.rules.ts'

/** A field, or all outputs as one. */
export type MergedName = FieldName | 'output'
const MERGED_NAMES: readonly MergedName[] = [...FIELD_NAMES, 'output']

export interface News {
  /** As it was when this operator began. */
  before: ConfigValues
  /** Changed by both, each in another way: what was typed stands until one is chosen. */
  clashes: readonly MergedName[]
}

/** One line of what somebody else saved. */
export interface NewsLine {
  name: MergedName
  was: string
  theirs: string
  /** What stands in the form; the same as theirs when it followed. */
  mine: string
  isClash: boolean
}

/** What was not touched follows; what was touched stays, and is a clash when theirs is another. */
export function merge(state: ConfigState, theirs: ConfigValues, version: number): ConfigState {
  if (version <= state.version) return state
  const { base, values } = state
  const changed = MERGED_NAMES.filter((name) => textAt(base, name) !== textAt(theirs, name))
  if (changed.length === 0) return { ...state, version }
  const isMine = (name: MergedName) => textAt(values, name) !== textAt(base, name)
  const followed = changed.filter((name) => !isMine(name))
  const clashes = new Set(state.news?.clashes)
  for (const name of changed) {
    if (isMine(name) && textAt(values, name) !== textAt(theirs, name)) clashes.add(name)
    else clashes.delete(name)
  }
  // What is theirs and mine alike, as an own save heard of before its answer, is no news.
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
export function takeTheirs(state: ConfigState): ConfigState {
  if (state.news === null) return state
  const { clashes } = state.news
  const reasons = Object.fromEntries(
    Object.entries(state.reasons).filter(
      ([name]) => !(clashes as readonly string[]).includes(name),
    ),
  )
  return { ...state, values: take(state.values, state.base, clashes), reasons, news: null }
}

export function newsLines(state: ConfigState): NewsLine[] {
  const { news, base, values } = state
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

export function textAt({ fields, outputs }: ConfigValues, name: MergedName): string {
  return name === 'output' ? outputs.map(targetOf).join(', ') : fields[name]
}

function take(
  values: ConfigValues,
  from: ConfigValues,
  names: readonly MergedName[],
): ConfigValues {
  const taken = FIELD_NAMES.filter((name) => names.includes(name))
  return {
    fields: {
      ...values.fields,
      ...Object.fromEntries(taken.map((name) => [name, from.fields[name]])),
    },
    outputs: names.includes('output') ? from.outputs : values.outputs,
  }
}
