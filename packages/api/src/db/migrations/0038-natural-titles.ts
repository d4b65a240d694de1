import { titleKey } from '@trunkline/contract/search/title-key.rules'
import { sql, type Kysely } from 'kysely'
import { createIndex } from './create-index.ts'
import { fillKey } from './fill-key.ts'

const TABLES = ['encoders', 'inputs', 'outputs', 'channels', 'servers', 'destinations'] as const
/** Their keys are unique. */
const UNIQUE = ['groups', 'encoder_templates', 'notification_rules'] as const

const TITLE_KEY = { key: 'title_key', of: 'title', make: titleKey }

/**
 * Titles are ordered by their numbers, those of destinations too: these were ordered by their search
 * text, whose indexes are gone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('destinations')
    .addColumn('title_key', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  const fill = async (table: string) => fillKey(db, table, TITLE_KEY)
  for (const table of TABLES) await fill(table)
  for (const table of UNIQUE) {
    // The new key of a title may be the old one of another.
    await sql`update ${sql.table(table)} set title_key = ${'\n'} || id`.execute(db)
    await fill(table)
  }
  await createIndex(db, 'destinations', ['title_key', 'id', 'group_id'])
  await createIndex(db, 'destinations', ['group_id', 'title_key', 'id'])
  for (const index of ['destinations_by_search_id', 'destinations_by_group_id_search_id'])
    await db.schema.dropIndex(index).execute()
}
