/** API tokens that are stored already are sorted and found after an upgrade. */
import { sql, type Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../testing/databases.ts'
import { up } from './0039-listed-tokens.ts'

const MADE = ['title_key', 'scope', 'used_key'].map((column) => `api_tokens_by_${column}_id`)
const USED_AT = '2026-11-20T10:00:00.000Z'

describeOnBothDatabases('API tokens of before', (_open, openNew) => {
  test('get what they are sorted by and found by', async () => {
    const db = await openNew()
    for (const index of MADE) await db.schema.dropIndex(index).execute()
    for (const column of ['title_key', 'used_key', 'search'])
      await db.schema.alterTable('api_tokens').dropColumn(column).execute()
    for (const [id, usedAt] of [
      ['a', USED_AT],
      ['b', null],
    ]) {
      await sql`insert into api_tokens (id, title, hash, start, scope, role, created_at, created_by, expires_at, used_at)
        values (${id}, ${`Studio 9 ${id}`}, ${id}, 'trk_1a2b', 'read', 'admin', '', '', '', ${usedAt})`.execute(
        db,
      )
    }
    await up(db as unknown as Kysely<unknown>)
    const columns = ['title_key', 'used_key', 'search'] as const
    const rows = await db.selectFrom('api_tokens').select(columns).orderBy('id').execute()
    expect(rows).toEqual([
      { title_key: 'studio 019 a', used_key: USED_AT, search: 'studio 9 a\ntrk_1a2b' },
      { title_key: 'studio 019 b', used_key: '', search: 'studio 9 b\ntrk_1a2b' },
    ])
  })
})
