/** `trunkline backup` and `trunkline restore`. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  assertKnownSchema,
  checkBackup,
  writeBackup,
  type BackupCheck,
} from '../db/backup/backup-file.ts'
import { backupName } from '../backup/backup-times.rules.ts'
import { newBackup } from '../backup/backup-record.ts'
import * as backupStore from '../backup/backup.store.ts'
import { restore } from '../db/backup/restore.ts'
import { processConfig, type Config } from '../config.ts'
import { PRESENT_SCHEMA } from '../db/migrate.ts'
import { openDatabase, sqliteFile, targetOf } from '../db/open.ts'
import { lockFolder } from '../db/sqlite/folder-lock.ts'
import { keysFrom } from '../security/keys.ts'
import { readOrMakeSecret } from '../security/secret-file.ts'
import { COMMAND_NAME, readArguments, UsageFault, type Command } from './command.ts'
import { missingDatabase } from './database.ts'

export const backupCommand: Command = {
  noun: 'backup',
  help: `  ${COMMAND_NAME} backup [<file>]
      Copies the database into one file, also while the API runs, and checks the copy. SQLite or
      PostgreSQL: the file is the same. Without a name it is put where the API puts its backups.
      The secret file is not in it: keep a copy of that elsewhere.
`,
  async run(args) {
    const { positionals } = readArguments(args, {})
    const [given, ...more] = positionals
    if (more.length > 0) throw new UsageFault('Name one file.')
    return backUp(processConfig(), given)
  },
}

export const restoreCommand: Command = {
  noun: 'restore',
  help: `  ${COMMAND_NAME} restore <file> [options]
      Makes a backup the database, while no API runs. Everybody must sign in again. From SQLite to
      PostgreSQL and back: make a backup, change TRUNKLINE_DATABASE_URL, restore.
        --check               reads the backup from end to end and changes nothing
        --replace             replaces an SQLite database that is there, after a backup of it
`,
  async run(args) {
    const options = { check: { type: 'boolean' }, replace: { type: 'boolean' } } as const
    const { values, positionals } = readArguments(args, options)
    const [given, ...more] = positionals
    if (given === undefined || more.length > 0) throw new UsageFault('Name one file.')
    const [config, file] = [processConfig(), resolve(given)]
    return values.check === true
      ? checked(config, file)
      : restored(config, file, values.replace === true)
  },
}

async function backUp(config: Config, given: string | undefined): Promise<string> {
  const from = targetOf(config)
  if (from.kind === 'sqlite' && !existsSync(from.file)) throw missingDatabase(from.file)
  const begunMs = Date.now()
  const file = resolve(given ?? join(config.backupDir, backupName(begunMs, 'by command')))
  if (existsSync(file)) throw new Error(`There is a file ${file} already. Name another.`)
  const check = await writeBackup(from, file)
  // A database of another version is not brought forward, or back, for this.
  if (check.schema === PRESENT_SCHEMA) {
    await using db = await openDatabase(from)
    const endedAt = new Date().toISOString()
    const { bytes } = check
    await backupStore.insert(db, { ...newBackup('by command', begunMs, file), endedAt, bytes })
  }
  return `Backed up ${contentOf(check)} to ${file}.\nThe secret file ${config.secretFile} is not in it: keep a copy of that elsewhere.\n`
}

async function checked(config: Config, file: string): Promise<string> {
  const check = await checkBackup(file)
  assertKnownSchema(file, check)
  const own = await secretIdOf(config)
  const isOwn = check.secretId === null || check.secretId === own
  return `${file} is whole: ${contentOf(check)}, schema ${check.schema}.\n${
    isOwn
      ? `Its keys and passphrases can be read with the secret file ${config.secretFile}.`
      : `Its keys and passphrases cannot be read with ${own === null ? 'any secret file here' : `the secret file ${config.secretFile}`}: find the secret file of that time before you restore.`
  }\n`
}

async function restored(config: Config, file: string, isReplaced: boolean): Promise<string> {
  const secretId = await secretIdOf(config)
  if (secretId === null) {
    throw new Error(
      `There is no secret file ${config.secretFile}. Put the copy of it there first, or name it in TRUNKLINE_SECRET_FILE: without it the keys and passphrases of the backup cannot be read.`,
    )
  }
  const to = targetOf(config)
  using _lock = to.kind === 'sqlite' ? lockFolder(config.dataDir, 'restore') : null
  const keepReplacedAs = isReplaced
    ? join(config.backupDir, backupName(Date.now(), 'before a restore'))
    : null
  const wasThere = to.kind === 'sqlite' && existsSync(to.file)
  const { secretFile } = config
  const check = await restore({ file, to, secretId, secretFile, keepReplacedAs })
  const where = to.kind === 'sqlite' ? sqliteFile(config) : new URL(to.url).host
  const kept = wasThere ? `What was there before is kept in ${keepReplacedAs}.\n` : ''
  return `Restored ${contentOf(check)} to ${where}.\n${kept}Start the API. Everybody must sign in again.\n`
}

/** Null when there is none; it is not made here. */
async function secretIdOf({ secretFile }: Config): Promise<string | null> {
  return existsSync(secretFile) ? keysFrom(await readOrMakeSecret(secretFile)).id : null
}

const MEGABYTE = 1_000_000

function contentOf({ rows, bytes }: BackupCheck): string {
  return `${rows.toLocaleString('en')} rows (${(bytes / MEGABYTE).toFixed(1)} MB)`
}
