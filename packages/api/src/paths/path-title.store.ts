/** Titles of everything that paths are made of, save feeders, whose titles are in their settings. */
import type { Db } from '../db/open.ts'
import { giveWay } from '../in-slices.ts'
import type { PathKey } from './path-source.ts'

/** Rows are short: less than a millisecond. */
const ROWS_AT_ONCE = 1000

const TABLES = [
  ['encoder', 'encoders'],
  ['input', 'inputs'],
  ['output', 'outputs'],
  ['channel', 'channels'],
] as const

/** By kind, in the order of their titles. */
export async function readAll(db: Db): Promise<(PathKey & { title: string })[]> {
  const found: (PathKey & { title: string })[] = []
  for (const [kind, table] of TABLES) {
    const rows: { id: string; title: string }[] = []
    for (;;) {
      const last = rows.at(-1)?.id ?? ''
      const some = await db
        .selectFrom(table)
        .select(['id', 'title'])
        .where('id', '>', last)
        .orderBy('id')
        .limit(ROWS_AT_ONCE)
        .execute()
      rows.push(...some)
      if (some.length < ROWS_AT_ONCE) break
      await giveWay()
    }
    rows.sort((a, b) => BY_TITLE.compare(a.title, b.title))
    found.push(...rows.map((row) => ({ kind, ...row })))
    await giveWay()
  }
  return found
}

const BY_TITLE = new Intl.Collator('en', { numeric: true })
