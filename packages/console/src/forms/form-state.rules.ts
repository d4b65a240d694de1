/** What a form holds, and each step it can take. Pure, so that it can be undone and tested. */
import { isSame } from '../shared/kept/is-same.rules.ts'
import { differing, merge, type Mergeable, type NameOf, pick, withTheirs } from './merge.rules.ts'

export interface FormState<T extends object> extends Mergeable<T> {
  /** Why a field has its value where nobody typed it: 'preset', 'follows bitrate'. */
  reasons: Readonly<Record<string, string>>
  /** The last choice that changed many fields; null when there is none to undo. */
  bulk: Bulk<T> | null
  /** What the API offered for a field. */
  offered: Partial<T>
}

/** Many fields changed by one choice, so that the choice can be undone. */
export interface Bulk<T> {
  title: string
  kind: string
  before: Partial<T>
  after: Partial<T>
  /** Beside the field that was chosen. */
  count: number
}

export type FormAction<T extends object> =
  /** By hand: what follows from it by the rules of the form is changed too. */
  | { step: 'edit'; change: Partial<T>; why?: string }
  /** Many fields by one choice, which can be undone. */
  | { step: 'apply'; change: Partial<T>; title: string; kind: string }
  /** What the API has free: it fills an empty field, and is no change of a new object. */
  | { step: 'offer'; change: Partial<T> }
  /** Another start than the form began with: what was typed meanwhile stays. */
  | { step: 'begin'; values: T; version: number | null }
  /** Read again: somebody may have saved it. */
  | { step: 'read'; values: T; version: number }
  | { step: 'take-theirs' }
  | { step: 'keep-mine' }
  | { step: 'undo' }
  | { step: 'discard' }

/** What an edit brings along. */
export interface Followed<T> {
  change?: Partial<T>
  /** Why those fields change; '' where it needs no saying. */
  why?: string
  /** The edit is a choice that can be undone as a whole. */
  choice?: { title: string; kind: string }
  /** As an offer: of a new object it is no change. */
  offer?: Partial<T>
}

export interface FormRules<T extends object> {
  /** The fields, in the order of the form. What else the values hold follows what is saved. */
  names: readonly NameOf<T>[]
  follow?: (state: FormState<T>, change: Partial<T>) => Followed<T>
  /** Whether an offer may fill that field now. */
  mayOffer?: (values: T, name: NameOf<T>) => boolean
}

/** As a form begins, or as its object was read again. */
export interface Read<T> {
  values: T
  /** Null for a new object. */
  version: number | null
}

export function beginState<T extends object>({ values, version }: Read<T>): FormState<T> {
  return { base: values, version, values, reasons: {}, bulk: null, offered: {}, news: null }
}

/**
 * As it stood when its session ended, over what is saved now. Where both changed the same field it stays on
 * the version that was read, so that saving it asks which of the two is wanted.
 */
export function resumeState<T extends object>(
  rules: FormRules<T>,
  kept: FormState<T>,
  now: Read<T>,
): FormState<T> {
  if (kept.version === null || now.version === null) return begin(rules, kept, now)
  const merged = merge(rules.names, kept, now.values, now.version)
  const isClash = merged.news !== null && merged.news.clashes.length > 0
  return isClash ? kept : { ...merged, news: null }
}

export function reducerOf<T extends object>(rules: FormRules<T>) {
  return (state: FormState<T>, action: FormAction<T>) => reduce(rules, state, action)
}

function reduce<T extends object>(
  rules: FormRules<T>,
  state: FormState<T>,
  action: FormAction<T>,
): FormState<T> {
  switch (action.step) {
    case 'edit': {
      const { change, why = '' } = action
      if (why === '' && isSame(state.values, { ...state.values, ...change })) return state
      return edit(state, change, why, rules.follow?.(state, change) ?? {})
    }
    case 'apply': {
      const { change, title, kind } = action
      return edit(state, {}, '', { change, why: title, choice: { title, kind } })
    }
    case 'offer':
      return offer(rules, state, action.change)
    case 'begin':
      return begin(rules, state, action)
    case 'read':
      return merge(rules.names, state, action.values, action.version)
    case 'take-theirs': {
      const reasons = without(state.reasons, state.news?.clashes ?? [])
      return { ...withTheirs(state), reasons }
    }
    case 'keep-mine':
      return { ...state, news: null }
    case 'undo':
      return undo(state)
    case 'discard':
      return {
        ...beginState({ values: state.base, version: state.version }),
        offered: state.offered,
      }
  }
}

function edit<T extends object>(
  state: FormState<T>,
  change: Partial<T>,
  why: string,
  followed: Followed<T>,
): FormState<T> {
  const typed = Object.keys(change)
  const brought = without(differing(state.values, followed.change ?? {}), typed) as Partial<T>
  const after = { ...brought, ...change }
  const edited = {
    ...state,
    values: { ...state.values, ...after },
    reasons: {
      ...without(state.reasons, typed),
      ...reasonsFor(brought, followed.why ?? ''),
      ...reasonsFor(change, why),
    },
    bulk: followed.choice
      ? bulkOf(state.values, after, followed.choice, Object.keys(brought).length)
      : state.bulk,
  }
  return followed.offer ? withOffer(edited, followed.offer) : edited
}

function bulkOf<T extends object>(
  values: T,
  after: Partial<T>,
  choice: { title: string; kind: string },
  count: number,
): Bulk<T> {
  return { ...choice, before: pick(values, Object.keys(after)), after, count }
}

/** What was typed after the choice stays as it was typed. */
function undo<T extends object>(state: FormState<T>): FormState<T> {
  if (state.bulk === null) return state
  const { before, after } = state.bulk
  const changed = Object.keys(differing(state.values, after))
  const restored = without(before, changed)
  return {
    ...state,
    values: { ...state.values, ...restored },
    reasons: without(state.reasons, Object.keys(restored)),
    bulk: null,
  }
}

/** Only where nothing stands: what was typed or saved is never overwritten (Q165). */
function offer<T extends object>(
  { mayOffer = () => true }: FormRules<T>,
  state: FormState<T>,
  change: Partial<T>,
): FormState<T> {
  const { values } = state
  const empty = (Object.keys(change) as NameOf<T>[]).filter(
    (name) => values[name] === '' && mayOffer(values, name),
  )
  const kept = { ...state, offered: { ...state.offered, ...change } }
  return empty.length === 0 ? kept : withOffer(kept, pick(change as T, empty))
}

/** Of a new object it is no change: it stands there from the beginning. */
function withOffer<T extends object>(state: FormState<T>, offered: Partial<T>): FormState<T> {
  const values = { ...state.values, ...offered }
  return state.version === null
    ? { ...state, values, base: { ...state.base, ...offered } }
    : { ...state, values }
}

function begin<T extends object>(
  { names }: FormRules<T>,
  state: FormState<T>,
  { values: base, version }: Read<T>,
): FormState<T> {
  const typed = names.filter((name) => !isSame(state.values[name], state.base[name]))
  return { ...state, base, version, values: { ...base, ...pick(state.values, typed) } }
}

function reasonsFor(change: object, why: string): Record<string, string> {
  if (why === '') return {}
  return Object.fromEntries(Object.keys(change).map((name) => [name, why]))
}

function without<V extends object>(from: V, names: readonly string[]): V {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name))) as V
}
