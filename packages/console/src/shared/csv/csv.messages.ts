/** What the dialog of CSV files says. */
import type { CsvKind } from '@trunkline/contract/as-text/csv-columns.rules'
import type { PlannedEntry } from '@trunkline/contract/as-text/site-plan.rules'
import { LOCALE } from '../../lib/locale/language.ts'
import { durationText } from '../format.ts'

export const KIND_NAMES: Readonly<Record<CsvKind, string>> = {
  user: 'users',
  destination: 'destinations',
  encoder: 'encoders',
  input: 'inputs',
  output: 'outputs',
}

/** '1,204 inputs', '1 input'. */
export function countText(count: number, kind: CsvKind): string {
  const names = KIND_NAMES[kind]
  return `${count.toLocaleString(LOCALE)} ${count === 1 ? names.slice(0, -1) : names}`
}

export function dialogTitle(kind: CsvKind): string {
  const names = KIND_NAMES[kind]
  return `Import or export ${names}`
}

export function exportLead(kind: CsvKind): string {
  const secret =
    kind === 'user' ? 'Passwords are' : kind === 'encoder' ? 'API keys are' : 'Passphrases are'
  return `All ${KIND_NAMES[kind]} that you may see, as a CSV file for a spreadsheet. ${secret} not in it.`
}

const KEYS: Readonly<Record<CsvKind, string>> = {
  user: 'e-mail',
  destination: 'group and title',
  encoder: 'group and title',
  input: 'group and title',
  output: 'group, input and title',
}

export function importLead(kind: CsvKind): string {
  return `A row with the ${KEYS[kind]} of an existing ${KIND_NAMES[kind].slice(0, -1)} changes it; any other row adds one. A column that the file does not have leaves that field as it is. Nothing is deleted, and nothing is sent before you have seen what each row will do.`
}

export const READ_FAILED = 'The list could not be read.'
export const FILE_FAILED = 'The file could not be read.'
export const UNKNOWN_ENCODING =
  "This file is neither UTF-8 nor UTF-16, and its accents would be lost. Save it as 'CSV UTF-8' in the spreadsheet and choose it again."
export const NO_ROWS = 'This file has no row below its head line.'
export const NOT_SENT = 'Not sent: the import was stopped. Choose the file again to send the rest.'
export const ROW_FAILED = 'This row could not be saved.'

/** Of a row; `who` is '' where that is not known. */
export function savedMeanwhile(who: string): string {
  if (who === '') {
    return 'Somebody else has saved it since the preview. Choose the file again: the preview then compares it with what is stored now.'
  }
  return `${who} has saved it since the preview. Choose the file again: the preview then compares it with what is stored now.`
}

export const WILL: Readonly<Record<PlannedEntry['will'], string>> = {
  add: 'Add',
  change: 'Change',
  stay: 'No change',
  fail: 'Has errors',
}

export const OUTCOME = {
  added: 'Added',
  changed: 'Changed',
  refused: 'Refused',
  unsent: 'Not sent',
} as const

export function unknownColumns(names: readonly string[], known: readonly string[]): string {
  return `There is no column ${quoted(names)}. The columns are ${known.join(', ')}.`
}

export function missingColumns(names: readonly string[]): string {
  return `The column ${quoted(names)} is missing. Without it a row names no object.`
}

export function repeatedColumn(name: string): string {
  return `The column '${name}' is there twice. Remove one of them.`
}

/** `place` from 1. */
export function unnamedColumn(place: number): string {
  return `Column ${place} has no name in the head line. Name it, or remove it.`
}

export function tooManyCells(cells: number, columns: number): string {
  return `This row has ${cells} cells, and the head line has ${columns}. Put cells that contain the separator into quotation marks.`
}

export function roleNotYours(role: string): string {
  return `You may not give the role '${role}'.`
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ')
}

/** Of a dialog that was closed before the last answer came. */
export function endedText(saved: number, all: number, kind: CsvKind): string {
  return `Import stopped: ${saved.toLocaleString(LOCALE)} of ${countText(all, kind)} saved`
}

/** By the pace until now. */
export function leftText(leftMs: number): string {
  return `about ${durationText(leftMs)} left`
}

export const NOTHING_TO_SEND = 'No row adds or changes anything.'

/** After an import that named hosts which no encoder was on before. */
export function enrolText(hosts: number): string {
  return hosts === 1 ? 'Enrol 1 new host' : `Enrol ${hosts.toLocaleString(LOCALE)} new hosts`
}
