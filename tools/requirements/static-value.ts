/**
 * What an expression of a test file is, as far as its own literals say: enough to write out the names
 * of tests that come from tables. What is imported or computed is unknown.
 */
import type { ESTree } from 'vite'

export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'record'; readonly fields: ReadonlyMap<string, Value> }
  | { readonly kind: 'unknown' }

export type Scope = ReadonlyMap<string, Value>

export const UNKNOWN: Value = { kind: 'unknown' }

/** Stands in a name for what is not known. */
const ELLIPSIS = '…'

export function textOf(value: Value): string {
  return value.kind === 'text' ? value.text : ELLIPSIS
}

export function valueOf(node: ESTree.Expression, scope: Scope): Value {
  if (node.type === 'Literal') return text(String(node.value))
  if (node.type === 'Identifier') return scope.get(node.name) ?? UNKNOWN
  if (node.type === 'TemplateLiteral') return templateText(node, scope)
  if (node.type === 'ArrayExpression') return listOf(node, scope)
  if (node.type === 'ObjectExpression') return recordOf(node, scope)
  if (node.type === 'MemberExpression') return memberOf(node, scope)
  if (node.type === 'CallExpression') return entriesOf(node, scope)
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    return sumOf(valueOf(node.left, scope), valueOf(node.right, scope))
  }
  if (
    node.type === 'TSAsExpression' ||
    node.type === 'TSSatisfiesExpression' ||
    node.type === 'ParenthesizedExpression'
  ) {
    return valueOf(node.expression, scope)
  }
  return UNKNOWN
}

/** Adds the names that the pattern declares to the scope. */
export function bind(
  pattern: ESTree.BindingPattern | ESTree.BindingRestElement | ESTree.FormalParameterRest,
  value: Value,
  scope: Map<string, Value>,
): void {
  if (pattern.type === 'Identifier') scope.set(pattern.name, value)
  else if (pattern.type === 'AssignmentPattern') bind(pattern.left, value, scope)
  else if (pattern.type === 'RestElement') bind(pattern.argument, UNKNOWN, scope)
  else if (pattern.type === 'ArrayPattern') {
    for (const [at, element] of pattern.elements.entries()) {
      if (element !== null) bind(element, itemOf(value, at), scope)
    }
  } else {
    for (const property of pattern.properties) {
      if (property.type === 'RestElement') bind(property, UNKNOWN, scope)
      else bind(property.value, fieldOf(value, keyOf(property)), scope)
    }
  }
}

export function itemOf(value: Value, at: number): Value {
  return (value.kind === 'list' ? value.items[at] : undefined) ?? UNKNOWN
}

export function fieldOf(value: Value, key: string): Value {
  return (value.kind === 'record' ? value.fields.get(key) : undefined) ?? UNKNOWN
}

function text(of: string): Value {
  return { kind: 'text', text: of }
}

function templateText(node: ESTree.TemplateLiteral, scope: Scope): Value {
  const parts = node.quasis.map((quasi, at) => {
    const hole = node.expressions[at]
    return (quasi.value.cooked ?? '') + (hole === undefined ? '' : textOf(valueOf(hole, scope)))
  })
  return text(parts.join(''))
}

/** Texts only: the sum of two numbers is not written out. */
function sumOf(left: Value, right: Value): Value {
  const isText = [left, right].some(
    (item) => item.kind === 'text' && Number.isNaN(Number(item.text)),
  )
  return isText ? text(textOf(left) + textOf(right)) : UNKNOWN
}

function listOf(node: ESTree.ArrayExpression, scope: Scope): Value {
  const items = node.elements.flatMap((element): readonly Value[] => {
    if (element === null) return [UNKNOWN]
    if (element.type !== 'SpreadElement') return [valueOf(element, scope)]
    const spread = valueOf(element.argument, scope)
    return spread.kind === 'list' ? spread.items : []
  })
  return { kind: 'list', items }
}

function recordOf(node: ESTree.ObjectExpression, scope: Scope): Value {
  const fields = new Map<string, Value>()
  for (const property of node.properties) {
    if (property.type === 'Property') fields.set(keyOf(property), valueOf(property.value, scope))
  }
  return { kind: 'record', fields }
}

/** `Object.keys(table)` and `Object.entries(table)`, the two calls that make rows of a record. */
function entriesOf(node: ESTree.CallExpression, scope: Scope): Value {
  const { callee, arguments: given } = node
  const table = given[0]
  if (callee.type !== 'MemberExpression' || callee.computed || table === undefined) return UNKNOWN
  if (callee.object.type !== 'Identifier' || callee.object.name !== 'Object') return UNKNOWN
  const record = table.type === 'SpreadElement' ? UNKNOWN : valueOf(table, scope)
  if (record.kind !== 'record') return UNKNOWN
  const entries = [...record.fields].map(([key, value]): readonly Value[] => [text(key), value])
  if (callee.property.name === 'keys')
    return { kind: 'list', items: entries.flatMap(([key = UNKNOWN]) => [key]) }
  const rows = entries.map((items): Value => ({ kind: 'list', items }))
  return callee.property.name === 'entries' ? { kind: 'list', items: rows } : UNKNOWN
}

function memberOf(node: ESTree.MemberExpression, scope: Scope): Value {
  const object = valueOf(node.object, scope)
  if (!node.computed) return fieldOf(object, node.property.name)
  const key = textOf(valueOf(node.property, scope))
  return object.kind === 'list' ? itemOf(object, Number(key)) : fieldOf(object, key)
}

function keyOf(property: ESTree.ObjectProperty | ESTree.BindingProperty): string {
  const { key } = property
  if (key.type === 'Identifier' && !property.computed) return key.name
  return key.type === 'Literal' ? String(key.value) : ELLIPSIS
}
