import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { likePattern } from './search.ts'

/** `column` holds searchText(); what was typed is found anywhere in it. SQLite has no escape of its own. */
export function matches(column: string, typed: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${likePattern(typed)} escape '\\'`
}
