/** What the command palette says. */
import type { FoundKind } from '@trunkline/contract/search/found-key.rules'
import { readFailureText } from '../../lib/api-error.ts'
import { COMMAND_WORDS } from '../../programs/command/command.messages.ts'
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
export const ALREADY_ON = 'Already on.'
export const ALREADY_OFF = 'Already off.'
export const ALREADY_ENABLED = 'Already enabled.'
export const ALREADY_DISABLED = 'Already disabled.'
export const NO_OPEN_ALARM = 'No unacknowledged alarm.'
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
  template: 'Template',
  group: 'Group',
  user: 'User',
}

/** What is typed before an object. An action of a row is meant by the word that its label begins with. */
export const VERB_WORDS = {
  ...COMMAND_WORDS,
  enable: 'Enable',
  disable: 'Disable',
  edit: 'Edit',
  rename: 'Rename',
  clone: 'Clone',
  delete: 'Delete',
  log: 'Log',
  check: 'Check',
  acknowledge: 'Acknowledge',
} as const

/** Each means whatever takes an object away. */
export const DELETE_WORDS = ['Delete', 'Remove'] as const

export const INPUT_LOG = 'Input log'
export const OUTPUT_LOG = 'Output log'

export function logLabel(title: string): string {
  return `Log of ${title}`
}

export function acknowledgeLabel(count: number): string {
  return count > 1 ? `Acknowledge ${count.toLocaleString(LOCALE)} alarms…` : 'Acknowledge alarm…'
}

export function searchFailed(error: unknown): string {
  return `Objects could not be searched. ${readFailureText(error)}`
}

export function nothingMatches(text: string): string {
  return `Nothing matches '${text}'.`
}

export function moreMatch(count: number): string {
  return `${count.toLocaleString(LOCALE)} more match. Type more to narrow the list.`
}
