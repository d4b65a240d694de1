/** The columns of a CSV file of each kind, and a row of it to the text of an object and back. */
import { KIND_TEXTS } from './text-kinds.rules.ts'
import type { TextKind, Tree } from './text-object.schema.ts'
import { isTree, plainAt, putValue, textAt } from './tree.rules.ts'

/** What the console imports and exports; each is a list page of its own. */
export type CsvKind = Extract<TextKind, 'user' | 'destination' | 'encoder' | 'input' | 'output'>

/** What has a dialog or page of its own beside the one that adds. */
const NOT_IN_CSV: ReadonlySet<string> = new Set(['users', 'config'])

/** Dotted, in the order of the file. */
export function csvColumns(kind: CsvKind): readonly string[] {
  return KIND_TEXTS[kind].fields.filter((field) => !NOT_IN_CSV.has(field))
}

/** Without these a row names no object. */
export function keyColumns(kind: CsvKind): readonly string[] {
  if (kind === 'user') return ['email']
  return kind === 'output' ? ['group', 'input', 'title'] : ['group', 'title']
}

/** Between the titles of several groups. */
const BETWEEN_TITLES = ' | '

export function csvCells(kind: CsvKind, text: Tree): string[] {
  return csvColumns(kind).map((column) => {
    if (column === 'groups') {
      const titles = text['groups']
      return Array.isArray(titles) ? titles.map(String).join(BETWEEN_TITLES) : ''
    }
    if (column === 'advanced') return parametersCell(text['advanced'])
    return plainAt(text, column)
  })
}

/** 'latency=120 maxbw=0': neither a key nor a value has a space. */
function parametersCell(parameters: unknown): string {
  if (!isTree(parameters)) return ''
  return Object.entries(parameters)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(' ')
}

const SECOND_PATH = 'config.secondPath'

/** `columns`: of that file, in its order. What the file has no column for is left out. */
export function csvText(columns: readonly string[], cells: readonly string[]): Tree {
  const text: Tree = {}
  columns.forEach((column, index) => {
    putValue(text, column, cellValue(column, (cells[index] ?? '').trim()))
  })
  const path = textAt(text, SECOND_PATH)
  // No second path is not a second path without address.
  const isEmpty = isTree(path) && Object.values(path).every((value) => value === '')
  if (!isEmpty || !isTree(text['config'])) return text
  return { ...text, config: { ...text['config'], secondPath: undefined } }
}

function cellValue(column: string, cell: string): unknown {
  if (column === 'groups') {
    return cell
      .split('|')
      .map((title) => title.trim())
      .filter((title) => title !== '')
  }
  if (column === 'advanced') {
    const pairs = cell.split(/\s+/).filter((pair) => pair !== '')
    return Object.fromEntries(
      pairs.map((pair) => {
        const at = pair.indexOf('=')
        return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
      }),
    )
  }
  return cell
}
