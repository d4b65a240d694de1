/** What is typed is found wherever it stands, on both databases alike, with an index or without. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import * as encoderStore from '../encoders/encoder.store.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { addListedRows } from '../testing/listed-rows.ts'
import { findText } from './matches.ts'
import type { Connection } from './open.ts'
import { prepareSearch } from './prepare-search.ts'
import { foldCase } from './search.ts'

const TEXTS = [
  'studio "one" camera',
  "o'brien's feed",
  '100% on_air \\ backup',
  'and or not near(a b)',
  'élan vital',
  'straße 5',
  '東京スタジオ',
  'a*b^c:d-e',
  'two\nlines',
]
const TYPED = [
  'camera',
  'CAMERA',
  '"one"',
  '"',
  '""',
  "'s f",
  '100%',
  '%',
  'n_a',
  '_',
  '\\ b',
  'and or',
  'NOT',
  'near(',
  'élan',
  'ELAN',
  'STRASSE',
  '東京ス',
  '東',
  'a*b',
  '^c:d',
  'd-e',
  'st',
  's',
  'nothing like it',
  ' camera ',
]

async function fill(db: Connection): Promise<void> {
  await addListedRows(db, TEXTS.length)
  for (const [at, text] of TEXTS.entries()) {
    const changed = db.updateTable('encoders').set({ search: foldCase(text) })
    await changed.where('id', '=', idOf(at)).execute()
  }
  await db.deleteFrom('encoders').where('id', '=', 'encoder').execute()
}

function idOf(at: number): string {
  return `encoder-${at + 1}`
}

async function found(db: Connection, typed: string): Promise<string[]> {
  const { encoders, total } = await encoderStore.list(db, {
    scope: { by: 'all' },
    groupId: '',
    ids: null,
    search: typed,
    page: 0,
    rows: 500,
  })
  expect(total, typed).toBe(encoders.length)
  return encoders.map(({ id }) => id).toSorted()
}

function expected(typed: string): string[] {
  const text = foldCase(typed.trim())
  return TEXTS.flatMap((each, at) => (foldCase(each).includes(text) ? [idOf(at)] : []))
}

describeOnBothDatabases('searches', (open, openNew, kind) => {
  test('Q21 what is typed is plain text, found anywhere, without case and accents', async () => {
    const db = await open()
    await fill(db)
    for (const typed of TYPED) expect(await found(db, typed), typed).toEqual(expected(typed))
  })

  test('a text that was changed is found as it is now, one that was removed no more', async () => {
    const db = await open()
    await fill(db)
    const changed = db.updateTable('encoders').set({ search: 'harbour' })
    await changed.where('id', '=', idOf(0)).execute()
    await db.deleteFrom('encoders').where('id', '=', idOf(4)).execute()
    expect(await found(db, 'camera')).toEqual([])
    expect(await found(db, 'harbour')).toEqual([idOf(0)])
    expect(await found(db, 'elan')).toEqual([])
  })

  test('many rows are counted and paged as few are', async () => {
    const db = await open()
    await addListedRows(db, 300)
    const { total } = await findText(db, 'encoders', 'encoder', { isWhole: true })
    expect(total).toBe(kind === 'SQLite' ? 301 : null)
    expect(await found(db, 'encoder')).toHaveLength(301)
    const { total: ofGroup } = await encoderStore.list(db, {
      scope: { by: 'groups', groupIds: ['south'] },
      groupId: '',
      ids: null,
      search: 'encoder',
      page: 0,
      rows: 12,
    })
    expect(ofGroup).toBe(0)
  })

  test('the index is whole after the migration, on both databases', async () => {
    const db = await openNew()
    await addListedRows(db, 3)
    expect(await found(db, 'encoder')).toHaveLength(4)
    expect(await indexFaults(db, kind)).toEqual([])
  })
})

/** SQLite checks its index itself, and throws; of PostgreSQL's each table has its own. */
async function indexFaults(db: Connection, kind: string): Promise<string[]> {
  if (kind === 'SQLite') {
    await sql`insert into encoders_search (encoders_search) values ('integrity-check')`.execute(db)
    return []
  }
  const { rows } = await sql<{ indexname: string }>`
    select indexname from pg_indexes where indexname like '%_by_search_text'`.execute(db)
  const faults = rows.length === 8 ? [] : [`${rows.length} indexes`]
  await prepareSearch(db, (sentence) => faults.push(sentence))
  return faults
}
