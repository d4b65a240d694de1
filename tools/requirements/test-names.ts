/**
 * The names of the tests of a file, read from its source, as vitest and Playwright print them. What
 * counts as a name:
 *
 * - the first argument of `test`, `it` and `describe`, and of their forms such as `test.concurrent`;
 *   a test carries the names of the suites around it too;
 * - each row of `test.each` or `describe.each`, and each turn of a `for (… of …)` around a test, when
 *   the table is written out in the same file (a `const` of it may have a name).
 *
 * What is imported or computed reads '…'. Comments, steps inside a test (`test.step`) and tests that
 * are skipped do not count.
 */
import { parseSync, type ESTree } from 'vite'
import type { SourceFile } from '../arch/source.ts'
import { bind, fieldOf, itemOf, textOf, UNKNOWN, valueOf, type Value } from './static-value.ts'

const FUNCTIONS = ['test', 'it', 'describe']
/** After one of these the next call has the name: `test.each(rows)(name, run)`. */
const WITH_ROWS = ['each', 'for']
const WITH_CONDITION = ['skipIf', 'runIf']
const FORMS = ['concurrent', 'sequential', 'serial', 'parallel', 'describe', 'only', 'fails']
const NOT_RUN = ['skip', 'todo', 'fixme']

/** What is called: the words of `test.each(rows)` are 'test' and 'each'. */
interface Callee {
  readonly words: readonly string[]
  /** The table of `each`; undefined when there is none. */
  readonly rows?: Value
  /** Whether the last word was called already. */
  readonly isCalled: boolean
}

interface Place {
  /** The names of the suites around. */
  readonly suites: readonly string[]
  readonly scope: Map<string, Value>
  /** Where the names are collected. */
  readonly names: Set<string>
}

/** Each name once, suites and test joined by ' > ', in the order of the file. */
export function testNamesIn(file: SourceFile): string[] {
  const { program, errors } = parseSync(file.path, file.text)
  const fault = errors[0]
  if (fault !== undefined) throw new Error(`${file.path} cannot be parsed: ${fault.message}`)
  const names = new Set<string>()
  visit(program, { suites: [], scope: new Map(), names })
  return [...names]
}

function visit(node: ESTree.Node, place: Place): void {
  if (node.type === 'CallExpression' && visitTest(node, place)) return
  if (node.type === 'ForOfStatement') visitLoop(node, place)
  else if (isFunction(node)) visitFunction(node, [], place)
  else if (node.type === 'BlockStatement') visitChildren(node, within(place))
  else if (node.type === 'VariableDeclarator') {
    const value = node.init === null ? UNKNOWN : valueOf(node.init, place.scope)
    bind(node.id, value, place.scope)
    visitChildren(node, place)
  } else visitChildren(node, place)
}

function visitChildren(node: ESTree.Node, place: Place): void {
  for (const child of Object.values(node) as unknown[]) {
    for (const item of Array.isArray(child) ? (child as unknown[]) : [child]) {
      if (isNode(item)) visit(item, place)
    }
  }
}

function isNode(value: unknown): value is ESTree.Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function isFunction(node: ESTree.Node): node is ESTree.Function | ESTree.ArrowFunctionExpression {
  return (
    node.type === 'ArrowFunctionExpression' ||
    node.type === 'FunctionExpression' ||
    node.type === 'FunctionDeclaration'
  )
}

/** The same place with names of its own. */
function within(place: Place): Place {
  return { ...place, scope: new Map(place.scope) }
}

function visitFunction(
  node: ESTree.Function | ESTree.ArrowFunctionExpression,
  values: readonly Value[],
  outer: Place,
): void {
  const place = within(outer)
  for (const [at, param] of node.params.entries()) {
    if (param.type !== 'TSParameterProperty') bind(param, values[at] ?? UNKNOWN, place.scope)
  }
  if (node.body !== null) visit(node.body, place)
}

function visitLoop(node: ESTree.ForOfStatement, outer: Place): void {
  const rows = valueOf(node.right, outer.scope)
  for (const row of rows.kind === 'list' ? rows.items : [UNKNOWN]) {
    const place = within(outer)
    if (node.left.type === 'VariableDeclaration') {
      for (const { id } of node.left.declarations) bind(id, row, place.scope)
    }
    visit(node.body, place)
  }
}

/** Collects the names when the call declares a test or a suite; false when it declares none. */
function visitTest(node: ESTree.CallExpression, place: Place): boolean {
  const callee = calleeOf(node.callee, place)
  const [title, ...others] = node.arguments
  if (callee === undefined || title === undefined || title.type === 'SpreadElement') return false
  const [first = '', ...forms] = callee.words
  if (!FUNCTIONS.includes(first)) return false
  if (forms.some((word) => NOT_RUN.includes(word))) return true
  if (!isDeclaration(callee, forms)) return false
  const name = textOf(valueOf(title, place.scope))
  const isSuite = callee.words.includes('describe')
  for (const row of rowsOf(callee)) {
    const suites = [...place.suites, row === undefined ? name : fillIn(name, row)]
    if (!isSuite) place.names.add(suites.join(' > '))
    const run = others.find(isFunction)
    if (isSuite && run !== undefined) {
      visitFunction(run, row === undefined ? [] : cellsOf(row), { ...place, suites })
    }
  }
  return true
}

/** `test.each(rows)` alone declares nothing yet, and `test.use(...)` never does. */
function isDeclaration(callee: Callee, forms: readonly string[]): boolean {
  const last = forms.at(-1) ?? ''
  if ([...WITH_ROWS, ...WITH_CONDITION].includes(last) && !callee.isCalled) return false
  return forms.every((word) => [...FORMS, ...WITH_ROWS, ...WITH_CONDITION].includes(word))
}

function calleeOf(node: ESTree.Expression, place: Place): Callee | undefined {
  if (node.type === 'Identifier') return { words: [node.name], isCalled: false }
  if (node.type === 'MemberExpression' && !node.computed) {
    const object = calleeOf(node.object, place)
    if (object === undefined) return undefined
    return { ...object, words: [...object.words, node.property.name], isCalled: false }
  }
  if (node.type !== 'CallExpression') return undefined
  const inner = calleeOf(node.callee, place)
  const table = node.arguments[0]
  if (inner === undefined || table === undefined || table.type === 'SpreadElement') return undefined
  const hasRows = WITH_ROWS.includes(inner.words.at(-1) ?? '')
  const rows = hasRows ? { rows: valueOf(table, place.scope) } : {}
  return { ...inner, ...rows, isCalled: true }
}

/** One undefined row when the test has no table. */
function rowsOf({ rows }: Callee): readonly (Value | undefined)[] {
  if (rows === undefined) return [undefined]
  return rows.kind === 'list' ? rows.items : [UNKNOWN]
}

function cellsOf(row: Value): readonly Value[] {
  return row.kind === 'list' ? row.items : [row]
}

/** '%s' takes the next cell of the row, '$field' a field of its first one. */
function fillIn(name: string, row: Value): string {
  let next = 0
  return name.replace(/%[%#$sdifjoO]|\$([A-Za-z_]\w*)/g, (sign, field: string | undefined) => {
    if (field !== undefined) {
      const record = row.kind === 'list' ? itemOf(row, 0) : row
      return record.kind === 'text' ? sign : textOf(fieldOf(record, field))
    }
    if (sign === '%%') return '%'
    if (sign === '%#' || sign === '%$') return textOf(UNKNOWN)
    const cell = cellsOf(row)[next]
    next += 1
    return row.kind !== 'list' && next > 1 ? sign : textOf(cell ?? UNKNOWN)
  })
}
