/** What saving changes: each field with its old and new value, the lines of the text, the tabs concerned. */
import type { ConfigState } from './config-state.rules.ts'
import {
  FIELD_NAMES,
  fullLabelOf,
  SWITCH_NAMES,
  tabOf,
  type FieldName,
  type Tab,
} from './config-field.rules.ts'
import { targetOf, treeOf, type ConfigValues, type Tree } from './config-values.rules.ts'

export interface Change {
  /** A field, or 'output.0'. */
  name: string
  label: string
  before: string
  after: string
  /** Why, where nobody typed it; '' for a change by hand. */
  why: string
}

const NOTHING = '–'

export function changesOf({ base, values, reasons }: ConfigState): Change[] {
  const fields = FIELD_NAMES.filter((name) => base.fields[name] !== values.fields[name]).map(
    (name): Change => ({
      name,
      label: fullLabelOf(name),
      before: shownText(name, base.fields[name]),
      after: shownText(name, values.fields[name]),
      why: reasons[name] ?? '',
    }),
  )
  return [...fields, ...outputChanges(base, values)]
}

function outputChanges(base: ConfigValues, values: ConfigValues): Change[] {
  const rows = Math.max(base.outputs.length, values.outputs.length)
  const changes: Change[] = []
  for (let index = 0; index < rows; index += 1) {
    const [old, now] = [base.outputs[index], values.outputs[index]]
    const before = old === undefined ? NOTHING : targetOf(old)
    const after = now === undefined ? NOTHING : targetOf(now)
    const name = `output.${index}`
    if (before !== after) changes.push({ name, label: fullLabelOf(name), before, after, why: '' })
  }
  return changes
}

/** As an operator reads it: on and off, a missing value as a dash. */
export function shownText(name: string, text: string): string {
  if ((SWITCH_NAMES as readonly string[]).includes(name)) return text === '1' ? 'on' : 'off'
  return text === '' ? NOTHING : text
}

/** 'was 3500', 'follows bitrate, was 3500'; '' for a field as it was saved. */
export function wasText({ base, values, reasons }: ConfigState, name: FieldName): string {
  if (base.fields[name] === values.fields[name]) return ''
  const was = `was ${shownText(name, base.fields[name])}`
  const why = reasons[name] ?? ''
  return why.startsWith('follows') || why === 'calculated' ? `${why}, ${was}` : was
}

export function tabsOf(names: readonly string[]): ReadonlySet<Tab> {
  return new Set(names.flatMap((name) => tabOf(name) ?? []))
}

export interface TextLine {
  text: string
  isChanged: boolean
}

/** The configuration as it will be stored, a line each; changed against what is stored. */
export function textLines(base: ConfigValues, values: ConfigValues): TextLine[] {
  return linesOf(treeOf(values), treeOf(base), '', '', '')
}

function linesOf(
  value: unknown,
  old: unknown,
  indent: string,
  lead: string,
  tail: string,
): TextLine[] {
  if (typeof value !== 'object' || value === null) {
    const isChanged = value !== old
    return [{ text: `${indent}${lead}${JSON.stringify(value)}${tail}`, isChanged }]
  }
  const isList = Array.isArray(value)
  const [open, close] = isList ? '[]' : '{}'
  const entries = Object.entries(value as Tree)
  const inner = entries.flatMap(([key, one], index) =>
    linesOf(
      one,
      (old as Tree | null | undefined)?.[key],
      `${indent}  `,
      isList ? '' : `${JSON.stringify(key)}: `,
      index < entries.length - 1 ? ',' : '',
    ),
  )
  const isNew = old === undefined
  return [
    { text: `${indent}${lead}${open}`, isChanged: isNew },
    ...inner,
    { text: `${indent}${close}${tail}`, isChanged: isNew },
  ]
}
