/** CSV files (RFC 4180) as spreadsheets write and read them. Loaded when the first is read or written. */
import Papa from 'papaparse'

/**
 * A spreadsheet takes a cell that begins so for a formula, so it gets an apostrophe before it. Apostrophes
 * that stand before such a cell already get another: reading takes away one.
 */
const FORMULA = /^'*[=+\-@\t\r]/
const DEFUSED = /^'+[=+\-@\t\r]/

/** Spreadsheets take a file for UTF-8 by it. */
const BYTE_ORDER_MARK = '\uFEFF'

export type CsvRow = readonly string[]

export function writeCsv(heads: CsvRow, rows: readonly CsvRow[]): string {
  const lines = [heads, ...rows].map((row) => [...row])
  const text = Papa.unparse(lines, { escapeFormulae: FORMULA, newline: '\r\n' })
  return `${BYTE_ORDER_MARK}${text}\r\n`
}

const NUL = String.fromCharCode(0)

/**
 * The text of a file; null where it is neither UTF-8 nor UTF-16 with its mark. Which of the older code
 * pages it has cannot be seen, and a wrong one would spoil the accents of titles.
 */
export function decodeText(bytes: ArrayBuffer): string | null {
  const [first, second] = new Uint8Array(bytes)
  const isLittle = first === 0xff && second === 0xfe
  const isBig = first === 0xfe && second === 0xff
  const encoding = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return text.includes(NUL) ? null : text
  } catch {
    return null
  }
}

export interface CsvFile {
  heads: CsvRow
  rows: readonly { cells: CsvRow; line: number }[]
  /** A whole sentence where the file cannot be read; '' where it can. */
  fault: string
}

const SEPARATORS = [',', ';', '\t'] as const

/** By the head line: no column of ours has any of them in its name, and cells may have all. */
function separatorOf(text: string): string {
  const head = text.split(/\r|\n/, 1)[0] ?? ''
  const counts = SEPARATORS.map((separator) => head.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
}

/** Excel names the separator so, in a line before the head line. */
const SEPARATOR_LINE = /^sep=(.)(?:\r\n|\r|\n)/i

/**
 * With `,`, `;` or tabs between the cells, whichever the file has. Empty lines are no rows, empty cells
 * at the end of a row no cells.
 */
export function readCsv(file: string): CsvFile {
  const marked = file.replace(/^\uFEFF/, '')
  const [separatorLine = '', named] = SEPARATOR_LINE.exec(marked) ?? []
  const text = marked.slice(separatorLine.length)
  const firstLine = separatorLine === '' ? 1 : 2
  const { data, errors } = Papa.parse<string[]>(text, {
    delimiter: named ?? separatorOf(text),
    skipEmptyLines: false,
  })
  const quoting = errors.find(({ type }) => type === 'Quotes')
  if (quoting !== undefined) {
    const line = lineOf(data, quoting.row ?? 0, firstLine)
    return fileFault(`A quotation mark is not closed in the row at line ${line}. Correct the file.`)
  }
  const [heads, ...rest] = numbered(data, firstLine)
  if (heads === undefined)
    return fileFault('This file is empty. Choose a CSV file with a head line.')
  return { heads: heads.cells.map((head) => head.trim()), rows: rest, fault: '' }
}

/** A spreadsheet also writes empty columns behind the last one, where cells were cleared or coloured. */
function withoutEmptyEnd(cells: CsvRow): CsvRow {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
}

function fileFault(fault: string): CsvFile {
  return { heads: [], rows: [], fault }
}

function numbered(data: readonly string[][], firstLine: number): { cells: CsvRow; line: number }[] {
  let line = firstLine
  const rows: { cells: CsvRow; line: number }[] = []
  for (const cells of data) {
    const filled = withoutEmptyEnd(cells)
    if (filled.length > 0) rows.push({ cells: filled.map(undefuse), line })
    line += linesOf(cells)
  }
  return rows
}

function lineOf(data: readonly string[][], row: number, firstLine: number): number {
  return data.slice(0, row).reduce((line, cells) => line + linesOf(cells), firstLine)
}

/** A cell in quotation marks may have line breaks. */
function linesOf(cells: readonly string[]): number {
  return cells.reduce((lines, cell) => lines + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 1)
}

function undefuse(cell: string): string {
  return DEFUSED.test(cell) ? cell.slice(1) : cell
}
