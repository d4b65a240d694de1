/**
 * What every form does: it holds what is typed, says at each field what is wrong once that field was
 * left, keeps the API's sentences at their fields until those are edited, and sends one save at a time.
 */
import { useReducer, useRef, useState } from 'react'
import { isLostAddition } from '../lib/answer/addition.ts'
import { ApiError, sentenceFor } from '../lib/api-error.ts'
import type { Faults } from './field-faults.rules.ts'
import {
  beginState,
  type FormAction,
  type FormRules,
  type FormState,
  type Read,
  reducerOf,
} from './form-state.rules.ts'
import { MAY_BE_ADDED, MAY_BE_DONE, MAY_BE_SAVED } from './unsaved.messages.ts'

export interface CoreOptions<T extends object> {
  rules: FormRules<T>
  begin: Read<T>
  /** In place of `begin`: the form as it stood when its session ended. */
  kept?: FormState<T> | null
  /** Sentences of the fields at fault; an empty object when all is well. */
  check: (values: T, base: T) => Faults
  /** What the API calls a field, as the form calls it; null where the form has none. */
  placeOf: (field: string, values: T) => string | null
  /** The API's sentence, as it stands at that field. */
  sentenceAt?: (name: string, message: string, values: T) => string
  /** Of a version conflict's `current`; null when it cannot be read. */
  currentOf: (current: unknown) => Read<T> | null
  /** Of the call that failed without a sentence of its own. */
  fallback: string
  /** Of a refused save: its sentence. */
  onFailed: (sentence: string, values: T) => void
  /** What somebody else has saved is merged into the form, and not asked about at once. */
  isMerging: boolean
  /** Fields that complain without being left first. */
  shownAtOnce?: readonly string[]
  /** Fields that complain together. */
  touchedTogether?: (name: string) => readonly string[]
}

/** A save that was refused. */
export interface Failed<T> {
  /** Where no field is to blame for all of it; ''. */
  sentence: string
  fields: Faults
  /** Somebody else saved the object since it was read (decisions.md 16). */
  conflict: {
    sentence: string
    changed: readonly string[]
    savedBy: string
    current: Read<T>
  } | null
}

const NOTHING_FAILED = { sentence: '', fields: {}, conflict: null }

export function useFormCore<T extends object>(options: CoreOptions<T>) {
  const reduce = reducerOf(options.rules)
  const [state, dispatch] = useReducer(reduce, options.kept ?? beginState(options.begin))
  const touched = useTouched(options)
  const [isPending, setPending] = useState(false)
  const [failed, setFailed] = useState<Failed<T>>(NOTHING_FAILED)
  const saver = useSaver()
  const isPendingNow = useRef(false)
  const faults = options.check(state.values, state.base)

  async function run(
    save: (version: number | null) => Promise<void>,
    version: number | null,
  ): Promise<Failed<T> | null> {
    if (isPendingNow.current) return null
    isPendingNow.current = true
    setPending(true)
    setFailed(NOTHING_FAILED)
    try {
      const other = (error: unknown) => versionToTry(state, reduce, currentIn(error, options))
      await saveOver(save, version, other)
      return null
    } catch (error) {
      return fail(error)
    } finally {
      isPendingNow.current = false
      setPending(false)
    }
  }

  function fail(error: unknown): Failed<T> | null {
    const refused = failureOf(error, options, state)
    if (refused.conflict !== null && options.isMerging) {
      const { current, savedBy: name } = refused.conflict
      if (current.version !== null) dispatch({ step: 'read', ...current, version: current.version })
      saver.keep({ version: current.version, name })
      return null
    }
    setFailed(refused)
    options.onFailed(sentenceFor(error, options.fallback), state.values)
    return refused
  }

  return {
    state,
    dispatch,
    /** A step of the operator: the API's sentence at a field is about what stood there then. */
    take: (action: FormAction<T>) => {
      if (action.step === 'discard') touched.reset()
      if (action.step !== 'offer') {
        setFailed((now) => ({ ...now, fields: fieldsAfter(now.fields, action) }))
      }
      dispatch(action)
    },
    faults,
    byServer: failed.fields,
    /** Who saved the version that was merged last; '' where nothing said so. */
    savedBy: saver.of(state.version),
    /** '' while the field is well, or was not left yet. */
    errorOf: (name: string): string =>
      failed.fields[name] ?? (touched.isShown(name) ? (faults[name] ?? '') : ''),
    leave: touched.leave,
    /** What is wrong now; what another choice makes wrong later shows once that was left. */
    showFaults: () => touched.add(Object.keys(faults)),
    isPending,
    /** Also before it is rendered: a save may leave the page in the same step. */
    isSaving: () => isPendingNow.current,
    failed,
    forgetFailure: () => setFailed(NOTHING_FAILED),
    run,
  }
}

