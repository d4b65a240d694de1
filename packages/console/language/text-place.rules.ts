/** Where in a source file a word is one that people read, and where it is for the browser. */

/** A node of the syntax tree, as `vite` gives it. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export interface TextPlace {
  /** Its words are for the browser or for programmers: never translated. */
  readonly isCode: boolean
  /** Its every word is shown, also a short one in small letters. */
  readonly isShown: boolean
  /** Of the cases of a switch: what they are compared with is a word that is shown. */
  readonly isWordSwitch?: boolean
}

const CODE: TextPlace = { isCode: true, isShown: false }
const SHOWN: TextPlace = { isCode: false, isShown: true }
export const PLAIN: TextPlace = { isCode: false, isShown: false }

/** Attributes that are always read out or shown. */
const SHOWN_ATTRIBUTE =
  /^(title|label|placeholder|alt|aria-(label|description|roledescription|valuetext))$/
const CODE_ATTRIBUTE =
  /^(className|style|type|role|id|key|to|href|rel|target|d|viewBox|fill|stroke|transform|points|htmlFor|autoComplete|inputMode|icon|tone|data-.*|aria-(live|current|haspopup|controls|labelledby|describedby|sort))$/
const CODE_CALL =
  /(^|[.#])(Error|TypeError|RangeError|URL|RegExp|Event|CustomEvent|addEventListener|removeEventListener|dispatchEvent|querySelector|querySelectorAll|closest|matches|getElementById|createElement|setAttribute|removeAttribute|getAttribute|enum|literal|startsWith|endsWith|includes|indexOf|split|has|get|set|log\.\w+|logger\.\w+)$/
/** Kinds of nodes in which nothing is shown. */
const NEVER_SHOWN =
  /^(Import|ExportAll|TSTypeAlias|TSInterface|TSTypeAnnotation|TSTypeParameter|TSEnum|TSImport)/
const PASSES_ON = new Set([
  'JSXExpressionContainer',
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
])

/** `view.word === 'Running'`: what is compared with a word that is shown is that word. */
const SHOWN_WORD = /(^|\.)(word|cause)$/

const SENTENCE = /\p{L}[\p{L}\p{N}’'.,;:!?)%-]*\s+[\p{L}\p{N}(‘'{…]/u
const CAPITAL_WORD = /^\p{Lu}\p{Ll}+[.:…!?]?$/u
const ENDED_WORD = /^\p{L}.*\p{Ll}[.…!?:]$/u

/** 'Log of {0}', 'Save', 'behind it.': not 'chevron-down' and not 'RUNNING'. */
export function readsAsText(english: string): boolean {
  const words = english.trim()
  return SENTENCE.test(words) || CAPITAL_WORD.test(words) || ENDED_WORD.test(words)
}

export function isNeverShown(node: SyntaxNode): boolean {
  return NEVER_SHOWN.test(node.type)
}

/** The place of a child that `node` has under `key`; `place` is that of the node itself. */
export function placeOf(
  node: SyntaxNode,
  key: string,
  child: SyntaxNode,
  place: TextPlace,
  code: string,
): TextPlace {
  if (PASSES_ON.has(node.type)) return place
  switch (node.type) {
    case 'JSXAttribute':
      return isFieldName(node, child, code) ? CODE : placeOfAttribute(nameOf(node['name']))
    case 'JSXElement':
    case 'JSXFragment':
      return key === 'children' ? SHOWN : PLAIN
    case 'ConditionalExpression':
      return key === 'test' ? PLAIN : place
    case 'LogicalExpression':
      return key === 'right' ? place : { ...place, isShown: false }
    case 'BinaryExpression':
      return node['operator'] === '+' ? place : placeOfCompared(node, key, code)
    case 'CallExpression':
    case 'NewExpression':
      return key === 'arguments' && CODE_CALL.test(calleeOf(node, code)) ? CODE : PLAIN
    case 'SwitchStatement':
      return { ...PLAIN, isWordSwitch: SHOWN_WORD.test(sourceOf(node['discriminant'], code)) }
    case 'SwitchCase':
      return key === 'test' && place.isWordSwitch !== true ? CODE : PLAIN
    case 'ObjectExpression':
      return isValueOfChoice(node, child) ? CODE : { ...place, isShown: false }
    case 'Property':
      return key === 'key' ? CODE : { ...place, isShown: false }
    case 'MemberExpression':
      return key === 'property' ? CODE : PLAIN
    default:
      return { ...place, isShown: false }
  }
}

/** `{ value: 'Push', label: 'Push' }`: the label is shown, the value is sent. */
function isValueOfChoice(node: SyntaxNode, child: SyntaxNode): boolean {
  const names = (node['properties'] as SyntaxNode[]).map((property) => nameOf(property['key']))
  return nameOf(child['key']) === 'value' && names.includes('label')
}

function placeOfCompared(node: SyntaxNode, key: string, code: string): TextPlace {
  const other = node[key === 'left' ? 'right' : 'left']
  return SHOWN_WORD.test(sourceOf(other, code)) ? PLAIN : CODE
}

/** `name="password"` names a field, also where the word 'password' is shown elsewhere in its file. */
function isFieldName(attribute: SyntaxNode, value: SyntaxNode, code: string): boolean {
  return nameOf(attribute['name']) === 'name' && /^["'][a-z]\w*["']$/.test(sourceOf(value, code))
}

function placeOfAttribute(name: string): TextPlace {
  if (CODE_ATTRIBUTE.test(name)) return CODE
  return SHOWN_ATTRIBUTE.test(name) ? SHOWN : PLAIN
}

function nameOf(node: unknown): string {
  return typeof node === 'object' && node !== null && 'name' in node ? String(node.name) : ''
}

function calleeOf(node: SyntaxNode, code: string): string {
  return sourceOf(node['callee'], code)
}

function sourceOf(node: unknown, code: string): string {
  const { start = 0, end = 0 } = (node ?? {}) as { start?: number; end?: number }
  return code.slice(start, end)
}
