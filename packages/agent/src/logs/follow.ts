/**
 * Follows the logs of all programs: one watch on their folder for all of them, and a read only
 * when a file has grown.
 */
import { closeSync, fstatSync, readSync, watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import { openOrNull, statOf } from '../host/files.ts'

/** Where reading stopped: the file by its inode, since rotation renames it. */
export interface LogPosition {
  inode: number
  offset: number
}

interface Followed {
  readonly name: string
  /** Always at the beginning of a line. */
  position: LogPosition
  readonly onLines: OnLines
}

/** `position`: after the last of them. */
type OnLines = (lines: string[], position: LogPosition) => void

/** A tool that storms is read from its end: what was between is lost to the counters. */
const MAX_READ_BYTES = 1024 * 1024
/** One write of a tool often comes as several events. */
const SETTLE_MS = 5

export class LogFollower {
  readonly #folder: string
  readonly #watcher: FSWatcher
  readonly #files = new Map<string, Followed>()
  readonly #grown = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.#watcher = watch(folder, (_event, name) => {
      if (name !== null && this.#files.has(name)) this.#mark(name)
    })
  }

  /** `from` null: from where the file ends now. Whole lines only, as they come. */
  follow(name: string, from: LogPosition | null, onLines: OnLines): void {
    const position = from ?? endPosition(join(this.#folder, name))
    this.#files.set(name, { name, position, onLines })
    this.#mark(name)
  }

  forget(name: string): void {
    this.#files.delete(name)
  }

  /** After the last line that was handed over; null when the file is not followed. */
  positionOf(name: string): LogPosition | null {
    return this.#files.get(name)?.position ?? null
  }

  /** Hands over now what has been written, without waiting for the watch. */
  catchUp(name: string): void {
    const file = this.#files.get(name)
    if (file) this.#read(file)
  }

  [Symbol.dispose](): void {
    this.#watcher.close()
    clearTimeout(this.#timer)
    this.#files.clear()
  }

  #mark(name: string): void {
    this.#grown.add(name)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      // In order of their names: `err` before `out`, so that the mark of a new process, which begins
      // the sums anew, is heard before what that process has counted.
      const names = [...this.#grown].toSorted()
      this.#grown.clear()
      names.forEach((grown) => this.catchUp(grown))
    }, SETTLE_MS)
  }

  #read(file: Followed): void {
    const path = join(this.#folder, file.name)
    const inode = inodeOf(path)
    if (inode === null) return
    let before = ''
    if (inode !== file.position.inode) {
      const isRotated = inodeOf(`${path}.1`) === file.position.inode
      before = isRotated ? readFrom(`${path}.1`, file.position.offset).text : ''
      file.position = { inode, offset: 0 }
    }
    const { text, start } = readFrom(path, file.position.offset)
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    if (whole === '' && before === '') return
    file.position = { inode, offset: start + whole.length }
    const lines = Buffer.from(before + whole, 'latin1')
      .toString('utf8')
      .split('\n')
    if (lines.at(-1) === '') lines.pop()
    file.onLines(lines, file.position)
  }
}

function inodeOf(path: string): number | null {
  return statOf(path)?.ino ?? null
}

function endPosition(path: string): LogPosition {
  const stat = statOf(path)
  return { inode: stat?.ino ?? 0, offset: stat?.size ?? 0 }
}

/** Nothing where the file has just been renamed by a rotation, or removed with its program. */
function readFrom(path: string, offset: number): { text: string; start: number } {
  const fd = openOrNull(path)
  if (fd === null) return { text: '', start: offset }
  try {
    const { size } = fstatSync(fd)
    // Smaller than where we stood: it was emptied.
    const start = Math.max(size < offset ? 0 : offset, size - MAX_READ_BYTES)
    const buffer = Buffer.alloc(size - start)
    const read = readSync(fd, buffer, 0, buffer.length, start)
    // One byte a character: then lengths are offsets. Decoded once whole lines are cut.
    return { text: buffer.toString('latin1', 0, read), start }
  } finally {
    closeSync(fd)
  }
}
