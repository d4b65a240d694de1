/**
 * Finds the texts of a source file that people read, and puts others in their place. The English
 * text itself names its translation: `Log of ${title}` is `Log of {0}`.
 */
import { parseSync } from 'vite'
import {
  isNeverShown,
  placeOf,
  PLAIN,
  readsAsText,
  type SyntaxNode,
  type TextPlace,
} from './text-place.rules.ts'

export interface SourceText {
  /** What is put in stands as `{0}`, `{1}`, in its English order. */
  readonly english: string
  /** It reads as a text, so a catalogue has to know it. The others may be code, or words alone. */
  readonly isExpected: boolean
}

/** Answers the text to put in, or null where the source keeps its own. */
export type Translate = (text: SourceText) => string | null

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

const HOLE = /\{(\d+)\}/g
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&apos;': "'",
  '&gt;': '>',
  '&lt;': '<',
  '&nbsp;': '\u00a0',
  '&quot;': '"',
}

/** @throws Error when the file is no TypeScript */
export function textsOf(file: string, code: string): SourceText[] {
  const found: SourceText[] = []
  translateSource(file, code, (text) => {
    found.push(text)
    return null
  })
  return found
}

/** @throws Error when the file is no TypeScript */
export function translateSource(file: string, code: string, translate: Translate): string {
  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message ?? 'cannot be read'}`)
  const walk = new Walk(code, translate)
  return walk.source(program as unknown as SyntaxNode, PLAIN)
}

class Walk {
  readonly #code: string
  readonly #translate: Translate
  #edits: Edit[] = []

  constructor(code: string, translate: Translate) {
    this.#code = code
    this.#translate = translate
  }

  /** The source of a node with its texts translated. */
  source(node: SyntaxNode, place: TextPlace): string {
    const outer = this.#edits
    this.#edits = []
    this.#visit(node, place)
    let text = ''
    let at = node.start
    for (const edit of this.#edits) {
      text += this.#code.slice(at, edit.start) + edit.text
      at = edit.end
    }
    this.#edits = outer
    return text + this.#code.slice(at, node.end)
  }

  #visit(node: SyntaxNode, place: TextPlace): void {
    if (isNeverShown(node)) return
    if (node.type === 'JSXText') this.#jsxText(node)
    else if (node.type === 'Literal') this.#literal(node, place)
    else if (node.type === 'TemplateLiteral' && !place.isCode) this.#template(node, place)
    else this.#children(node, place)
  }

  #children(node: SyntaxNode, place: TextPlace): void {
    for (const [key, child] of childrenOf(node)) {
      const inner = placeOf(node, key, child, place, this.#code)
      if (node.type === 'JSXAttribute' && child.type === 'Literal') this.#attribute(child, inner)
      else this.#visit(child, inner)
    }
  }

  #jsxText(node: SyntaxNode): void {
    const raw = this.#code.slice(node.start, node.end)
    const core = raw.trim()
    const french = this.#lookUp(decoded(core.replaceAll(/\s*\n\s*/g, ' ')), true)
    if (french === null) return
    const start = node.start + raw.indexOf(core)
    this.#edits.push({ start, end: start + core.length, text: `{${JSON.stringify(french)}}` })
  }

  #attribute(node: SyntaxNode, place: TextPlace): void {
    const french = this.#textOf(node, place)
    if (french === null) return
    this.#edits.push({ start: node.start, end: node.end, text: `{${JSON.stringify(french)}}` })
  }

  #literal(node: SyntaxNode, place: TextPlace): void {
    const french = this.#textOf(node, place)
    if (french === null) return
    this.#edits.push({ start: node.start, end: node.end, text: JSON.stringify(french) })
  }

  #textOf(node: SyntaxNode, place: TextPlace): string | null {
    const { value } = node
    return typeof value === 'string' && !place.isCode ? this.#lookUp(value, place.isShown) : null
  }

  #template(node: SyntaxNode, place: TextPlace): void {
    const quasis = node['quasis'] as { value: { cooked: string } }[]
    const holes = node['expressions'] as SyntaxNode[]
    const english = quasis.map(({ value }, at) => (at === 0 ? '' : `{${at - 1}}`) + value.cooked)
    const french = this.#lookUp(english.join(''), place.isShown)
    const isShown = french !== null || readsAsText(english.join(''))
    const inner = { isCode: false, isShown }
    if (french === null) {
      for (const hole of holes) this.#visit(hole, inner)
      return
    }
    const sources = holes.map((hole) => this.source(hole, inner))
    const text = escaped(french).replaceAll(HOLE, (_, at: string) => `\${${sources[Number(at)]}}`)
    this.#edits.push({ start: node.start, end: node.end, text: `\`${text}\`` })
  }

  #lookUp(english: string, isShown: boolean): string | null {
    if (!/\p{L}/u.test(english.replaceAll(HOLE, ''))) return null
    const isExpected = readsAsText(english) || (isShown && /\p{L}{2}/u.test(english))
    return this.#translate({ english, isExpected })
  }
}

function decoded(text: string): string {
  return text.replaceAll(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity)
}

function escaped(text: string): string {
  return text.replaceAll(/[\\`]|\$\{/g, (found) => `\\${found}`)
}

function childrenOf(node: SyntaxNode): [string, SyntaxNode][] {
  return Object.entries(node)
    .flatMap(([key, value]) => [value].flat().map((child): [string, unknown] => [key, child]))
    .filter((entry): entry is [string, SyntaxNode] => isNode(entry[1]))
    .toSorted(([, a], [, b]) => a.start - b.start)
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
