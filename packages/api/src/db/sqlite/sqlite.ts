/** SQLite in one file of the data folder: opened, and what is said when it cannot be. */
import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, reasonOf } from '../faults.ts'
import { FilePlace } from './file-place.ts'
import type { Database } from '../schema.ts'
import { FileDialect, untilUnlocked } from './sqlite-driver.ts'
import { withCounts, WriteCounts } from '../write-counts.ts'

/** No room for the memory that processes share: 32 kB beside the file, made at the first reading. */
const NO_ROOM = /^SQLITE_(IOERR_SHM|IOERR_WRITE|FULL)/

/**
 * `warn` is called when only a workaround is possible. Throws a sentence when the file cannot be
 * opened.
 */
export async function openSqlite(
  file: string,
  warn: (sentence: string) => void,
): Promise<Kysely<Database>> {
  const database = await openPrepared(file, warn)
  const counts = new WriteCounts()
  const dialect = new FileDialect(database, new FilePlace(file), counts)
  return withCounts(new Kysely<Database>({ dialect }), counts)
}

async function openPrepared(
  file: string,
  warn: (sentence: string) => void,
): Promise<Sqlite.Database> {
  const database = sqliteFile(file)
  try {
    await untilUnlocked(async () => prepare(database))
    return database
  } catch (error) {
    database.close()
    if (!NO_ROOM.test(codeOf(error))) throw cannotBeOpened(file, error)
  }
  // On a full disk the API can start after all, so that people can sign in and see what runs.
  const alone = sqliteFile(file)
  alone.pragma('locking_mode = EXCLUSIVE')
  await prepare(alone)
  warn(
    `The disk of the database ${file} is full. Nothing can be changed until there is space again; other programs cannot open the database until the next start.`,
  )
  return alone
}

async function prepare(database: Sqlite.Database): Promise<void> {
  // FULL: an acknowledged change survives power loss; costs 0.2 ms a commit (stack.md section 4).
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  return Promise.resolve()
}

function sqliteFile(file: string): Sqlite.Database {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // The folder may be somebody else's, and open. SQLite gives its side files the mode of this one.
    closeSync(openSync(file, 'a', 0o600))
    // Waiting for a lock would stop the whole process: untilUnlocked() does it.
    return new Sqlite(file, { timeout: 0 })
  } catch (error) {
    throw cannotBeOpened(file, error)
  }
}

function cannotBeOpened(file: string, error: unknown): Error {
  return new Error(`The database file ${file} ${faultText(error)}`, { cause: error })
}

function faultText(error: unknown): string {
  const code = codeOf(error)
  if (code.startsWith('SQLITE_BUSY')) {
    return 'is locked by another program, such as a backup or an SQLite shell. End that program, then start again.'
  }
  const what = `cannot be opened: ${reasonOf(error)}.`
  return /^SQLITE_(NOTADB|CORRUPT)/.test(code)
    ? `${what} It is damaged: move it to another folder, then restore a backup.`
    : `${what} Set TRUNKLINE_DATA_DIR to a folder that may be written.`
}
