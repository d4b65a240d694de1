/**
 * How rows are found by a text that somebody typed. SQLite has an index of three characters each
 * beside the larger tables (migrations 0014, 0030), PostgreSQL one that LIKE uses (prepare-search.ts).
 */
import { sql, SqliteAdapter, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from './open.ts'
import { foldCase, likePattern } from './search.ts'

/** Tables with an index of their texts. */
export type IndexedTable =
  | 'encoders'
  | 'feeders'
  | 'inputs'
  | 'outputs'
  | 'channels'
  | 'users'
  | 'destinations'

/** Shorter texts are in no index. */
export const INDEXED_CHARACTERS = 3
/** So many are looked up one by one; a page of more is found sooner by looking through the rows in order. */
const FEW = 200

export interface TextMatch {
  where: RawBuilder<SqlBool>
  /** How many rows are listed because of it; null: not known. */
  total: number | null
  /** The rows are named by their ids: they are found at once, however large the table is. */
  isByIds: boolean
}

/** `column` holds searchText(); what was typed is found anywhere in it. SQLite has no escape of its own. */
export function matches(column: string, typed: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${likePattern(typed)} escape '\\'`
}

/**
 * The rows of a table whose `search` holds what was typed. `isWhole`: nothing else decides which rows
 * are listed, so that their number is worth counting in the index.
 */
export async function findText(
  db: Db,
  table: IndexedTable,
  typed: string,
  { isWhole }: { isWhole: boolean },
): Promise<TextMatch> {
  const text = foldCase(typed.trim())
  const like = matches(`${table}.search`, typed)
  const isIndexed = db.getExecutor().adapter instanceof SqliteAdapter
  if (!isIndexed || Array.from(text).length < INDEXED_CHARACTERS)
    return { where: like, total: null, isByIds: false }
  const ids = await idsOf(db, table, text)
  if (ids.length > FEW) {
    const total = isWhole ? await countOf(db, table, text) : null
    return { where: like, total, isByIds: false }
  }
  // One parameter, whatever their number: the statement is compiled once.
  const list = sql`select value from json_each(${JSON.stringify(ids)})`
  return {
    where: sql<SqlBool>`${sql.ref(`${table}.id`)} in (${list})`,
    total: isWhole || ids.length === 0 ? ids.length : null,
    isByIds: true,
  }
}

/** Of tables with few rows. */
export async function idsMatching(
  db: Db,
  table: 'groups' | 'servers',
  typed: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where(matches(`${table}.search`, typed))
    .execute()
  return rows.map(({ id }) => id)
}

/** One more than a few at most. */
async function idsOf(db: Db, table: IndexedTable, text: string): Promise<string[]> {
  const [index, texts] = [sql.table(`${table}_search`), sql.table(`${table}_texts`)]
  const { rows } = await sql<{ id: string }>`
    select ${texts}.id from ${index} cross join ${texts} on ${texts}.no = ${index}.rowid
    where ${index} match ${phrase(text)} limit ${FEW + 1}`.execute(db)
  return rows.map(({ id }) => id)
}

async function countOf(db: Db, table: IndexedTable, text: string): Promise<number | null> {
  const index = sql.table(`${table}_search`)
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from ${index} where ${index} match ${phrase(text)}`.execute(db)
  return rows[0]?.total ?? null
}

/** Plain text for the index, whatever is in it. */
function phrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
