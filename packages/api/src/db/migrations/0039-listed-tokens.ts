import { titleKey } from '@trunkline/contract/search/title-key.rules'
import type { Kysely } from 'kysely'
import { searchText } from '../search.ts'
import { createIndex } from './create-index.ts'

interface Tables {
  api_tokens: {
    id: string
    title: string
    start: string
    used_at: string | null
    title_key: string
    used_key: string
    search: string
  }
}

/** One for each column that API tokens are sorted by; they have one by when they expire. */
const SORTED_BY = ['title_key', 'scope', 'used_key'] as const

/** The list of API tokens is paged, sorted and searched. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['title_key', 'used_key', 'search']) {
    await db.schema
      .alterTable('api_tokens')
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  }
  const tables = db as Kysely<Tables>
  const rows = await tables
    .selectFrom('api_tokens')
    .select(['id', 'title', 'start', 'used_at'])
    .execute()
  for (const { id, title, start, used_at } of rows) {
    const keys = {
      title_key: titleKey(title),
      used_key: used_at ?? '',
      search: searchText([title, start]),
    }
    await tables.updateTable('api_tokens').set(keys).where('id', '=', id).execute()
  }
  for (const column of SORTED_BY) await createIndex(db, 'api_tokens', [column, 'id'])
}
