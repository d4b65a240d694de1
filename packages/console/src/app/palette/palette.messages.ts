/** What the command palette says. */
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import type { FoundKind } from '@trunkline/contract/search/found-key.rules'
import { sentenceFor } from '../../lib/api-error.ts'
import { LOCALE } from '../../lib/locale/language.ts'

export const TITLE = 'Jump to'
export const FIELD = 'Find an object, an action or a page'
export const PLACEHOLDER = 'Title, address, port, id, or “restart …”'
/** A screen reader says so of the field itself. */
export const KEYS_HINT = '↑ ↓ move · Enter chooses · Esc closes'
export const SEARCHING = 'Searching'
export const TYPE_MORE = 'Type 3 characters or more, or a port, to find objects.'
export const ASKS_FIRST = 'asks first'
export const ALREADY_RUNNING = 'Already running.'
export const NOT_RUNNING = 'Not running.'
export const ALREADY_ON = 'On already.'
export const ALREADY_OFF = 'Off already.'
export const COMMAND_UNDER_WAY = 'A command for it is under way.'

export const GROUP_TITLES = {
  recent: 'Opened last',
  objects: 'Objects',
  actions: 'Actions',
  pages: 'Pages',
} as const

export const KIND_WORDS: Readonly<Record<FoundKind, string>> = {
  encoder: 'Encoder',
  feeder: 'Feeder',
  input: 'Input',
  output: 'Output',
  channel: 'Channel',
  destination: 'Destination',
  server: 'Server',
  group: 'Group',
  user: 'User',
}

/** After a command: 'Stop encoder'. */
export const COMMANDED_WORDS: Readonly<Record<ProgramKind, string>> = {
  encoder: 'encoder',
  feeder: 'feeder',
  input: 'input',
  output: 'output',
}

export function searchFailed(error: unknown): string {
  return `Objects could not be searched. ${sentenceFor(error, '')}`.trim()
}

export function nothingMatches(text: string): string {
  return `Nothing matches '${text}'.`
}

export function moreMatch(count: number): string {
  return `${count.toLocaleString(LOCALE)} more match. Type more to narrow the list.`
}
