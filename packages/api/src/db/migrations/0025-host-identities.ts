import type { Kysely } from 'kysely'
import { createIndex } from './create-index.ts'

/** Hosts that are reached over TLS: which keys each may show, and the codes by which they are enrolled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('host_identities')
    .addColumn('host_key', 'text', (c) => c.notNull())
    .addColumn('port', 'integer', (c) => c.notNull())
    .addColumn('security', 'text', (c) => c.notNull())
    .addColumn('since', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('host_identities_primary', ['host_key', 'port'])
    .execute()
  await db.schema
    .createTable('host_pins')
    .addColumn('host_key', 'text', (c) => c.notNull())
    .addColumn('port', 'integer', (c) => c.notNull())
    .addColumn('key_hash', 'text', (c) => c.notNull())
    .addColumn('issued_at', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('host_pins_primary', ['host_key', 'port', 'key_hash'])
    .execute()
  await db.schema
    .createTable('enrolment_codes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('object_id', 'text', (c) => c.notNull())
    .addColumn('host_key', 'text', (c) => c.notNull())
    .addColumn('port', 'integer', (c) => c.notNull())
    .addColumn('proof_key_sealed', 'text', (c) => c.notNull())
    .addColumn('made_by', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'text', (c) => c.notNull())
    .addColumn('used_at', 'text')
    .execute()
  await createIndex(db, 'enrolment_codes', ['host_key', 'port'])
}
