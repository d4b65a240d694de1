/** From the text of a CSV file to what each of its rows will do. */
import {
  csvCells,
  csvColumns,
  type CsvKind,
  csvText,
  keyColumns,
} from '@trunkline/contract/as-text/csv-columns.rules'
import type { Site } from '@trunkline/contract/as-text/site.client'
import type { PlannedEntry, TextEntry } from '@trunkline/contract/as-text/site-plan.rules'
import type { TextKind } from '@trunkline/contract/as-text/text-object.schema'
import type { Action } from '@trunkline/contract/role-table'
import { roleFromName, type Role } from '@trunkline/contract/roles'
import { grantableRoles } from '@trunkline/contract/users/user.rules'
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

export interface CsvEntries {
  entries: readonly TextEntry[]
  /** Rows that are no row of these columns: line, and the sentence. */
  misfits: ReadonlyMap<number, string>
  /** '' where the file can be read. */
  fault: string
}

export function entriesOf(kind: CsvKind, file: string): CsvEntries {
  const { heads, rows, fault } = readCsv(file)
  const wrong = fault === '' ? headFault(kind, heads) : fault
  if (wrong !== '') return { entries: [], misfits: new Map(), fault: wrong }
  const misfits = new Map<number, string>()
  const entries = rows.map(({ cells, line }) => {
    if (cells.length > heads.length)
      misfits.set(line, text.tooManyCells(cells.length, heads.length))
    return { kind, text: csvText(heads, cells), isWhole: false, line }
  })
  return { entries, misfits, fault: '' }
}

function headFault(kind: CsvKind, heads: readonly string[]): string {
  const known = csvColumns(kind)
  const repeated = heads.find((head, index) => heads.indexOf(head) !== index)
  if (repeated !== undefined) return text.repeatedColumn(repeated)
  const unknown = heads.filter((head) => !known.includes(head))
  if (unknown.length > 0) return text.unknownColumns(unknown, known)
  const missing = keyColumns(kind).filter((column) => !heads.includes(column))
  return missing.length === 0 ? '' : text.missingColumns(missing)
}

/** What the file alone and the person's role say against a row, beside what its plan found. */
export function checkedRow(
  planned: PlannedEntry,
  misfits: ReadonlyMap<number, string>,
  role: Role | null,
): PlannedEntry {
  const misfit = misfits.get(planned.entry.line)
  if (misfit !== undefined) return failed(planned, '', misfit)
  const roleChange = planned.changes.find(({ field }) => field === 'role')
  const given = planned.entry.kind === 'user' ? roleFromName(roleChange?.to) : null
  if (given === null || role === null || grantableRoles(role).includes(given)) return planned
  return failed(planned, 'role', text.roleNotYours(given))
}

function failed(planned: PlannedEntry, field: string, sentence: string): PlannedEntry {
  return { ...planned, will: 'fail', changes: [], faults: [{ field, sentence }] }
}
