/**
 * When each line of a log was written, as near as its reading tells: most tools print no time. Each
 * read leaves a mark, up to which byte and when, in a small file beside the log: a line has the
 * time of the read that brought it. Nothing is done while a tool is silent.
 */
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { statOf, textOf } from '../host/files.ts'
import type { LogPosition } from './follow.ts'
import type { PlacedLine } from './tail.ts'

/** The lines up to `offset` were read at `atMs`; 0: at some time before this was kept. */
interface Mark extends LogPosition {
  atMs: number
}

/** Of a tool that storms; more than anybody reads of a log. */
const MOST_MARKS = 4000

export class LogTimes {
  readonly #folder: string
  /** By log: the last mark, and how many its file holds. */
  readonly #last = new Map<string, { mark: Mark; count: number }>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** At the agent's start: what was written meanwhile has the time of the last write, at the latest. */
  resume(name: string): void {
    const marks = this.#read(name)
    const last = marks.at(-1)
    if (last) this.#last.set(name, { mark: last, count: marks.length })
    const stat = statOf(join(this.#folder, name))
    const position = { inode: stat?.ino ?? 0, offset: stat?.size ?? 0 }
    if (last?.inode === position.inode && last.offset === position.offset) return
    this.note(name, position, last ? Math.floor(stat?.mtimeMs ?? 0) : 0)
  }

  note(name: string, { inode, offset }: LogPosition, atMs: number): void {
    const mark = { inode, offset, atMs }
    const known = this.#last.get(name)
    const isSame = known?.mark.inode === inode && known.mark.offset <= offset
    try {
      if (known && isSame && known.count < MOST_MARKS) this.#append(name, mark, known.count)
      else this.#rewrite(name, mark)
    } catch {
      // A full disk: lines without a time, and no stream ends of it.
    }
  }

  forget(name: string): void {
    this.#last.delete(name)
  }

  /** Null of a line whose time is not known. A line without an end was written last. */
  timesOf(name: string, lines: readonly PlacedLine[]): (number | null)[] {
    const marks = this.#read(name)
    const stat = statOf(join(this.#folder, name))
    const newest = { inode: stat?.ino ?? 0, offset: Infinity, atMs: Math.floor(stat?.mtimeMs ?? 0) }
    return lines.map((line) => timeOf([...marks, newest], line) || null)
  }

  #append(name: string, mark: Mark, count: number): void {
    appendFileSync(this.#fileOf(name), lineOf(mark), { mode: 0o600 })
    this.#last.set(name, { mark, count: count + 1 })
  }

  /** Of older files than the one before, whose number may be used again, nothing stays. */
  #rewrite(name: string, mark: Mark): void {
    const known = this.#last.get(name)?.mark
    const isEmptied = known?.inode === mark.inode && known.offset > mark.offset
    const kept = this.#read(name)
      .filter(({ inode }) => inode === known?.inode && !isEmptied)
      .slice(-MOST_MARKS / 2)
    const marks = [...kept, mark]
    writeFileSync(this.#fileOf(name), marks.map(lineOf).join(''), { mode: 0o600 })
    this.#last.set(name, { mark, count: marks.length })
  }

  #read(name: string): Mark[] {
    const text = textOf(this.#fileOf(name))
    return text.split('\n').flatMap((line) => {
      const [inode = Number.NaN, offset = Number.NaN, atMs = Number.NaN] = line
        .split(' ')
        .map(Number)
      return line === '' || Number.isNaN(inode + offset + atMs) ? [] : [{ inode, offset, atMs }]
    })
  }

  #fileOf(name: string): string {
    return join(this.#folder, timesFileOf(name))
  }
}

/** Beside the log `name`. */
export function timesFileOf(name: string): string {
  return `${name}.times`
}

/** The end of a file that was rotated away was read together with the beginning of the next one. */
function timeOf(marks: readonly Mark[], { inode, end }: PlacedLine): number | undefined {
  const own = marks.find((mark) => mark.inode === inode && mark.offset >= end)
  if (own !== undefined) return own.atMs
  const last = marks.findLastIndex((mark) => mark.inode === inode)
  return marks[last + 1]?.atMs
}

function lineOf({ inode, offset, atMs }: Mark): string {
  return `${inode} ${offset} ${atMs}\n`
}
