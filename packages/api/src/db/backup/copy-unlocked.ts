/**
 * Copies the file of an SQLite database that others read and write meanwhile. The copy is the database at one moment,
 * that of the end.
 *
 * The file changes while it is read, so its parts are of different moments. But whatever is written to it in that time
 * is in SQLite's log as well, page by page, as long as the log is kept: once the file is read, these pages are written
 * over those of the copy. SQLite's own backup reads all from one moment instead; then everything that is saved
 * meanwhile stays in the log, and the first save afterwards waits until it is moved to the file.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fdatasyncSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs'
import { KeptLog } from './sqlite-log.ts'

/** So much at most the disk has to write before it gets to a change that somebody saves. */
const BYTES_AT_ONCE = 2 ** 20
const MOST_PAUSE_MS = 100

/** `to` exists, and keeps its mode. `isAlone`: nobody else waits for the disk. Throws when the copy cannot be made. */
export async function copyUnlocked(from: string, to: string, isAlone: boolean): Promise<void> {
  using log = new KeptLog(from)
  using copy = new Copy(to, isAlone)
  let at = 0
  // What comes behind that is in the log. The file may grow faster than it is read.
  const { size } = statSync(from)
  for await (const block of blocksOf(from, size)) {
    if (copy.write(block, at)) log.moveToFile()
    at += block.length
  }
  log.pages(({ bytes, newest }) => {
    for (const page of newest) if (copy.write(page.content, page.at)) log.moveToFile()
    if (bytes !== null) copy.truncate(bytes)
  })
}

class Copy implements Disposable {
  readonly #file: number
  readonly #isAlone: boolean
  #writtenBytes = 0

  constructor(file: string, isAlone: boolean) {
    this.#file = openSync(file, 'r+')
    this.#isAlone = isAlone
  }

  /** Answers whether a part of the copy is done, and the disk was left to others. */
  write(content: Buffer, at: number): boolean {
    let done = 0
    while (done < content.length) {
      done += writeSync(this.#file, content, done, content.length - done, at + done)
    }
    this.#writtenBytes += content.length
    if (this.#writtenBytes < BYTES_AT_ONCE) return false
    this.#writtenBytes = 0
    if (!this.#isAlone) this.#leaveDiskToOthers()
    return true
  }

  truncate(bytes: number): void {
    ftruncateSync(this.#file, bytes)
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }

  /** What stood in the disk's queue all together would hold up every change: it rests for as long as it worked. */
  #leaveDiskToOthers(): void {
    const beganMs = performance.now()
    fdatasyncSync(this.#file)
    const tookMs = Math.min(MOST_PAUSE_MS, performance.now() - beganMs)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, tookMs)
  }
}

/**
 * By a program of its own: this process loses all locks that it has on a file as soon as it closes a descriptor of it
 * (fcntl(2)), those of the open database too.
 */
async function* blocksOf(file: string, bytes: number): AsyncGenerator<Buffer> {
  // Without the settings of the API, which may hold passwords, and in English.
  const reader = spawn('/usr/bin/head', [`--bytes=${bytes}`, '--', file], {
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(reader, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  let errors = ''
  reader.stderr.on('data', (text: Buffer) => (errors += text.toString()))
  try {
    yield* reader.stdout as AsyncIterable<Buffer>
    const [code] = await ended
    if (code !== 0) throw new Error(errors.trim() || 'the program that reads the file was ended')
  } finally {
    reader.kill()
  }
}
