/** Where an output sends to, as the database can look for it: the host is the last line of its search text. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { foldCase } from '../../db/search.ts'

/** In small letters; '' for none. */
export function hostIn(search: string): string {
  return search.slice(search.lastIndexOf('\n') + 1)
}

/** Listening outputs have an address of our own for their host. */
export function callsOut(): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref('outputs.config')} like '%"mode":"Push"%'`
}

/** Whole hosts alone, however they are written. No host holds a wildcard. */
export function goesTo(host: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref('outputs.search')} like ${`%\n${foldCase(host)}`}`
}
