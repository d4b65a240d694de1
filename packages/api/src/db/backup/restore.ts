/** A backup becomes the database. The API must not run meanwhile. */
import { copyFile, mkdir, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { schemaOf } from '../migrate.ts'
import type { DatabaseTarget } from '../open.ts'
import { openPostgres } from '../postgres/postgres.ts'
import {
  assertKnownSchema,
  checkBackup,
  removeSqlite,
  restoreToPostgres,
  syncToDisk,
  withSqlite,
  writeBackup,
  type BackupCheck,
} from './backup-file.ts'

export interface RestoreAsked {
  /** The backup. */
  readonly file: string
  readonly to: DatabaseTarget
  /** The key that the API will have; a database sealed with another could not be read. */
  readonly secretId: string
  readonly secretFile: string
  /** Where a database that is replaced is kept; null: one that is there is not replaced. */
  readonly keepReplacedAs: string | null
}

/**
 * Every session that the backup holds is ended: some of them may have been signed out since. Throws a
 * sentence, and changes nothing, when it cannot be restored.
 */
export async function restore(asked: RestoreAsked): Promise<BackupCheck> {
  const { file, to, secretId, secretFile } = asked
  const check = await checkBackup(file)
  assertKnownSchema(file, check)
  if (check.secretId !== null && check.secretId !== secretId) {
    throw new Error(
      `The secret file ${secretFile} does not belong to this backup: its keys and passphrases could not be read. Put the secret file of that time there, or name it in TRUNKLINE_SECRET_FILE.`,
    )
  }
  await (to.kind === 'sqlite' ? toSqlite(asked, to.file) : toPostgres(asked, check, to.url))
  return check
}

async function toSqlite(asked: RestoreAsked, target: string): Promise<void> {
  if (await isThere(target)) {
    if (asked.keepReplacedAs === null) {
      throw new Error(
        `There is a database at ${target} already. Add --replace: it is backed up before it is replaced.`,
      )
    }
    await writeBackup({ kind: 'sqlite', file: target }, asked.keepReplacedAs, { isAlone: true })
  }
  const aside = `${target}.restored`
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await copyFile(asked.file, aside)
    await withSqlite(aside, {}, async (_, db) => {
      await db.deleteFrom('sessions').execute()
    })
    await syncToDisk(aside)
    await foldLog(target)
    await rename(aside, target)
    await syncToDisk(dirname(target))
  } finally {
    await removeSqlite(aside)
  }
}

/** The log beside a database would be taken for that of its successor. */
async function foldLog(file: string): Promise<void> {
  if (!(await isThere(file))) return
  await withSqlite(file, {}, async (database) => {
    database.pragma('journal_mode = DELETE')
    return Promise.resolve()
  })
}

async function toPostgres(asked: RestoreAsked, check: BackupCheck, url: string): Promise<void> {
  const { host, pathname } = new URL(url)
  const where = `The database ${decodeURIComponent(pathname.slice(1))} at ${host}`
  await using db = openPostgres(url, { connections: 1 })
  const schema = await schemaOf(db).catch((error: unknown) => {
    throw new Error(`${where} does not answer. Check TRUNKLINE_DATABASE_URL.`, { cause: error })
  })
  if (schema !== null) {
    throw new Error(
      `${where} is not empty. Make an empty one (createdb), and name it in TRUNKLINE_DATABASE_URL.`,
    )
  }
  const { rows } = await sql<{ others: number }>`
    select count(*) as others from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
  if (Number(rows[0]?.others) > 0) {
    throw new Error(`${where} is used by another program. End it, then restore.`)
  }
  await restoreToPostgres(asked.file, check.schema, url)
  await db.deleteFrom('sessions').execute()
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}
