/**
 * Reads the end of a log from disk, within bounds. supervisord's own tail knows the current file
 * alone, which is nearly empty right after a rotation (dataplane.md 1.3).
 */
import { closeSync, fstatSync, readSync } from 'node:fs'
import { openOrNull } from '../host/files.ts'

/** Of a file: more than a thousand long lines; what a tail may cost at most. */
const MAX_BYTES = 512 * 1024
/** Read first, for each line that is asked for; more only where that was not enough. */
const USUAL_LINE_BYTES = 128
const FIRST_BYTES = 4096
/** So all attempts together read at most a third more than the last. */
const GROWTH = 4

/** The last lines of `<file>.1` and `<file>` together, oldest first. */
export function tailLines(file: string, maxLines: number): string[] {
  return placedTail(file, maxLines).map(({ text }) => text)
}

/** A line and where it stands, its newline included: rotation renames a file, its inode stays. */
export interface PlacedLine {
  text: string
  inode: number
  end: number
}

/** Of the lines that were read, those that count. `isWhole`: no more will be read. */
export type Pick = (lines: readonly PlacedLine[], isWhole: boolean) => readonly PlacedLine[]

/**
 * The same with the place of each line; of those that `pick` leaves. Reads from the end only as much
 * as these lines need.
 */
export function placedTail(
  file: string,
  maxLines: number,
  pick: Pick = (lines) => lines,
): PlacedLine[] {
  let bytes = Math.max(FIRST_BYTES, maxLines * USUAL_LINE_BYTES)
  for (;;) {
    bytes = Math.min(bytes, MAX_BYTES)
    const { lines, isWhole } = linesWithin(file, bytes)
    const picked = pick(lines, isWhole || bytes === MAX_BYTES)
    if (isWhole || bytes === MAX_BYTES || picked.length >= maxLines) return picked.slice(-maxLines)
    bytes *= GROWTH
  }
}

/** Of the last bytes of both files. */
function linesWithin(file: string, bytes: number): { lines: PlacedLine[]; isWhole: boolean } {
  const current = endOf(file, bytes)
  if (!current.isWhole) return { lines: placedLines(current), isWhole: false }
  const before = endOf(`${file}.1`, bytes)
  return { lines: [...placedLines(before), ...placedLines(current)], isWhole: before.isWhole }
}

/** All but empty ones. */
export const pickWrittenLines: Pick = (lines) => lines.filter(({ text }) => text.trim() !== '')

interface FileEnd {
  text: string
  /** The file holds nothing before it. */
  isWhole: boolean
  inode: number
  /** Of its first byte. */
  start: number
  bytes: Buffer
}

const NO_FILE: FileEnd = { text: '', isWhole: true, inode: 0, start: 0, bytes: Buffer.alloc(0) }
const NEWLINE = 10

/** The last bytes of a file, a cut first line left out; empty when there is no file. */
export function endOf(file: string, maxBytes: number): FileEnd {
  const fd = openOrNull(file)
  if (fd === null) return NO_FILE
  try {
    const { size, ino } = fstatSync(fd)
    const length = Math.min(size, maxBytes)
    const buffer = Buffer.alloc(length)
    const read = buffer.subarray(0, readSync(fd, buffer, 0, length, size - length))
    const isWhole = length === size
    const cut = isWhole ? 0 : read.indexOf(NEWLINE) + 1
    const bytes = read.subarray(cut)
    return { text: bytes.toString('utf8'), isWhole, inode: ino, start: size - length + cut, bytes }
  } finally {
    closeSync(fd)
  }
}

function placedLines({ bytes, inode, start }: FileEnd): PlacedLine[] {
  const lines: PlacedLine[] = []
  for (let from = 0; from < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, from)
    const to = newline < 0 ? bytes.length : newline
    const next = newline < 0 ? to : to + 1
    lines.push({ text: bytes.toString('utf8', from, to), inode, end: start + next })
    from = next
  }
  return lines
}
