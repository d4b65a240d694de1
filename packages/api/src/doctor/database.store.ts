/** The database as it is, for who only looks: nothing is made, migrated or changed. */
import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import { DatabaseUnusable, reasonOf } from '../db/faults.ts'
import { findMark } from '../db/marks.ts'
import { isOlderSchema, PRESENT_SCHEMA, schemaOf } from '../db/migrate.ts'
import { openUnmigrated, sqliteFile, targetOf, type Connection } from '../db/open.ts'

/** What is known of a database that answers. */
export interface DatabaseLook {
  /** 'SQLite, /var/lib/…/trunkline.db', 'PostgreSQL at db.example:5432'. */
  place: string
  /** The schema that this program reads and writes. */
  present: string
  /** null: of a database without tables. */
  schema: string | null
  /** newer: written by a later version of this program. */
  age: 'empty' | 'older' | 'present' | 'newer'
  /** Of the secret that its keys and passphrases are sealed with; null before the first start. */
  secretId: string | null
}

/** null: there is no file of SQLite yet. Throws a sentence when it does not answer. */
export async function open(config: Config): Promise<Connection | null> {
  const target = targetOf(config)
  return target.kind === 'sqlite' && !existsSync(target.file) ? null : openUnmigrated(target)
}

/** Of what `open` throws. `fix`: without a full stop, as each finding has it. */
export function openFault(error: unknown): { what: string; fix: string } {
  if (error instanceof DatabaseUnusable) {
    return { what: error.what, fix: error.fix.replace(/\.$/, '') }
  }
  return { what: reasonOf(error), fix: 'Correct TRUNKLINE_DATABASE_URL or TRUNKLINE_DATA_DIR' }
}

export async function look(db: Connection, config: Config): Promise<DatabaseLook> {
  const schema = await schemaOf(db)
  const age = ageOf(schema)
  const { databaseUrl } = config
  return {
    place:
      databaseUrl === null
        ? `SQLite, ${sqliteFile(config)}`
        : `PostgreSQL at ${new URL(databaseUrl).host}`,
    present: PRESENT_SCHEMA,
    schema,
    age,
    secretId: age === 'present' ? await findMark(db, 'secret key') : null,
  }
}

function ageOf(schema: string | null): DatabaseLook['age'] {
  if (schema === null) return 'empty'
  if (schema === PRESENT_SCHEMA) return 'present'
  return isOlderSchema(schema) ? 'older' : 'newer'
}
