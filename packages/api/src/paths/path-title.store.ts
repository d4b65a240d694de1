/** Titles of everything that paths are made of. */
import { compareKeys } from '@trunkline/contract/search/title-key.rules'
import { z } from 'zod'
import { decodeJson } from '../db/codecs.ts'
import type { Db } from '../db/open.ts'
import { giveWay, inPartsById } from '../in-slices.ts'
import type { PathKey } from './path-source.ts'

/** Rows are short: less than a millisecond. */
const ROWS_AT_ONCE = 1000
/** Each is parsed. */
const SPECS_AT_ONCE = 200

const TABLES = [
  ['encoder', 'encoders'],
  ['input', 'inputs'],
  ['output', 'outputs'],
  ['channel', 'channels'],
] as const

/** Of all but feeders, which are in no order of their own: by kind, in the order of their titles. */
export async function readAll(db: Db): Promise<(PathKey & { title: string })[]> {
  const found: (PathKey & { title: string })[] = []
  for (const [kind, table] of TABLES) {
    const parts = inPartsById(
      async (behindId, limit) =>
        db
          .selectFrom(table)
          .select(['id', 'title', 'title_key as titleKey'])
          .where('id', '>', behindId)
          .orderBy('id')
          .limit(limit)
          .execute(),
      ROWS_AT_ONCE,
    )
    const rows: { id: string; title: string; titleKey: string }[] = []
    for await (const part of parts) rows.push(...part)
    rows.sort((a, b) => compareKeys(a.titleKey, b.titleKey))
    found.push(...rows.map(({ id, title }) => ({ kind, id, title })))
    await giveWay()
  }
  return found
}

/** By id. They stand in the settings of each. */
export async function readOfFeeders(db: Db): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>()
  const parts = inPartsById(async (behindId, limit) => {
    return db
      .selectFrom('feeders')
      .select(['id', 'spec'])
      .where('id', '>', behindId)
      .orderBy('id')
      .limit(limit)
      .execute()
  }, SPECS_AT_ONCE)
  for await (const rows of parts) {
    for (const { id, spec } of rows) titles.set(id, decodeJson(TitledSpec, spec).input.title)
  }
  return titles
}

const TitledSpec = z.object({ input: z.object({ title: z.string() }) })
