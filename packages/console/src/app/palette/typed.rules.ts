/** What somebody wants who types into the palette. */
import { foldCase } from '@trunkline/contract/search/fold.rules'
import { COMMAND_WORDS } from '../../programs/command/command.messages.ts'
import type { ProgramCommand } from '../../programs/command/command.rules.ts'

export interface Typed {
  /** 'restart marathon' is a command, and what it is for; null for no command. */
  command: ProgramCommand | null
  /** What objects are looked for by. */
  text: string
}

const COMMANDS: readonly ProgramCommand[] = ['start', 'stop', 'restart']
/** The search over all objects looks for no shorter text, save for ports. */
const SHORTEST = 3
const SHORTEST_PORT = 2

export function readTyped(line: string): Typed {
  const [, first = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line.trim()) ?? []
  const word = foldCase(first)
  const command = COMMANDS.find((known) => foldCase(COMMAND_WORDS[known]) === word) ?? null
  return command === null || rest === ''
    ? { command: null, text: line.trim() }
    : { command, text: rest.trim() }
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
