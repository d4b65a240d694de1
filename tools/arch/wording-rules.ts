/**
 * Words that say nothing to a reader who does not know us: they name nothing in the code, and are
 * in no sentence on the screen. The terms to use instead are in docs/glossary.md.
 */
import { parseSync, type ESTree } from 'vite'
import type { SourceFile } from './source.ts'

/** Names that say nothing, each with what it was renamed to. */
const BANNED_NAMES: ReadonlyMap<string, string> = new Map([
  ['one', 'what it is: row, input, error'],
  ['told', 'what it is: events, calls, notice'],
  ['said', 'what it is: sentence, output, answer'],
  ['mended', 'solved or repaired'],
  ['spared', 'retained, or redactFor'],
  ['hurry', 'pollFast'],
  ['bring', 'apply'],
  ['nouns', 'toRecords'],
  ['isMeant', 'confirmStop'],
  ['outlive', 'keepSessionDuring'],
  ['useSaidFaults', 'useTouchedErrors'],
  ['sayAll', 'showAll'],
  ['takeStep', 'reduce'],
  ['LinkStep', 'LinkAction'],
  ['faultyNames', 'invalidFields'],
  ['inertReason', 'disabledReason'],
  ['bringThese', 'applySome'],
  ['#tidy', 'removeStray'],
  ['#rest', 'keepStopped, or what it holds'],
  ['#letGo', 'forgetHost'],
  ['letGo', 'forgetHost, or stopForwarding'],
  ['InputPulse', 'InputHealth'],
  ['Sight', 'VisibleSet'],
  ['sightOf', 'visibleTo'],
  ['onItsWordAlone', 'processOnlyView'],
])

/** The same as a part of a name: `isTold`, `toldAtMs`. */
const BANNED_PARTS: ReadonlySet<string> = new Set(['told', 'untold', 'said', 'unsaid', 'mended'])

/** What was on the screen, in any case, each with what replaced it. */
const BANNED_PHRASES: ReadonlyMap<string, string> = new Map([
  ['cannot be seen', 'unreachable'],
  ['nobody asked for', 'unexpected'],
  ['Key none', 'Encryption: none'],
  ['need you', 'need correcting'],
  ['something to mend', 'has errors'],
  ['Mend the', 'Correct the'],
  ['Way of the picture', 'Signal path'],
  ['Start over', 'Restart'],
  ['Played here', 'Player'],
  ['By the console', 'via the console'],
  ['Through the console', 'via the console'],
  ['pushed nowhere', 'No push outputs'],
  ['still stops, then', 'Stopping, will restart'],
  ['It does not run. Start it', 'Not running. Start it first.'],
  ['of those selected', 'No selected item'],
  ['packets a step', 'packets per interval'],
  ['over 0:', 'for at least'],
  ['out of the list', 'from the list'],
  ['What runs of it', 'If it is running'],
  ['Empty keeps it', 'Leave empty to keep it'],
  ['Commanded', 'Sent command to'],
  ['takes no parameters by name', 'has no advanced parameters'],
  ['reckoned with', 'leave empty for the default'],
  ['are waited for', 'Reorder window'],
  ['stands on the output', 'Set the port on each output'],
  ['is taken away', 'Deletes'],
  ['as it stands in', 'Must match'],
  ['the tick off', 'deselected'],
  ['are counted from', 'use 0 or 1'],
  ['parameter that may be set', 'This parameter cannot be set here'],
  ['is without the stream', 'loses the stream'],
  ['goes dark', 'loses the stream'],
  ['go dark', 'lose the stream'],
  ['lost for good', 'dropped'],
  ['saved by resend', 'Recovered'],
  ['kbps', 'kbit/s'],
])

const NAMES = new RegExp(
  [
    `(?<![\\w$])(?:${[...BANNED_NAMES.keys()].join('|')})(?![\\w$])`,
    ...[...BANNED_PARTS].map((part) => `${part}|${capital(part)}`),
  ].join('|'),
)
const PHRASES = new RegExp([...BANNED_PHRASES.keys()].map(patternOf).join('|'), 'i')

/** Where sentences for an operator are written. */
const ON_SCREEN =
  /^packages\/(console|api|contract|agent)\/src\/(?!.*(\.test\.|\.fixture\.|\/testing\/|\/test\/))/

export function checkWording(files: readonly SourceFile[]): string[] {
  return files.flatMap(faultsOf)
}

function faultsOf({ path, text }: SourceFile): string[] {
  const mayHavePhrases = ON_SCREEN.test(path) && PHRASES.test(text)
  if (!mayHavePhrases && !NAMES.test(text)) return []
  const { program, errors } = parseSync(path, text)
  const [fault] = errors
  if (fault !== undefined) throw new Error(`${path} cannot be parsed: ${fault.message}`)
  const found = new Set<string>()
  visit(program, null, (node, parent) => {
    const name = nameOf(node, parent)
    if (name !== null && isBanned(name)) found.add(nameFault(name))
    if (!mayHavePhrases) return
    for (const [phrase, better] of phrasesIn(node, parent)) {
      found.add(`the text '${phrase}' is not used; write '${better}'`)
    }
  })
  return [...found].map((sentence) => `${path}: ${sentence}`)
}

function nameFault(name: string): string {
  return `the name '${name}' says nothing; use ${BANNED_NAMES.get(name) ?? 'what it is'}`
}

function isBanned(name: string): boolean {
  if (BANNED_NAMES.has(name) || BANNED_NAMES.has(name.replace('#', ''))) return true
  return name
    .split(/[#_$]|(?<=[a-z0-9])(?=[A-Z])/)
    .some((part) => BANNED_PARTS.has(part.toLowerCase()))
}

/** Null for what is no name, and for a name that something else gave. */
function nameOf(node: ESTree.Node, parent: ESTree.Node | null): string | null {
  if (node.type === 'PrivateIdentifier') return `#${node.name}`
  if (node.type !== 'Identifier') return null
  // A field or method is named where it is declared, a key of an object where it is read.
  if (parent?.type === 'MemberExpression' && parent.property === node && !parent.computed)
    return null
  if (parent?.type === 'Property' && parent.key === node && !parent.shorthand) return null
  return node.name
}

function phrasesIn(node: ESTree.Node, parent: ESTree.Node | null): [string, string][] {
  const text = textOf(node, parent)
  if (text === null || !PHRASES.test(text)) return []
  return [...BANNED_PHRASES].filter(([phrase]) => new RegExp(patternOf(phrase), 'i').test(text))
}

/** The phrase itself, not the end of another word: `min_kbps` is a column. */
function patternOf(phrase: string): string {
  return `(?<!\\w)${phrase.replaceAll('.', '\\.')}`
}

/** Null for what is no text: a path in an import, a key. */
function textOf(node: ESTree.Node, parent: ESTree.Node | null): string | null {
  if (node.type === 'JSXText') return node.value
  if (node.type === 'TemplateElement') return node.value.raw
  if (node.type !== 'Literal' || typeof node.value !== 'string') return null
  return parent?.type === 'ImportDeclaration' ? null : node.value
}

function visit(
  node: ESTree.Node,
  parent: ESTree.Node | null,
  onNode: (node: ESTree.Node, parent: ESTree.Node | null) => void,
): void {
  onNode(node, parent)
  for (const child of Object.values(node) as unknown[]) {
    for (const item of Array.isArray(child) ? (child as unknown[]) : [child]) {
      if (isNode(item)) visit(item, node, onNode)
    }
  }
}

function isNode(value: unknown): value is ESTree.Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
