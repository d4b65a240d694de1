import type { Kysely } from 'kysely'

const OBJECTS = ['encoder', 'feeder', 'input', 'output', 'channel'] as const

/**
 * What is on air, or will be. Of the references each mark has one: an object has at most one mark,
 * which goes with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const table = OBJECTS.reduce(
    (built, kind) =>
      built.addColumn(`${kind}_id`, 'text', (c) =>
        c.unique().references(`${kind}s.id`).onDelete('cascade'),
      ),
    db.schema.createTable('on_air').addColumn('id', 'text', (c) => c.primaryKey()),
  )
  await table
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('from_at', 'text', (c) => c.notNull())
    .addColumn('until_at', 'text')
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('put_by', 'text', (c) => c.notNull())
    .execute()
}
