/**
 * Reads the end of a log from disk, within bounds. supervisord's own tail knows the current file
 * alone, which is nearly empty right after a rotation (dataplane.md 1.3).
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** More than a thousand long lines; what a tail may cost at most. */
const MAX_BYTES = 512 * 1024

/** The last lines of `<file>.1` and `<file>` together, oldest first. */
export function tailLines(file: string, maxLines: number): string[] {
  const current = endOf(file, MAX_BYTES)
  const text = current.isWhole ? endOf(`${file}.1`, MAX_BYTES).text + current.text : current.text
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.slice(-maxLines)
}

/** `isWhole`: the file holds nothing before it. A cut first line is left out. */
export function endOf(file: string, maxBytes: number): { text: string; isWhole: boolean } {
  const fd = openOrNull(file)
  if (fd === null) return { text: '', isWhole: true }
  try {
    const size = fstatSync(fd).size
    const length = Math.min(size, maxBytes)
    const buffer = Buffer.alloc(length)
    const read = readSync(fd, buffer, 0, length, size - length)
    const text = buffer.toString('utf8', 0, read)
    if (length === size) return { text, isWhole: true }
    return { text: text.slice(text.indexOf('\n') + 1), isWhole: false }
  } finally {
    closeSync(fd)
  }
}

function openOrNull(file: string): number | null {
  try {
    return openSync(file, 'r')
  } catch {
    return null
  }
}
