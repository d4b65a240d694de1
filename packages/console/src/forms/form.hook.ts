/**
 * The form of a dialog: it holds what is typed, says at each field what is wrong once that field was
 * left, sends, and keeps what was typed when the API refuses (DLG-08). A save that fails is shown as a
 * notice too (decisions.md 37).
 */
import { type SubmitEvent, useState } from 'react'
import { useIsShown } from '../lib/answer/is-shown.hook.ts'
import { dropToast, showToast } from '../lib/toast.ts'
import { type FieldNames, formFieldOf } from './field-faults.rules.ts'
import { useFormCore } from './form-core.hook.ts'
import { type FormState, type Read, resumeState } from './form-state.rules.ts'
import { dialogPlace, useKeepingTyping, useKeptTyping } from '../shared/kept/kept-typing.hook.ts'
import { isSame } from '../shared/kept/is-same.rules.ts'
import type { NameOf } from './merge.rules.ts'
import { nowText } from './unsaved.messages.ts'

export type Sentences<T> = Partial<Record<keyof T & string, string>>

export interface FormOptions<T> {
  initial: T
  /** The version that `initial` was read at; null when a new object is made. */
  version: number | null
  /** Sentences of the fields at fault; an empty object when all is well. */
  check: (values: T) => Sentences<T>
  /** Rejects with an ApiError to be shown at the fields, or above the buttons. */
  save: (values: T, version: number | null) => Promise<void>
  /** Not of a dialog that was closed before the answer came: another may be open by then. */
  onSaved?: () => void
  /** Of the fields, also in the sentence that names what somebody else has changed. */
  labels?: Readonly<Record<string, string>>
  /** Of the call that failed without a sentence of its own. */
  fallback: string
  /** What the API calls the fields, where it calls them otherwise. */
  fields?: FieldNames<NameOf<T>>
  /** Names the dialog and its object: what is typed is found again by it after the session has ended. */
  keptAs?: readonly (string | undefined)[]
  /** Of these a conflict shows what is saved now: neither a secret nor an id. */
  asTyped?: readonly (keyof T & string)[]
  /** Of a version conflict's `current`: the values and the version as they are now. */
  readCurrent?: (current: unknown) => Read<T> | null
}

/** Somebody else saved the object since it was opened (decisions.md 16). */
export interface FormConflict {
  sentence: string
  /** The fields that differ, with what is saved there now where that reads as it is typed. */
  differs: readonly string[]
  /** Throws away what was typed. */
  takeTheirs: () => void
  /** Saves what was typed over theirs. */
  keepMine: () => void
}

export interface Form<T> {
  labels: Readonly<Record<string, string>>
  values: T
  set: (change: Partial<T>) => void
  /** '' while the field is well, or was not left yet. */
  errorOf: (name: keyof T & string) => string
  leave: (name: keyof T & string) => void
  isValid: boolean
  /** How many fields complain. */
  complaints: number
  isPending: boolean
  /** As `isPending`, but asked for, so that it is true from the first moment of a save. */
  isSaving: () => boolean
  isChanged: boolean
  /** Of an object that was read after the form was opened: as it is; what was typed stays. */
  adopt: (values: T, version: number) => void
  /** Of the whole form; '' for none. */
  failure: string
  conflict: FormConflict | null
  submit: (event?: SubmitEvent) => void
}

