/** Two operators edit one object in a form: what the other saved, and what becomes of it here. Pure. */

export interface News<Values, Name extends string> {
  /** As it was when this operator began. */
  before: Values
  /** Changed by both, each in another way: what was typed stands until one is chosen. */
  clashes: readonly Name[]
}

/** One line of what somebody else saved. */
export interface NewsLine<Name extends string> {
  name: Name
  was: string
  theirs: string
  /** What stands in the form; the same as theirs when it followed. */
  mine: string
  isClash: boolean
}

export interface Mergeable<Values, Name extends string> {
  /** As it is saved. */
  base: Values
  version: number
  values: Values
  /** What somebody else saved meanwhile; null when there is nothing to say. */
  news: News<Values, Name> | null
}

/** What a form is compared and taken over by. */
export interface MergeParts<Values, Name extends string> {
  names: readonly Name[]
  textAt: (values: Values, name: Name) => string
  /** `values` with those parts of `from`. */
  take: (values: Values, from: Values, names: readonly Name[]) => Values
}

/** What was not touched follows; what was touched stays, and is a clash when theirs is another. */
export function merged<V, N extends string, S extends Mergeable<V, N>>(
  { names, textAt, take }: MergeParts<V, N>,
  state: S,
  theirs: V,
  version: number,
): S {
  if (version <= state.version) return state
  const { base, values } = state
  const changed = names.filter((name) => textAt(base, name) !== textAt(theirs, name))
  const isMine = (name: N) => textAt(values, name) !== textAt(base, name)
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
export function withTheirs<V, N extends string, S extends Mergeable<V, N>>(
  { take }: MergeParts<V, N>,
  state: S,
): S {
  if (state.news === null) return state
  return { ...state, values: take(state.values, state.base, state.news.clashes), news: null }
}

export function newsLinesOf<V, N extends string>(
  { names, textAt }: MergeParts<V, N>,
  { news, base, values }: Mergeable<V, N>,
): NewsLine<N>[] {
  if (news === null) return []
  const changed = names.filter((name) => textAt(news.before, name) !== textAt(base, name))
  return changed.map((name) => ({
    name,
    was: textAt(news.before, name),
    theirs: textAt(base, name),
    mine: textAt(values, name),
    isClash: news.clashes.includes(name),
  }))
}
