/** What differs between an object before and after a change, field by field. */
import { fieldLabel } from '../lib/field-labels.ts'

export interface Difference {
  /** Path into the object in words: 'Config › Output 1 › Target'. */
  field: string
  /** As text; null: there was no such field. */
  before: string | null
  after: string | null
}

interface Differences {
  changed: readonly Difference[]
  /** Fields that read the same before and after. */
  sameCount: number
}

/** `before` null: it was added; `after` null: it was removed; both null: nothing was kept. */
export function differencesOf(before: unknown, after: unknown): Differences {
  const old = fieldsOf(before)
  const now = fieldsOf(after)
  const names = [...new Set([...old.keys(), ...now.keys()])]
  const all = names.map((field) => ({
    field,
    before: old.get(field) ?? null,
    after: now.get(field) ?? null,
  }))
  const changed = all.filter((item) => item.before !== item.after)
  return { changed, sameCount: all.length - changed.length }
}

const NAMED = 3

/** 'Title, Latency and 2 more': the fields of one change in a line; '' for what added or removed. */
export function changedText(before: unknown, after: unknown): string {
  if (before === null || before === undefined || after === null || after === undefined) return ''
  const names = differencesOf(before, after).changed.map(({ field }) => field)
  const rest = names.length - NAMED
  return `${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const BETWEEN = ' › '
/** What has no fields. */
const WHOLE = 'Value'

function fieldsOf(value: unknown): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  if (value !== null && value !== undefined) collect(value, '', fields)
  return fields
}

function collect(value: unknown, path: string, into: Map<string, string>): void {
  if (isPlain(value) || (Array.isArray(value) && value.every(isPlain))) {
    into.set(path || WHOLE, textOf(value))
    return
  }
  const isList = Array.isArray(value)
  for (const [name, each] of Object.entries(value as object)) {
    const own = isList ? `${path} ${Number(name) + 1}` : stepInto(path, name)
    collect(each, own, into)
  }
}

function stepInto(path: string, name: string): string {
  return path === '' ? labelOf(name) : path + BETWEEN + labelOf(name)
}

/** A field that this console does not know, as of an older version, is called by its name in words. */
function labelOf(name: string): string {
  return fieldLabel(name) || wordsOf(name)
}

/** 'groupIds' is 'Group ids', 'video-stream' is 'Video stream', 'isEnabled' is 'Enabled'. */
function wordsOf(name: string): string {
  const words = name
    .replace(/[-_]+/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/^(is|has) /, '')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

type Plain = string | number | boolean | null | undefined

function isPlain(value: unknown): value is Plain {
  return value === null || typeof value !== 'object'
}

function textOf(value: Plain | readonly Plain[]): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ')
  if (value === null || value === undefined) return 'none'
  if (value === '') return 'empty'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}
