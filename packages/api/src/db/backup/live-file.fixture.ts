/** An SQLite file as the API has it open, for the tests that copy it. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { makeFolder } from '../../testing/folder.ts'

/** A database with a log, and an empty file for its copy. */
export async function openLiveFile() {
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  const from = join(folder.path, 'trunkline.db')
  const database = connect(from)
  database.pragma('journal_mode = WAL')
  const to = join(folder.path, 'copy.db')
  writeFileSync(to, '', { mode: 0o600 })
  return { database, from, to }
}

export function connect(file: string): Sqlite.Database {
  const database = new Sqlite(file, { timeout: 0 })
  onTestFinished(() => void database.close())
  return database
}

/** How many locks the kernel lists of this process on the file. */
export function countLocks(file: string): number {
  const { ino } = statSync(file)
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(`:${ino} `) && line.includes(` ${process.pid} `)).length
}
