/** Reading, changing and comparing the text of an object by dotted paths. */
import type { Tree } from './text-object.schema.ts'

/** Given as a whole or not at all: the parts of one mean nothing beside those of another. */
const WHOLE: ReadonlySet<string> = new Set([
  'advanced',
  'config.audio-stream',
  'config.secondPath',
  'output.adv_params',
])

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textAt(tree: Tree, path: string): unknown {
  let at: unknown = tree
  for (const part of path.split('.')) at = isTree(at) ? at[part] : undefined
  return at
}

/** '' for what is neither text nor number. */
export function plainAt(tree: Tree, path: string): string {
  const value = textAt(tree, path)
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

/** A copy with that value; undefined takes the field away. */
export function withValue(tree: Tree, path: string, value: unknown): Tree {
  const [first = '', ...rest] = path.split('.')
  const { [first]: inner, ...others } = tree
  if (rest.length > 0) {
    return { ...tree, [first]: withValue(isTree(inner) ? inner : {}, rest.join('.'), value) }
  }
  return value === undefined ? others : { ...tree, [first]: value }
}

/** The same in place, for texts that are being made. */
export function putValue(tree: Tree, path: string, value: unknown): void {
  const parts = path.split('.')
  let at = tree
  for (const part of parts.slice(0, -1)) {
    const inner = at[part]
    if (isTree(inner)) at = inner
    else at = at[part] = {}
  }
  at[parts.at(-1) ?? ''] = value
}

/** `base` with what `over` says; what `over` leaves out stays. */
export function overlay(base: Tree, over: Tree, path = ''): Tree {
  const merged: Tree = { ...base }
  for (const [name, value] of Object.entries(over)) {
    const here = path === '' ? name : `${path}.${name}`
    const stored = base[name]
    const isMerged = isTree(value) && isTree(stored) && !WHOLE.has(here)
    merged[name] = isMerged ? overlay(stored, value, here) : value
  }
  return merged
}

/** What is not set need not be written, and is no difference. */
export function withoutEmpty(tree: Tree): Tree {
  const given = Object.entries(tree).filter(
    ([, value]) => value !== undefined && value !== '' && value !== null,
  )
  return Object.fromEntries(
    given.map(([name, value]) => [name, isTree(value) ? withoutEmpty(value) : value]),
  )
}

export interface Leaf {
  path: string
  value: unknown
}

/** Every value that is no object; lists are values. */
export function leavesOf(tree: Tree, path = ''): Leaf[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const here = path === '' ? name : `${path}.${name}`
    return isTree(value) ? leavesOf(value, here) : [{ path: here, value }]
  })
}

/** Order of fields does not count; a field that is undefined is not there. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value, index) => isSameValue(value, b[index]))
  }
  if (!isTree(a) || !isTree(b)) return false
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => isSameValue(a[name], b[name]))
}
