/** From the text of a CSV file to what each of its rows will do. */
import {
  csvCells,
  csvColumns,
  type CsvKind,
  csvText,
  keyColumns,
} from '@trunkline/contract/as-text/csv-columns.rules'
import type { Site } from '@trunkline/contract/as-text/site.client'
import {
  encoderHost,
  type PlannedEntry,
  type TextEntry,
  textOf,
} from '@trunkline/contract/as-text/site-plan.rules'
import type { TextKind } from '@trunkline/contract/as-text/text-object.schema'
import type { Action } from '@trunkline/contract/role-table'
import { roleFromName, type Role } from '@trunkline/contract/roles'
import { grantableRoles } from '@trunkline/contract/users/user.rules'
import type { EnrolledObject } from '../enrolment/enrolment.actions.ts'
import { readCsv, writeCsv } from './csv-file.rules.ts'
import * as text from './csv.messages.ts'

/** The kind itself, and what its rows name by title. */
export const KINDS_TO_READ: Readonly<Record<CsvKind, readonly TextKind[]>> = {
  user: ['user', 'group'],
  destination: ['group', 'destination'],
  encoder: ['group', 'encoder'],
  input: ['group', 'server', 'input'],
  output: ['group', 'server', 'destination', 'input', 'output'],
}

/** Who may add what a row names. */
export const IMPORT_RIGHTS: Readonly<Record<CsvKind, Action>> = {
  user: 'addUser',
  destination: 'editDestinations',
  encoder: 'addEncoder',
  input: 'editInputs',
  output: 'editOutputs',
}

export function exportText(kind: CsvKind, { objects }: Site): string {
  const rows = objects[kind].map((stored) => csvCells(kind, stored.text))
  return writeCsv(csvColumns(kind), rows)
}

export interface CsvTable {
  heads: readonly string[]
  rows: readonly { cells: readonly string[]; line: number }[]
  /** '' where the file can be read. */
  fault: string
}

export function tableOf(kind: CsvKind, file: string): CsvTable {
  const { heads: typed, rows, fault } = readCsv(file)
  const heads = typed.map((head) => columnOf(kind, head))
  const wrong = fault || headFault(kind, heads) || (rows.length === 0 ? text.NO_ROWS : '')
  return wrong === '' ? { heads, rows, fault: '' } : { heads, rows: [], fault: wrong }
}

export function entryOf(
  kind: CsvKind,
  heads: readonly string[],
  { cells, line }: CsvTable['rows'][number],
): TextEntry {
  return { kind, text: csvText(heads, cells), isWhole: false, line }
}

/** However its letters are written: 'Title' is title. */
function columnOf(kind: CsvKind, head: string): string {
  const wanted = head.toLowerCase()
  return csvColumns(kind).find((column) => column.toLowerCase() === wanted) ?? head
}

function headFault(kind: CsvKind, heads: readonly string[]): string {
  const known = csvColumns(kind)
  const unnamed = heads.indexOf('')
  if (unnamed !== -1) return text.unnamedColumn(unnamed + 1)
  const repeated = heads.find((head, index) => heads.indexOf(head) !== index)
  if (repeated !== undefined) return text.repeatedColumn(repeated)
  const unknown = heads.filter((head) => !known.includes(head))
  if (unknown.length > 0) return text.unknownColumns(unknown, known)
  const missing = keyColumns(kind).filter((column) => !heads.includes(column))
  return missing.length === 0 ? '' : text.missingColumns(missing)
}

/** What its width and the person's role say against a row, beside what its plan found. */
export function checkedRow(
  planned: PlannedEntry,
  cells: readonly string[],
  heads: readonly string[],
  role: Role | null,
): PlannedEntry {
  if (cells.length > heads.length) {
    return failed(planned, '', text.tooManyCells(cells.length, heads.length))
  }
  const roleChange = planned.changes.find(({ field }) => field === 'role')
  const given = planned.entry.kind === 'user' ? roleFromName(roleChange?.to) : null
  if (given === null || role === null || grantableRoles(role).includes(given)) return planned
  return failed(planned, 'role', text.roleNotYours(given))
}

/** Encoders of these rows on hosts that no encoder of the site was on before: one of each host. */
export function encodersOnNewHosts(
  saved: readonly PlannedEntry[],
  { objects, names }: Site,
): EnrolledObject[] {
  const known = new Set(objects.encoder.map(({ text }) => encoderHost(text)))
  return saved.flatMap((row) => {
    const host = encoderHost(textOf(row))
    const [id] = names.idsOf('encoder', row.key)
    if (row.entry.kind !== 'encoder' || id === undefined || known.has(host)) return []
    known.add(host)
    return [{ kind: 'encoder', id, title: row.key.at(-1) ?? '' }]
  })
}

function failed(planned: PlannedEntry, field: string, sentence: string): PlannedEntry {
  return { ...planned, will: 'fail', changes: [], faults: [{ field, sentence }] }
}
