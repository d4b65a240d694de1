import type { CreateTableBuilder, Kysely } from 'kysely'
import { createIndex } from '../create-index.ts'

/** Every table of the first release. Text, integer and real are all that both databases share. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPeople(db)
  await createServers(db)
  await createEncoders(db)
  await createChannels(db)
  await createContributions(db)
  await createBooks(db)
}

async function createPeople(db: Kysely<unknown>): Promise<void> {
  await stamped(db.schema.createTable('users'))
    .addColumn('first_name', 'text', (c) => c.notNull())
    .addColumn('last_name', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull().unique())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('token_version', 'integer', (c) => c.notNull())
    .execute()
  await stamped(db.schema.createTable('groups'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('title_key', 'text', (c) => c.notNull().unique())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('manager_id', 'text', (c) => c.notNull().references('users.id').onDelete('restrict'))
    .execute()
  await pairs(
    db,
    'group_users',
    ['group_id', 'groups', 'restrict'],
    ['user_id', 'users', 'cascade'],
  )
  await createIndex(db, 'groups', ['manager_id'])
}

async function createServers(db: Kysely<unknown>): Promise<void> {
  await stamped(db.schema.createTable('servers'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('host_key', 'text', (c) => c.notNull())
    .addColumn('port', 'integer', (c) => c.notNull())
    .addColumn('server_type', 'text', (c) => c.notNull())
    .addColumn('api_key_sealed', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('location', 'text', (c) => c.notNull())
    .addColumn('adapters', 'text', (c) => c.notNull())
    .addUniqueConstraint('servers_host_port_unique', ['host_key', 'port'])
    .execute()
  await pairs(
    db,
    'server_groups',
    ['server_id', 'servers', 'cascade'],
    ['group_id', 'groups', 'restrict'],
  )
}

async function createEncoders(db: Kysely<unknown>): Promise<void> {
  await stamped(db.schema.createTable('encoders'))
    .addColumn('name', 'text', (c) => c.notNull().unique())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('port', 'integer', (c) => c.notNull())
    .addColumn('location', 'text', (c) => c.notNull())
    .addColumn('physical_address', 'text', (c) => c.notNull())
    .addColumn('contact_number', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('group_id', 'text', (c) => c.notNull().references('groups.id').onDelete('restrict'))
    .addColumn('api_key_sealed', 'text', (c) => c.notNull())
    .addColumn('is_enabled', 'integer', (c) => c.notNull())
    .addColumn('wanted_running', 'integer', (c) => c.notNull())
    .addColumn('config', 'text')
    .addColumn('card_idx', 'integer')
    .addUniqueConstraint('encoders_card_unique', ['ip', 'port', 'card_idx'])
    .execute()
  await createIndex(db, 'encoders', ['group_id'])
  await pairs(
    db,
    'encoder_users',
    ['encoder_id', 'encoders', 'cascade'],
    ['user_id', 'users', 'cascade'],
  )
  await db.schema
    .createTable('feeders')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('encoder_id', 'text', (c) =>
      c.notNull().references('encoders.id').onDelete('restrict'),
    )
    .addColumn('server_id', 'text', (c) =>
      c.notNull().references('servers.id').onDelete('restrict'),
    )
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('spec', 'text', (c) => c.notNull())
    .addColumn('passphrase_sealed', 'text')
    .addColumn('wanted_running', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()
  await createIndex(db, 'feeders', ['encoder_id', 'position'])
  await createIndex(db, 'feeders', ['server_id'])
}

async function createChannels(db: Kysely<unknown>): Promise<void> {
  await stamped(db.schema.createTable('channels'))
    .addColumn('server_id', 'text', (c) =>
      c.notNull().references('servers.id').onDelete('restrict'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addUniqueConstraint('channels_stream_unique', ['server_id', 'name'])
    .execute()
  await pairs(
    db,
    'channel_groups',
    ['channel_id', 'channels', 'cascade'],
    ['group_id', 'groups', 'restrict'],
  )
}

async function createContributions(db: Kysely<unknown>): Promise<void> {
  await stamped(db.schema.createTable('destinations'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('group_id', 'text', (c) => c.notNull().references('groups.id').onDelete('restrict'))
    .addColumn('encryption', 'text', (c) => c.notNull())
    .addColumn('passphrase_sealed', 'text')
    .addUniqueConstraint('destinations_title_unique', ['group_id', 'title'])
    .execute()
  await link(db.schema.createTable('inputs'))
    .addColumn('input_type', 'text', (c) => c.notNull())
    .addColumn('server_id', 'text', (c) =>
      c.notNull().references('servers.id').onDelete('restrict'),
    )
    .addColumn('group_id', 'text', (c) => c.notNull().references('groups.id').onDelete('restrict'))
    .execute()
  await createIndex(db, 'inputs', ['server_id'])
  await createIndex(db, 'inputs', ['group_id'])
  await link(db.schema.createTable('outputs'))
    .addColumn('output_type', 'text', (c) => c.notNull())
    .addColumn('input_id', 'text', (c) => c.notNull().references('inputs.id').onDelete('restrict'))
    .addColumn('destination_id', 'text', (c) =>
      c.references('destinations.id').onDelete('set null'),
    )
    .execute()
  await createIndex(db, 'outputs', ['input_id'])
  await createIndex(db, 'outputs', ['destination_id'])
  await db.schema
    .createTable('bus_groups')
    .addColumn('ip', 'text', (c) => c.primaryKey())
    .addColumn('input_id', 'text', (c) => c.notNull().references('inputs.id').onDelete('cascade'))
    .execute()
  await createIndex(db, 'bus_groups', ['input_id'])
}

async function createBooks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('port_claims')
    .addColumn('host_key', 'text', (c) => c.notNull())
    .addColumn('port', 'integer', (c) => c.notNull())
    .addColumn('owner_kind', 'text', (c) => c.notNull())
    .addColumn('owner_id', 'text', (c) => c.notNull())
    .addColumn('leg', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('port_claims_primary', ['host_key', 'port'])
    .execute()
  await createIndex(db, 'port_claims', ['owner_kind', 'owner_id'])
  await db.schema
    .createTable('audit')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('actor_name', 'text', (c) => c.notNull())
    .addColumn('role', 'text')
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('call', 'text', (c) => c.notNull())
    .addColumn('object_kind', 'text')
    .addColumn('object_id', 'text')
    .addColumn('result', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .execute()
  await createIndex(db, 'audit', ['at'])
  await createIndex(db, 'audit', ['object_kind', 'object_id', 'at'])
  await db.schema
    .createTable('marks')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()
}

function stamped<T extends string>(table: CreateTableBuilder<T>) {
  return table
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('search', 'text', (c) => c.notNull())
}

function link<T extends string>(table: CreateTableBuilder<T>) {
  return stamped(table)
    .addColumn('name', 'text', (c) => c.notNull().unique())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('is_enabled', 'integer', (c) => c.notNull())
    .addColumn('wanted_running', 'integer', (c) => c.notNull())
    .addColumn('config', 'text', (c) => c.notNull())
    .addColumn('encryption', 'text', (c) => c.notNull())
    .addColumn('passphrase_sealed', 'text')
    .addColumn('advanced', 'text', (c) => c.notNull())
}

type End = [column: string, table: string, onDelete: 'cascade' | 'restrict']

/** A table of pairs, found from either end. */
async function pairs(db: Kysely<unknown>, table: string, left: End, right: End): Promise<void> {
  await db.schema
    .createTable(table)
    .addColumn(left[0], 'text', (c) => c.notNull().references(`${left[1]}.id`).onDelete(left[2]))
    .addColumn(right[0], 'text', (c) => c.notNull().references(`${right[1]}.id`).onDelete(right[2]))
    .addPrimaryKeyConstraint(`${table}_primary`, [left[0], right[0]])
    .execute()
  await createIndex(db, table, [right[0]])
}
