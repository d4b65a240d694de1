import { addressesOf } from '@trunkline/contract/servers/server.schema'
import type { Kysely } from 'kysely'
import { createIndex } from '../create-index.ts'

interface Before {
  servers: { id: string; host: string; adapters: string }
  inputs: { id: string; config: string }
}
interface After {
  server_addresses: { server_id: string; address: string }
  inputs: { id: string; port: number }
}

/** Servers are found by an address that they are reached at, inputs by server and port. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('server_addresses')
    .addColumn('server_id', 'text', (c) => c.notNull().references('servers.id').onDelete('cascade'))
    .addColumn('address', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('server_addresses_primary', ['server_id', 'address'])
    .execute()
  await createIndex(db, 'server_addresses', ['address', 'server_id'])
  await addAddresses(db as Kysely<Before>, db as Kysely<After>)
  await db.schema
    .alterTable('inputs')
    .addColumn('port', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await addPorts(db as Kysely<Before>, db as Kysely<After>)
  await createIndex(db, 'inputs', ['server_id', 'port'])
  // The index above begins with the same column.
  await db.schema.dropIndex('inputs_by_server_id').execute()
}

async function addAddresses(before: Kysely<Before>, after: Kysely<After>): Promise<void> {
  const servers = await before.selectFrom('servers').select(['id', 'host', 'adapters']).execute()
  for (const { id, host, adapters } of servers) {
    const adapterIps = JSON.parse(adapters) as { adapterIp: string }[]
    const rows = addressesOf({ host, adapterIps }).map((address) => ({ server_id: id, address }))
    await after.insertInto('server_addresses').values(rows).execute()
  }
}

async function addPorts(before: Kysely<Before>, after: Kysely<After>): Promise<void> {
  const inputs = await before.selectFrom('inputs').select(['id', 'config']).execute()
  for (const { id, config } of inputs) {
    const { port } = JSON.parse(config) as { port: number }
    await after.updateTable('inputs').set({ port }).where('id', '=', id).execute()
  }
}
