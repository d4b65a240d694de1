/**
 * Reads TypeScript as far as the import rules need it: code without comments, and what it imports.
 * Not a parser: TypeScript 7 offers none yet, and the rules only need words and strings.
 */

/** A file of the repository. */
export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string
  readonly text: string
}

const QUOTES = new Set(["'", '"', '`'])
/** After one of these a slash begins a regular expression; elsewhere it divides or closes a tag. */
const BEFORE_REGEX = /(^|[(,=:[!&|?{;+*%]|=>|\b(return|typeof|case|in|of|do|else|void|await))$/

/**
 * The same text with comments, and if wished the insides of strings, as blanks; offsets and line
 * numbers stay. What stands in `${...}` of a template is code.
 */
export function blankOut(text: string, what: 'comments' | 'comments and strings'): string {
  let out = ''
  let at = 0
  while (at < text.length) {
    const end = endOfToken(text, at, out)
    const token = text.slice(at, end.at)
    if (end.kind === 'comment') out += blanks(token)
    else if (end.kind === 'string' && what === 'comments and strings') {
      out += token.startsWith('`') ? blankTemplate(token) : blankString(token)
    } else out += token
    at = end.at
  }
  return out
}

function blanks(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

function blankString(token: string): string {
  return token.slice(0, 1) + blanks(token.slice(1, -1)) + token.slice(-1)
}

function blankTemplate(token: string): string {
  let out = ''
  let at = 0
  while (at < token.length) {
    const open = indexOrEnd(token, '${', at)
    out += blanks(token.slice(at, open))
    const close = endOfHole(token, open)
    out += blankOut(token.slice(open, close), 'comments and strings')
    at = close
  }
  return out
}

/** Where the hole of a template that opens here is closed, after its brace. */
function endOfHole(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (QUOTES.has(char)) at = endOfString(text, at, char) - 1
    else if (char === '{') depth += 1
    else if (char === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return text.length
}

function endOfToken(text: string, at: number, before: string): { at: number; kind: string } {
  const pair = text.slice(at, at + 2)
  const character = text.charAt(at)
  if (pair === '//') return { at: indexOrEnd(text, '\n', at), kind: 'comment' }
  if (pair === '/*') return { at: indexOrEnd(text, '*/', at + 2) + 2, kind: 'comment' }
  if (QUOTES.has(character)) return { at: endOfString(text, at, character), kind: 'string' }
  if (character === '/' && BEFORE_REGEX.test(before.slice(-20).trimEnd())) {
    return { at: endOfRegex(text, at), kind: 'string' }
  }
  return { at: at + 1, kind: 'code' }
}

function indexOrEnd(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from)
  return found === -1 ? text.length : found
}

/** A quote that is not closed on its line was not the beginning of a string (JSX text: don't). */
function endOfString(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '\\') at += 1
    else if (quote === '`' && text.startsWith('${', at)) at = endOfHole(text, at) - 1
    else if (char === quote) return at + 1
    else if (char === '\n' && quote !== '`') return start + 1
  }
  return start + 1
}

function endOfRegex(text: string, start: number): number {
  let inClass = false
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '\\') at += 1
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) return at + 1
    else if (char === '\n') return start + 1
  }
  return start + 1
}

const IMPORTS = [
  // import x from 'y', import type { x } from 'y', export { x } from 'y', export * from 'y'
  /\b(?:import|export)\b[\w\s{},*$]*?\bfrom\s*(['"])([^'"\n]+)\1/g,
  // import 'y'
  /\bimport\s*(['"])([^'"\n]+)\1/g,
  // await import('y'), typeof import('y'), require('y')
  /\b(?:import|require)\s*\(\s*(['"`])([^'"`\n]+)\1/g,
]

/** Every module that the text names in an import or export, static, dynamic and of types. */
export function importsOf(text: string): string[] {
  const code = blankOut(text, 'comments')
  return IMPORTS.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[2] ?? ''))
}
