/** What somebody wants who types into the palette. */
import { foldCase } from '@trunkline/contract/search/fold.rules'
import type { ProgramCommand } from '../../programs/command/command.rules.ts'
import { DELETE_WORDS, VERB_WORDS } from './palette.messages.ts'

export type Verb =
  | ProgramCommand
  | 'enable'
  | 'disable'
  | 'edit'
  | 'rename'
  | 'clone'
  | 'delete'
  | 'log'
  | 'check'
  | 'acknowledge'

export interface Typed {
  /** 'restart marathon' is a command, and what it is for; null for no command. */
  command: Verb | null
  /** What objects are looked for by. */
  text: string
}

const VERBS = Object.entries(VERB_WORDS) as readonly [Verb, string][]
/** The search over all objects looks for no shorter text, save for ports. */
const SHORTEST = 3
const SHORTEST_PORT = 2

/** `names`: of pages and actions without an object; 'log out' is no log of something called 'out'. */
export function readTyped(line: string, names: readonly string[] = []): Typed {
  const [, first = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line.trim()) ?? []
  const verb = rest === '' ? null : verbOf(first)
  return verb === null || names.some((name) => isNamed(name, line))
    ? { command: null, text: line.trim() }
    : { command: verb, text: rest.trim() }
}

function verbOf(typed: string): Verb | null {
  const word = foldCase(typed)
  if (DELETE_WORDS.some((known) => foldCase(known) === word)) return 'delete'
  return VERBS.find(([, known]) => foldCase(known) === word)?.[0] ?? null
}

export function isSearched(text: string): boolean {
  if (/^\d+$/.test(text)) return text.length >= SHORTEST_PORT
  return Array.from(foldCase(text)).length >= SHORTEST
}

/** Whether each typed word begins a word of the label. */
export function isNamed(label: string, text: string): boolean {
  const words = foldCase(label).split(/[^\p{L}\p{N}]+/u)
  const wanted = foldCase(text)
    .split(/\s+/)
    .filter((word) => word !== '')
  return wanted.every((word) => words.some((known) => known.startsWith(word)))
}
