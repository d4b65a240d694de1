import { expect, test } from 'vitest'
import { decodeText, readCsv, writeCsv } from './csv-file.rules.ts'

test('what a spreadsheet would take for a formula is defused, and read as it was', () => {
  const cells = ['=1+1', '+1', '-1', '@a', '\ta', "'=1", "''=1", "'a", '5', 'é, "ü"\nö; x', '']
  const written = writeCsv(
    ['a'],
    cells.map((cell) => [cell]),
  )
  for (const line of written.split('\r\n')) expect(line).not.toMatch(/^"?[=+\-@\t]/)
  expect(written).toContain("'=1+1")
  const { rows, fault } = readCsv(written)
  expect(fault).toBe('')
  expect(rows.map((row) => row.cells[0])).toEqual(cells.slice(0, -1))
})

test.each([
  ['commas', 'a,b\r\n1,"2,5"\r\n', ['1', '2,5']],
  ['semicolons', 'a;b\n1;"2;5"\n', ['1', '2;5']],
  ['semicolons and decimal commas', 'a;b;c\n1;2,5;3,5\n', ['1', '2,5', '3,5']],
  ['a byte order mark', '\uFEFFa,b\r\n1,2', ['1', '2']],
  ['the separator named before the head line', 'sep=|\r\na|b\r\n1|2\r\n', ['1', '2']],
  ['a single column', 'a\n1\n', ['1']],
  ['empty columns at its end', 'a;b;;\n1;2;;\n', ['1', '2']],
])('a file with %s is read', (_, text, cells) => {
  const file = readCsv(text)
  expect(file.heads[0]).toBe('a')
  expect(file.rows.map((row) => row.cells)).toEqual([cells])
})

test('rows are numbered as an editor numbers lines, whatever the cells and gaps between them', () => {
  const { rows } = readCsv('a,b\r\n1,"two\r\nlines"\r\n\r\n,\r\n3,4\r\n')
  expect(rows).toEqual([
    { cells: ['1', 'two\r\nlines'], line: 2 },
    { cells: ['3', '4'], line: 6 },
  ])
})

test('the line that names the separator is counted', () => {
  expect(readCsv('\uFEFFsep=;\r\na;b\r\n1;2').rows).toEqual([{ cells: ['1', '2'], line: 3 }])
})

const bytesOf = (bytes: Iterable<number>) => Uint8Array.from(bytes).buffer

test.each([
  ['UTF-8', [0x47, 0xc3, 0xa9], 'Gé'],
  ['UTF-8 with its mark', [0xef, 0xbb, 0xbf, 0x47], 'G'],
  ['UTF-16, little end first', [0xff, 0xfe, 0x47, 0x00, 0xe9, 0x00], 'Gé'],
  ['UTF-16, big end first', [0xfe, 0xff, 0x00, 0x47, 0x00, 0xe9], 'Gé'],
  ['no bytes', [], ''],
  ['Windows-1252', [0x47, 0xe9, 0x6e], null],
  ['UTF-16 without its mark', [0x47, 0x00, 0xe9, 0x00], null],
  ['UTF-16 without its mark, plain letters', [0x47, 0x00, 0x48, 0x00], null],
])('of %s the text is what was written, or none', (_, bytes, text) => {
  expect(decodeText(bytesOf(bytes))).toBe(text)
})

test.each([
  ['', 'This file is empty.'],
  ['a,b\n1,"2\n3,4\n', 'A quotation mark is not closed in the row at line 2.'],
])('a file %j is refused with the reason', (text, fault) => {
  expect(readCsv(text).fault).toContain(fault)
})
