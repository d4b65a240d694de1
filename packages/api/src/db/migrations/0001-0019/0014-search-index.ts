import type { Kysely } from 'kysely'
import { indexTexts } from '../text-index.ts'

const TABLES = ['encoders', 'inputs', 'outputs', 'channels', 'users', 'destinations']

/** What searches find, wherever in a text it stands. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of TABLES) await indexTexts(db, table)
}
