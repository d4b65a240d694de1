/** The database that the API on this machine uses, for a command. */
import { existsSync } from 'node:fs'
import pino from 'pino'
import { processConfig } from '../config.ts'
import { openContext, type OpenContext } from '../context.ts'
import { sqliteFile } from '../db/open.ts'

/**
 * A database that is not there is made for its first user only, and only where the settings say so,
 * not where somebody happens to stand.
 */
export async function openDatabase({ mayBeMade }: { mayBeMade: boolean }): Promise<OpenContext> {
  const config = processConfig()
  if (!mayBeMade && config.databaseUrl === null && !existsSync(sqliteFile(config))) {
    throw missingDatabase(sqliteFile(config))
  }
  return openContext(config, pino({ level: 'silent' }), Date.now)
}

export function missingDatabase(file: string): Error {
  return new Error(
    `There is no database at ${file}. Run this in the folder where Trunkline was started, or set TRUNKLINE_DATA_DIR or TRUNKLINE_DATABASE_URL as the API has it.`,
  )
}
