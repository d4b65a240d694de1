/** For files that somebody else may have put there: a pipe, a device or a huge one holds nobody up. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

export interface PlainFile {
  bytes: Buffer
  /** Milliseconds since 1970. */
  changedAtMs: number
}

/** The first `maxBytes` of it. Null when it is not there, or is no ordinary file. */
export function readPlainFile(path: string, maxBytes: number): PlainFile | null {
  const fd = openAtOnce(path)
  if (fd === null) return null
  try {
    const found = fstatSync(fd)
    if (!found.isFile()) return null
    const bytes = Buffer.alloc(Math.min(found.size, maxBytes))
    const count = readSync(fd, bytes, 0, bytes.length, 0)
    return { bytes: bytes.subarray(0, count), changedAtMs: found.mtimeMs }
  } catch {
    return null
  } finally {
    closeSync(fd)
  }
}

/** A pipe that nobody writes to would be waited for, and all of the agent with it. */
function openAtOnce(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
}
