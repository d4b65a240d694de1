/** Whether this process may still open files and connections, before it begins what needs them. */
import { closeSync, openSync } from 'node:fs'

/** A start writes files, looks into /proc, asks supervisord and runs a shell; most of these at once. */
const NEEDED = 16

/** False when the limit of this process, or of the whole machine, does not leave enough for a start. */
export function mayOpenFiles(): boolean {
  const opened: number[] = []
  try {
    while (opened.length < NEEDED) opened.push(openSync('/dev/null', 'r'))
    return true
  } catch (error) {
    if (isOutOfFiles(error)) return false
    throw error
  } finally {
    for (const fd of opened) closeSync(fd)
  }
}

export function isOutOfFiles(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['EMFILE', 'ENFILE'].includes(String(error.code))
  )
}
