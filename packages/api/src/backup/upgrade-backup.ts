/** The backup that is made before a newer version of the program changes the database. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Db } from '../context.ts'
import { newBackup } from './backup-record.ts'
import { backupName } from './backup-times.rules.ts'
import * as backupStore from './backup.store.ts'

const REASON = 'before an upgrade'
const NAME_END = `-${REASON.replaceAll(' ', '-')}.db`
/** Of an upgrade that fails at each start: without a limit a service that is started again fills the disk. */
const TRIES_KEPT = 3

/** What is there before the database is opened. */
type UpgradeContext = Pick<Context, 'backups' | 'config' | 'clock'>

export class UpgradeBackup {
  readonly #ctx: UpgradeContext
  #made: { file: string; begunMs: number; bytes: number } | null = null

  constructor(ctx: UpgradeContext) {
    this.#ctx = ctx
  }

  /** Answers its file. Throws a sentence when it cannot be made: then nothing is changed. */
  async make(): Promise<string> {
    const { backups, config, clock } = this.#ctx
    const begunMs = clock()
    const file = join(config.backupDir, backupName(begunMs, REASON))
    try {
      await this.#removeUnfinished()
      // On PostgreSQL processes of the version before go on.
      const { bytes, schema } = await backups.make(file, { isAlone: config.databaseUrl === null })
      // A file that cannot be removed is no reason to stay with the old version.
      await this.#removeFailedTries(schema).catch(() => undefined)
      this.#made = { file, begunMs, bytes }
      return file
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(
        `This version changes the database, and a backup comes first. ${reason} Nothing was changed. Make room, or name another folder in TRUNKLINE_BACKUP_DIR.`,
        { cause: error },
      )
    }
  }

  /** What an API that was killed meanwhile has left. On PostgreSQL another API may be writing it. */
  async #removeUnfinished(): Promise<void> {
    const { backupDir, databaseUrl } = this.#ctx.config
    if (databaseUrl !== null) return
    const names = await readdir(backupDir).catch(() => [])
    const left = names.filter((name) => name.endsWith(`${NAME_END}.part`))
    for (const name of left) await rm(join(backupDir, name), { force: true })
  }

  /**
   * A backup of the same schema is one of a try that failed: the database is still as it was then. The
   * newest stay, that of this try among them.
   */
  async #removeFailedTries(schema: string): Promise<void> {
    const { backups, config } = this.#ctx
    const { backupDir } = config
    const tries: string[] = []
    const names = (await readdir(backupDir)).filter((name) => name.endsWith(NAME_END))
    // The name begins with the time.
    for (const name of names.toSorted()) {
      const file = join(backupDir, name)
      if ((await backups.schemaOf(file)) === schema) tries.push(file)
    }
    for (const file of tries.slice(0, -TRIES_KEPT)) await rm(file, { force: true })
  }

  /** Once the database can hold it. */
  async record(db: Db): Promise<void> {
    if (this.#made === null) return
    const { file, begunMs, bytes } = this.#made
    const endedAt = new Date(this.#ctx.clock()).toISOString()
    await backupStore.insert(db, { ...newBackup(REASON, begunMs, file), endedAt, bytes })
  }
}
