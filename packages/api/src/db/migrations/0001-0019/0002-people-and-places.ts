import type { Kysely } from 'kysely'
import { foldCase, searchText } from '../../search.ts'

interface Before {
  users: { id: string; first_name: string; last_name: string; email: string; search: string }
  servers: { id: string; title: string; title_key: string }
}

/** Lists of people and servers in the order of their names, and an audit that can be looked through. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await searchByFullName(db as Kysely<Before>)
  // A user's search text begins with the full name: names are at most 80 characters each.
  await db.schema.createIndex('users_by_search').on('users').columns(['search', 'id']).execute()
  await db.schema.createIndex('users_by_role').on('users').columns(['role', 'search']).execute()
  await addTitleKey(db as Kysely<Before>)
  await db.schema
    .alterTable('audit')
    .addColumn('object_title', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('audit')
    .addColumn('search', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await db.schema.createIndex('audit_by_actor').on('audit').columns(['actor_id', 'at']).execute()
  await db.schema.createIndex('audit_by_result').on('audit').columns(['result', 'at']).execute()
}

/** Both names stand on one line now, so that 'Ann Lee' is found. */
async function searchByFullName(db: Kysely<Before>): Promise<void> {
  const users = await db.selectFrom('users').selectAll().execute()
  for (const { id, first_name: first, last_name: last, email } of users) {
    const change = { search: searchText([`${first} ${last}`, email]) }
    await db.updateTable('users').set(change).where('id', '=', id).execute()
  }
}

async function addTitleKey(db: Kysely<Before>): Promise<void> {
  await db.schema
    .alterTable('servers')
    .addColumn('title_key', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  const servers = await db.selectFrom('servers').select(['id', 'title']).execute()
  for (const { id, title } of servers) {
    const change = { title_key: foldCase(title) }
    await db.updateTable('servers').set(change).where('id', '=', id).execute()
  }
  await db.schema
    .createIndex('servers_by_title')
    .on('servers')
    .columns(['title_key', 'id'])
    .execute()
}