/** Another version that differs in nothing of the form, as after an enabling, stands in nobody's way. */
async function saveOver(
  save: (version: number | null) => Promise<void>,
  at: number | null,
  versionAfter: (error: unknown) => number | null,
) {
  try {
    await save(at)
  } catch (error) {
    const version = versionAfter(error)
    if (version === null) throw error
    await save(version)
  }
}

/** Who saved a version, as the refusal of a save says. */
function useSaver() {
  const [saver, keep] = useState<{ version: number | null; name: string } | null>(null)
  return { keep, of: (version: number | null) => (saver?.version === version ? saver.name : '') }
}

/** Which faults are shown: those of fields that were left, or that a save was tried with. */
function useTouched({
  shownAtOnce,
  touchedTogether,
}: Pick<CoreOptions<object>, 'shownAtOnce' | 'touchedTogether'>) {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set(shownAtOnce))
  const add = (names: readonly string[]) =>
    setTouched((now) => (names.every((name) => now.has(name)) ? now : new Set([...now, ...names])))
  return {
    isShown: (name: string) => touched.has(name),
    add,
    leave: (name: string) => add(touchedTogether?.(name) ?? [name]),
    reset: () => setTouched(new Set(shownAtOnce)),
  }
}

/** Null where that would lose what somebody else has saved. */
function versionToTry<T extends object>(
  state: FormState<T>,
  reduce: (state: FormState<T>, action: FormAction<T>) => FormState<T>,
  current: Read<T> | null,
): number | null {
  if (current === null || current.version === null || state.version === null) return null
  const { values, version } = current
  const isNews = reduce(state, { step: 'read', values, version }).news !== state.news
  return isNews ? null : version
}

/** The object as somebody else saved it; null when that is not why it was refused. */
function currentIn<T extends object>(
  error: unknown,
  { currentOf }: Pick<CoreOptions<T>, 'currentOf'>,
): Read<T> | null {
  if (!(error instanceof ApiError) || error.status !== 409 || error.current === null) return null
  return currentOf(error.current)
}

function whatToDoAbout(lost: ApiError, version: number | null): string {
  if (isLostAddition(lost)) return MAY_BE_ADDED
  return version === null ? MAY_BE_DONE : MAY_BE_SAVED
}

function failureOf<T extends object>(
  error: unknown,
  options: CoreOptions<T>,
  { values, version }: FormState<T>,
): Failed<T> {
  const sentence = sentenceFor(error, options.fallback)
  if (!(error instanceof ApiError)) return { ...NOTHING_FAILED, sentence }
  if (error.kind === 'no-answer') {
    const whatToDo = whatToDoAbout(error, version)
    return { ...NOTHING_FAILED, sentence: `${sentence} ${whatToDo}` }
  }
  const issues =
    error.issues.length > 0
      ? error.issues
      : error.field === null
        ? []
        : [{ field: error.field, message: sentence }]
  const fields: Record<string, string> = {}
  let isPlaced = issues.length > 0
  for (const { field, message } of issues) {
    const name = options.placeOf(field, values)
    if (name === null) isPlaced = false
    else fields[name] ??= options.sentenceAt?.(name, message, values) ?? message
  }
  const current = currentIn(error, options)
  return {
    sentence: isPlaced ? '' : sentence,
    fields,
    conflict: current && {
      sentence: error.sentence,
      changed: error.changed,
      savedBy: error.savedBy,
      current,
    },
  }
}

/** What else is done than an edit may concern every field. */
function fieldsAfter<T extends object>(fields: Faults, action: FormAction<T>): Faults {
  if (action.step !== 'edit') return {}
  const edited = Object.keys(action.change)
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([field]) => !edited.some((name) => field === name || field.startsWith(`${name}.`)),
    ),
  )
}
