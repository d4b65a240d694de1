/** Reads of files and folders that somebody else may remove, replace or forbid at any time. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs'
import type { z } from 'zod'

/** '' when it cannot be read. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** What a JSON file of ours holds; null when it cannot be read, or holds something else. */
export function readJson<T>(file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Empty when the folder cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Undefined when there is nothing, or nothing that we may look at. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** For reading, without waiting for whoever writes to a pipe; null when it cannot be opened. */
export function openOrNull(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
}

interface PlainFile {
  bytes: Buffer
  /** Milliseconds since 1970. */
  changedAtMs: number
}

/** The first `maxBytes` of it. Null when it is not there, or is a pipe, a device or a folder. */
export function readPlainFile(path: string, maxBytes: number): PlainFile | null {
  const fd = openOrNull(path)
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
