/** Where an output sends to, as the database can look for it: the host is the last line of its search text. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { foldCase, searchText } from '../../db/search.ts'

/** The `search` column of an output. What is typed into a search finds all of it. */
export function outputSearch(name: string, title: string, host: string): string {
  return searchText([name, title, host])
}

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
