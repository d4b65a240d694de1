/** Two operators edit one object in a form: what the other saved, and what becomes of it here. Pure. */
import { isSame } from '../shared/kept/is-same.rules.ts'

export type NameOf<T> = keyof T & string

export interface News<T> {
  /** As it was when this operator began. */
  before: T
  /** Changed by both, each in another way: what was typed stands until one is chosen. */
  clashes: readonly NameOf<T>[]
}

export interface Mergeable<T extends object> {
  /** As it is saved; for a new object, as the form began. */
  base: T
  /** Null for a new object. */
  version: number | null
  values: T
  /** What somebody else saved meanwhile; null when there is nothing to say. */
  news: News<T> | null
}

/** What was not touched follows; what was touched stays, and is a clash when theirs is another. */
export function merge<T extends object, S extends Mergeable<T>>(
  names: readonly NameOf<T>[],
  state: S & Mergeable<T>,
  theirs: T,
  version: number,
): S {
  if (state.version !== null && version <= state.version) return state
  const { base, values } = state
  const changed = names.filter((name) => !isSame(base[name], theirs[name]))
  const mine = names.filter((name) => !isSame(values[name], base[name]))
  const clashes = new Set(state.news?.clashes)
  for (const name of changed) {
    if (mine.includes(name) && !isSame(values[name], theirs[name])) clashes.add(name)
    else clashes.delete(name)
  }
  const hasFollowed = changed.some((name) => !mine.includes(name))
  // What is theirs and mine alike, as an own save heard of before its answer, is no news.
  const isNews = hasFollowed || clashes.size > 0
  return {
    ...state,
    base: theirs,
    version,
    values: { ...theirs, ...pick(values, mine) },
    news: isNews ? { before: state.news?.before ?? base, clashes: [...clashes] } : state.news,
  }
}

/** Theirs, where both changed the same; what only this operator changed stays. */
export function withTheirs<T extends object, S extends Mergeable<T>>(state: S & Mergeable<T>): S {
  if (state.news === null) return state
  const values = { ...state.values, ...pick(state.base, state.news.clashes) }
  return { ...state, values, news: null }
}

/** One field that somebody else saved: as it was, as it is now, as it stands in the form. */
export interface NewsLine<T> {
  name: NameOf<T>
  was: T
  theirs: T
  mine: T
  isClash: boolean
}

/** The values are whole ones, because a text may need more than its own field. */
export function newsLines<T extends object>(
  names: readonly NameOf<T>[],
  { news, base, values }: Mergeable<T>,
): NewsLine<T>[] {
  if (news === null) return []
  return names
    .filter((name) => !isSame(news.before[name], base[name]))
    .map((name) => ({
      name,
      was: news.before,
      theirs: base,
      mine: values,
      isClash: news.clashes.includes(name),
    }))
}

export function pick<T extends object>(values: T, names: readonly string[]): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => names.includes(name)),
  ) as Partial<T>
}

/** The part of `change` that is other than what stands in the values. */
export function differing<T extends object>(values: T, change: Partial<T>): Partial<T> {
  const names = (Object.keys(change) as NameOf<T>[]).filter(
    (name) => !isSame(values[name], change[name]),
  )
  return pick(change as T, names)
}
