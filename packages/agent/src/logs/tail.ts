/**
 * Reads the end of a log from disk, within bounds. supervisord's own tail knows the current file
 * alone, which is nearly empty right after a rotation (dataplane.md 1.3).
 */
import { closeSync, fstatSync, readSync } from 'node:fs'
import { openOrNull } from '../host/files.ts'

/** More than a thousand long lines; what a tail may cost at most. */
const MAX_BYTES = 512 * 1024

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

/** The same with the place of each line. */
export function placedTail(file: string, maxLines: number): PlacedLine[] {
  const current = endOf(file, MAX_BYTES)
  const before = current.isWhole ? placedLines(endOf(`${file}.1`, MAX_BYTES)) : []
  return [...before, ...placedLines(current)].slice(-maxLines)
}

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
