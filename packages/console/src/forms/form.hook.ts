/**
 * A form over plain values: what was typed stays, whatever the server answers. A field complains
 * once it was left or submitted, by the schema's own sentence or by the server's. A save that fails
 * is shown as a notice too (decisions.md 37).
 */
import { useState, type SubmitEvent } from 'react'
import { ApiError, sentenceFor } from '../lib/api-error.ts'
import { showToast } from '../lib/toast.ts'

export type Sentences<T> = Partial<Record<keyof T & string, string>>

export interface FormOptions<T> {
  initial: T
  /** The version that `initial` was read at; null when a new object is made. */
  version: number | null
  /** Sentences of the fields at fault; an empty object when all is well. */
  check: (values: T) => Sentences<T>
  /** Rejects with an ApiError to be shown at the fields, or above the buttons. */
  save: (values: T, version: number | null) => Promise<void>
  /** Of the call that failed without a sentence of its own. */
  fallback: string
  /** Of a version conflict's `current`: the values and the version as they are now. */
  readCurrent?: (current: unknown) => { values: T; version: number } | null
}

/** Somebody else saved the object since it was opened (decisions.md 16). */
export interface FormConflict {
  sentence: string
  /** Names of the fields that differ. */
  changed: readonly string[]
  /** Throws away what was typed. */
  takeTheirs: () => void
  /** Saves what was typed over theirs. */
  keepMine: () => void
}

export interface Form<T> {
  values: T
  set: (change: Partial<T>) => void
  /** '' while the field is well, or was not left yet. */
  errorOf: (name: keyof T & string) => string
  leave: (name: keyof T & string) => void
  isValid: boolean
  isPending: boolean
  isChanged: boolean
  /** Of an object that was read after the form was opened: as it is; what was typed stays. */
  adopt: (values: T, version: number) => void
  /** Of the whole form; '' for none. */
  failure: string
  conflict: FormConflict | null
  submit: (event?: SubmitEvent) => void
}

interface Failed<T> {
  sentence: string
  fields: Sentences<T>
  error: ApiError | null
}

const UNTRIED = { sentence: '', fields: {}, error: null }

export function useForm<T extends object>(options: FormOptions<T>): Form<T> {
  const [base, setBase] = useState(options.initial)
  const [version, setVersion] = useState(options.version)
  const [values, setValues] = useState(options.initial)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isPending, setPending] = useState(false)
  const [failed, setFailed] = useState<Failed<T>>(UNTRIED)
  const faults = options.check(values)
  const isValid = Object.keys(faults).length === 0
  const isChanged = JSON.stringify(values) !== JSON.stringify(base)

  async function save(at: number | null): Promise<void> {
    setPending(true)
    setFailed(UNTRIED)
    try {
      await options.save(values, at)
    } catch (error) {
      setFailed(failureOf(error, Object.keys(values), options.fallback))
      showToast('failure', sentenceFor(error, options.fallback), '')
    } finally {
      setPending(false)
    }
  }

  return {
    values,
    set: (change) => {
      setValues((now) => ({ ...now, ...change }))
      // What the server said of a field is about what stood there then.
      setFailed(({ fields, sentence, error }) => ({
        sentence,
        error,
        fields: without(fields, Object.keys(change)),
      }))
    },
    errorOf: (name) => failed.fields[name] ?? (left.has(name) ? (faults[name] ?? '') : ''),
    leave: (name) => setLeft((now) => (now.has(name) ? now : new Set([...now, name]))),
    isValid,
    isPending,
    isChanged,
    adopt: (read, at) => {
      setBase(read)
      setVersion(at)
      if (!isChanged) setValues(read)
    },
    failure: failed.sentence,
    conflict: conflictOf(options, failed.error, {
      take: (current) => {
        setBase(current.values)
        setValues(current.values)
        setVersion(current.version)
        setFailed(UNTRIED)
      },
      keep: (current) => {
        setVersion(current.version)
        void save(current.version)
      },
    }),
    submit: (event) => {
      event?.preventDefault()
      if (isPending) return
      setLeft(new Set(Object.keys(values)))
      if (isValid) void save(version)
    },
  }
}

function failureOf<T>(error: unknown, names: readonly string[], fallback: string): Failed<T> {
  const sentence = sentenceFor(error, fallback)
  if (!(error instanceof ApiError)) return { sentence, fields: {}, error: null }
  const issues =
    error.issues.length > 0
      ? error.issues
      : error.field === null
        ? []
        : [{ field: error.field, message: sentence }]
  // 'adapterIps.0.adapterIp' is said at the field 'adapterIps'.
  const placed = issues.flatMap(({ field, message }) => {
    const name = names.find((one) => field === one || field.startsWith(`${one}.`))
    return name === undefined ? [] : [[name, message] as const]
  })
  const isPlaced = placed.length > 0 && placed.length === issues.length
  return {
    sentence: isPlaced ? '' : sentence,
    fields: Object.fromEntries(placed) as Sentences<T>,
    error,
  }
}

interface Turns<T> {
  take: (current: { values: T; version: number }) => void
  keep: (current: { values: T; version: number }) => void
}

function conflictOf<T>(
  options: FormOptions<T>,
  error: ApiError | null,
  turns: Turns<T>,
): FormConflict | null {
  if (error?.status !== 409 || error.current === null) return null
  const current = options.readCurrent?.(error.current) ?? null
  if (current === null) return null
  return {
    sentence: error.sentence,
    changed: error.changed,
    takeTheirs: () => turns.take(current),
    keepMine: () => turns.keep(current),
  }
}

function without<T>(fields: Sentences<T>, names: readonly string[]): Sentences<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !names.includes(name)),
  ) as Sentences<T>
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
