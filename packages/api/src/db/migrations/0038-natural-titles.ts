import { titleKey } from '@trunkline/contract/search/title-key.rules'
import { sql, type Kysely } from 'kysely'
import { createIndex } from './create-index.ts'

interface Titled {
  id: string
  title: string
  title_key: string
}
/** Those with a key. */
interface Tables {
  encoders: Titled
  inputs: Titled
  outputs: Titled
  channels: Titled
  servers: Titled
  destinations: Titled
  groups: Titled
  encoder_templates: Titled
  notification_rules: Titled
}

const TABLES = ['encoders', 'inputs', 'outputs', 'channels', 'servers', 'destinations'] as const
/** Their keys are unique. */
const UNIQUE = ['groups', 'encoder_templates', 'notification_rules'] as const

/** A statement has two values of each, and PostgreSQL is asked once for all of them. */
const ROWS_AT_ONCE = 200

/**
 * Titles are ordered by their numbers, those of destinations too: these were ordered by their search
 * text, whose indexes are gone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('destinations')
    .addColumn('title_key', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  const tables = db as Kysely<Tables>
  for (const table of TABLES) await fill(tables, table)
  for (const table of UNIQUE) {
    // The new key of a title may be the old one of another.
    await sql`update ${sql.table(table)} set title_key = ${'\n'} || id`.execute(db)
    await fill(tables, table)
  }
  await createIndex(db, 'destinations', ['title_key', 'id', 'group_id'])
  await createIndex(db, 'destinations', ['group_id', 'title_key', 'id'])
  for (const index of ['destinations_by_search_id', 'destinations_by_group_id_search_id'])
    await db.schema.dropIndex(index).execute()
}

async function fill(db: Kysely<Tables>, table: keyof Tables): Promise<void> {
  for (let behindId = ''; ;) {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'title', 'title_key'])
      .where('id', '>', behindId)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute()
    const changed = rows.flatMap(({ id, title, title_key }) => {
      const key = titleKey(title)
      return key === title_key ? [] : [sql`(${id}, ${key})`]
    })
    if (changed.length > 0) {
      // Both databases name the columns of a list of values so.
      await sql`update ${sql.table(table)} set title_key = keys.column2
        from (values ${sql.join(changed)}) as keys
        where ${sql.ref(`${table}.id`)} = keys.column1`.execute(db)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_ONCE) return
    behindId = last.id
  }
}
