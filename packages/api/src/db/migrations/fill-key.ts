import { sql, type Kysely } from 'kysely'

interface Row {
  id: string
  source: string
  key: string
}

export interface DerivedKey {
  /** The column that is filled. */
  key: string
  /** The column that it follows from. */
  of: string
  make: (source: string) => string
}

/** A statement has two values of each, and PostgreSQL is asked once for all of them. */
const ROWS_AT_ONCE = 200

/** Rows whose key is right already are not written. */
export async function fillKey(
  db: Kysely<unknown>,
  table: string,
  { key, of, make }: DerivedKey,
): Promise<void> {
  for (let behindId = ''; ;) {
    const { rows } = await sql<Row>`
      select id, ${sql.ref(of)} as source, ${sql.ref(key)} as key from ${sql.table(table)}
      where id > ${behindId} order by id limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db)
    const changed = rows
      .map(({ id, source, key: before }) => ({ id, before, now: make(source) }))
      .filter(({ before, now }) => before !== now)
      .map(({ id, now }) => sql`(${id}, ${now})`)
    if (changed.length > 0) {
      // Both databases name the columns of a list of values so.
      await sql`update ${sql.table(table)} set ${sql.ref(key)} = keys.column2
        from (values ${sql.join(changed)}) as keys
        where ${sql.ref(`${table}.id`)} = keys.column1`.execute(db)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_ONCE) return
    behindId = last.id
  }
}
