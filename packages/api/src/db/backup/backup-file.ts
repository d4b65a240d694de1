/**
 * A backup: one SQLite file, whichever database it is of. Written aside, checked, and only then given
 * its name; so what has the name is whole.
 */
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { DatabaseAway, fixOfServer, reasonOf } from '../faults.ts'
import { isKnownSchema, migrate, schemaOf } from '../migrate.ts'
import type { DatabaseTarget } from '../open.ts'
import { openPostgres } from '../postgres/postgres.ts'
import type { Database } from '../schema.ts'
import { TABLES } from '../tables.ts'
import { copyLocked } from './copy-locked.ts'
import { copyUnlocked } from './copy-unlocked.ts'
import { copyRows, differences, readTables } from './copy-rows.ts'
import { fixOfBackup, fixOfFolder } from './backup-fix.rules.ts'

/** What was found in a backup whose every page and row could be read. */
export interface BackupCheck {
  readonly bytes: number
  /** The newest step of the migrations that its database had had. */
  readonly schema: string
  /** Of all tables. */
  readonly rows: number
  /** Which secret file its keys and passphrases are sealed with; null before the first start. */
  readonly secretId: string | null
}

export interface BackupPace {
  readonly isAlone?: boolean
}

/** Why there is no backup, in a sentence: the alarm of a failed backup has it too. */
class BackupFault extends Error {}

/**
 * Copies the database as it is at one moment, while others read and write it. `isAlone`: nobody does, and
 * somebody waits for the backup: it takes all that disk and processor give. Throws a sentence, and leaves
 * no file, when that cannot be done.
 */
export async function writeBackup(
  from: DatabaseTarget,
  file: string,
  { isAlone = false }: BackupPace = {},
): Promise<BackupCheck> {
  const aside = `${file}.part`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await (await open(aside, 'w', 0o600)).close()
    await (from.kind === 'sqlite'
      ? copySqlite(from.file, aside, isAlone)
      : copyPostgres(from.url, aside))
    const check = await checkBackup(aside)
    await syncToDisk(aside)
    await rename(aside, file)
    await syncToDisk(dirname(file))
    return check
  } catch (error) {
    const sentence = `The backup ${file} could not be made: ${reasonOf(error)}.`
    const fix =
      error instanceof DatabaseAway ? fixOfServer(error) : fixOfFolder(error, dirname(file))
    throw new BackupFault([sentence, fix].filter(Boolean).join(' '), { cause: error })
  } finally {
    await removeSqlite(aside).catch(() => undefined)
  }
}

/** Reads every page. Throws a sentence when the file is no backup, or is damaged. */
export async function checkBackup(file: string): Promise<BackupCheck> {
  const found = await stat(file).catch((error: unknown) => {
    const sentence = `The backup ${file} cannot be read: ${reasonOf(error)}.`
    throw new BackupFault([sentence, fixOfBackup(error)].filter(Boolean).join(' '), {
      cause: error,
    })
  })
  if (found.isDirectory()) {
    throw new BackupFault(`The backup ${file} is a folder. Name one of the files in it.`)
  }
  return withSqlite(file, { readonly: true }, async (database, db) => {
    try {
      const faults = database.pragma('quick_check(5)') as { quick_check: string }[]
      const damage = faults.map((fault) => fault.quick_check).join('; ')
      if (damage !== 'ok') throw new Error(damage)
      if ((database.pragma('foreign_key_check') as unknown[]).length > 0) {
        throw new BackupFault('rows name others that are not there')
      }
    } catch (error) {
      throw new BackupFault(
        `The file ${file} is no whole backup: ${reasonOf(error)}. Take an earlier backup.`,
        { cause: error },
      )
    }
    const schema = await schemaOf(db)
    if (schema === null) {
      throw new BackupFault(`The file ${file} is no backup of Trunkline. Name another file.`)
    }
    return { bytes: found.size, schema, rows: countRows(database), secretId: secretIdOf(database) }
  })
}

/** Reads no more than that; null of a file that is no backup. */
export async function schemaOfBackup(file: string): Promise<string | null> {
  return withSqlite(file, { readonly: true }, async (_, db) => schemaOf(db)).catch(() => null)
}

/** Throws a sentence when this program cannot read what the backup holds. */
export function assertKnownSchema(file: string, { schema }: BackupCheck): void {
  if (isKnownSchema(schema)) return
  throw new BackupFault(
    `The backup ${file} is of a newer version of Trunkline (${schema}). Install that version, then restore.`,
  )
}

/** An empty PostgreSQL database is filled from a backup. All or nothing. */
export async function restoreToPostgres(file: string, schema: string, url: string): Promise<void> {
  await using target = openPostgres(url, { connections: 1 })
  await migrate(target, schema)
  await withSqlite(file, { readonly: true }, async (_, source) => {
    await target.transaction().execute(async (trx) => {
      const given = await copyRows(source, trx)
      const differing = differences(given, await readTables(trx))
      if (differing.length > 0) {
        throw new BackupFault(
          `What was written differs from the backup in ${differing.join(', ')}.`,
        )
      }
    })
  })
}

async function copySqlite(from: string, to: string, isAlone: boolean): Promise<void> {
  if (!isAlone || !(await copyLocked(from, to))) await copyUnlocked(from, to, isAlone)
  await leaveOneFile(to)
}

async function copyPostgres(url: string, to: string): Promise<void> {
  await using source = openPostgres(url, { connections: 1 })
  await withSqlite(to, {}, async (database, target) => {
    // Nobody else has it, and it is written to the disk when it is whole.
    database.pragma('journal_mode = OFF')
    database.pragma('synchronous = OFF')
    await source
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        const schema = await schemaOf(trx)
        if (schema === null) throw new BackupFault('the database is empty')
        await migrate(target, schema)
        await target.transaction().execute(async (into) => copyRows(trx, into))
      })
  })
  await leaveOneFile(to)
}

/** A copy of a database says that a log stands beside it; a backup shall need nothing beside it. */
async function leaveOneFile(file: string): Promise<void> {
  await withSqlite(file, {}, async (database) => {
    database.pragma('journal_mode = DELETE')
    return Promise.resolve()
  })
}

export async function withSqlite<T>(
  file: string,
  options: Sqlite.Options,
  work: (database: Sqlite.Database, db: Kysely<Database>) => Promise<T>,
): Promise<T> {
  const database = new Sqlite(file, options)
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database }) })
  try {
    return await work(database, db)
  } finally {
    await db.destroy()
    database.close()
  }
}

function countRows(database: Sqlite.Database): number {
  const present = new Set(
    database.prepare(`select name from sqlite_master where type = 'table'`).pluck().all(),
  )
  return TABLES.filter((table) => present.has(table)).reduce(
    (rows, table) => rows + Number(database.prepare(`select count(*) from ${table}`).pluck().get()),
    0,
  )
}

function secretIdOf(database: Sqlite.Database): string | null {
  const value = database.prepare(`select value from marks where name = 'secret key'`).pluck().get()
  return typeof value === 'string' ? value : null
}

export async function syncToDisk(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync()
}

/** With what SQLite may keep beside it. */
export async function removeSqlite(file: string): Promise<void> {
  for (const end of ['', '-journal', '-wal', '-shm']) await rm(`${file}${end}`, { force: true })
}
