import type { Kysely } from 'kysely'
import { createIndex } from '../create-index.ts'

/** The list of destinations is ordered by title, which `search` begins with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, 'destinations', ['search', 'id'])
  await createIndex(db, 'destinations', ['group_id', 'search', 'id'])
}
