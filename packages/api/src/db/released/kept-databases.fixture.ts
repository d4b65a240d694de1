/** Databases of released versions, as they were kept, and all that a database holds, for comparing. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readTables, type Content } from '../backup/copy-rows.ts'
import { schemaOf } from '../migrate.ts'
import { openUnmigrated, type DatabaseTarget } from '../open.ts'

const FOLDER = import.meta.dirname
const END = '.db.gz'

/** The schema that each has; the file is named after it. */
export function keptSchemas(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(END))
    .map((name) => name.slice(0, -END.length))
}

/** As an SQLite file. */
export function writeKept(schema: string, file: string): void {
  writeFileSync(file, gunzipSync(readFileSync(join(FOLDER, `${schema}${END}`))))
}

export interface StoredWhole {
  readonly schema: string | null
  /** Each with the names of its columns. */
  readonly tables: readonly string[]
  readonly content: Content
}

/** As it lies there; nothing is migrated. */
export async function readWhole(target: DatabaseTarget): Promise<StoredWhole> {
  const db = await openUnmigrated(target)
  try {
    const tables = (await db.introspection.getTables()).map(
      ({ name, columns }) =>
        `${name}: ${columns
          .map((column) => column.name)
          .toSorted()
          .join()}`,
    )
    return { schema: await schemaOf(db), tables: tables.toSorted(), content: await readTables(db) }
  } finally {
    await db.destroy()
  }
}