export function useForm<T extends object>(options: FormOptions<T>): Form<T> {
  const names = Object.keys(options.initial) as NameOf<T>[]
  const known: FieldNames<NameOf<T>> = options.fields ?? names.map((name) => [name, name] as const)
  const rules = { names }
  const begin = { values: options.initial, version: options.version }
  const dialog = dialogPlace(options.keptAs ?? [])
  const kept = useKeptTyping<FormState<T>>(dialog)
  const isShown = useIsShown()
  // Of the last try; the notice of it must not stand beside that of a later success.
  const [failure, setFailure] = useState('')
  const form = useFormCore<T>({
    rules,
    begin,
    kept: kept && resumeState(rules, kept, begin),
    check: (values) => present(options.check(values)),
    placeOf: (field) => formFieldOf(known, field),
    currentOf: (current) => options.readCurrent?.(current) ?? null,
    fallback: options.fallback,
    onFailed: (sentence) => {
      setFailure(sentence)
      showToast('failure', sentence, '')
    },
    isMerging: false,
  })
  const { values, base, version } = form.state
  const isChanged = !isSame(values, base)
  useKeepingTyping(dialog, form.state, isChanged)
  const isValid = Object.keys(form.faults).length === 0
  const save = async (at: number | null) => {
    if (failure !== '') dropToast(failure)
    await form.run(async (now) => {
      await options.save(values, now)
      if (isShown.current) options.onSaved?.()
    }, at)
  }

  return {
    labels: options.labels ?? {},
    values,
    set: (change) => form.take({ step: 'edit', change }),
    errorOf: form.errorOf,
    leave: form.leave,
    isValid,
    complaints: Object.keys(form.faults).filter((name) => form.errorOf(name) !== '').length,
    isPending: form.isPending,
    isSaving: form.isSaving,
    isChanged,
    adopt: (read, at) => form.dispatch({ step: 'begin', values: read, version: at }),
    failure: form.failed.sentence,
    conflict: conflictOf(form, save, options),
    submit: (event) => {
      event?.preventDefault()
      if (form.isPending) return
      form.showFaults()
      if (isValid) void save(version)
    },
  }
}

function conflictOf<T extends object>(
  form: ReturnType<typeof useFormCore<T>>,
  save: (version: number | null) => Promise<void>,
  options: FormOptions<T>,
): FormConflict | null {
  const { failed, state, dispatch } = form
  if (failed.conflict === null) return null
  const { sentence, changed, current } = failed.conflict
  const begin = ({ values }: Pick<Read<T>, 'values'>) =>
    dispatch({ step: 'begin', values, version: current.version })
  return {
    sentence,
    differs: wordsOf(changed, state.values, current.values, options),
    takeTheirs: () => {
      begin(current)
      dispatch({ step: 'discard' })
      form.forgetFailure()
    },
    keepMine: () => {
      begin({ values: state.base })
      void save(current.version)
    },
  }
}

/** `changed`: as the API calls what differs; where it names the whole of what is edited, the fields are found here. */
function wordsOf<T extends object>(
  changed: readonly string[],
  mine: T,
  theirs: T,
  { labels = {}, asTyped = [] }: FormOptions<T>,
): string[] {
  const own = (Object.keys(theirs) as (keyof T & string)[]).filter(
    (name) => !isSame(mine[name], theirs[name]),
  )
  const words = new Map<string, string>()
  for (const name of [...changed, ...own]) {
    const label = labels[name]
    if (label !== undefined) words.set(label, label)
  }
  for (const name of asTyped.filter((field) => own.includes(field))) {
    const label = labels[name] ?? name
    words.set(label, nowText(label, String(theirs[name])))
  }
  return [...words.values()]
}

/** For `readCurrent`: null for what is no such object, as of another version of the API. */
export function readCurrentBy<V extends { version: number }, T>(
  schema: { safeParse: (current: unknown) => { data?: V } },
  valuesOf: (saved: V) => T,
) {
  return (current: unknown) => {
    const { data } = schema.safeParse(current)
    return data === undefined ? null : { values: valuesOf(data), version: data.version }
  }
}

function present<T>(sentences: Sentences<T>): Record<string, string> {
  return sentences as Record<string, string>
}

/** Props of a text field that edits `name`. */
export function textProps<T extends object>(form: Form<T>, name: keyof T & string) {
  return {
    value: String(form.values[name]),
    error: form.errorOf(name),
    onChange: (event: { target: { value: string } }) =>
      form.set({ [name]: event.target.value } as Partial<T>),
    onBlur: () => form.leave(name),
  }
}
