/** A site with many encoders, written straight into its database, and an API on it. */
import { join } from 'node:path'
import { openDatabase, type Connection } from '@trunkline/api/db/open'
import * as encoderStore from '@trunkline/api/encoders/encoder.store'
import * as feederStore from '@trunkline/api/encoders/feeders/feeder.store'
import { keysFrom, type Keys } from '@trunkline/api/security/keys'
import { hashPassword } from '@trunkline/api/security/password'
import { readOrMakeSecret } from '@trunkline/api/security/secret-file'
import { copyRow } from '@trunkline/api/testing/copied-rows'
import { API_NODE_OPTIONS } from '@trunkline/api/testing/process/node-options'
import {
  EncoderConfig,
  FeederInput,
  FeederOutput,
} from '@trunkline/contract/encoders/encoder-config.schema'
import { startOwnProcess, type OwnProcess } from '@trunkline/testbed/child'
import { demoEncoderConfig } from '@trunkline/testbed/demo-site'
import { entryOf } from '@trunkline/testbed/site-processes'
import { sql } from 'kysely'
import { closedBySignals } from './ending.ts'

export const ENCODERS_PER_HOST = 4
export const PASSWORD = 'correct-horse-battery'
export const EMAIL = 'superadmin@trunkline.example'
/** Of a host; indexes from 0 to 63. */
const CARDS = 64
/** Of the agents of all encoders. */
export const HOST_KEY = 'the key of all hosts'
/** 127.1.x.1 to 127.1.x.250. */
const HOSTS_PER_NETWORK = 250
const CREATED_AT = '2026-11-20T08:00:00.000Z'

/** With the options of its unit. `settings`: more of the environment. */
export async function startApi(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<OwnProcess> {
  const starting = startOwnProcess({
    name: 'The API',
    node: process.execPath,
    args: [...API_NODE_OPTIONS, entryOf('api')],
    env: {
      PATH: process.env['PATH'] ?? '',
      // As its unit does: the first start of a bench fills it.
      NODE_COMPILE_CACHE: join(dataDir, 'compile-cache'),
      TRUNKLINE_DATA_DIR: dataDir,
      TRUNKLINE_PORT: '0',
      TRUNKLINE_LOG_LEVEL: 'error',
      TRUNKLINE_ALLOW_LOCAL_HOSTS: '1',
      TRUNKLINE_CALL_LIMIT: '1000000',
      ...settings,
    },
    onOutput: (text) => process.stderr.write(text),
  })
  closedBySignals(async () => starting.then(async (api) => api.stop()))
  return starting
}

/** Of the configuration of `e-<number>`, by its card: commands name it. */
export function configNameOf(number: number, perHost: number): string {
  return `encoder${(number - 1) % perHost}`
}

interface Size {
  encoders: number
  /** Encoders of one host. */
  perHost?: number
  /** Of the host agents, which are at an address each. */
  port: number
  /** Of a PostgreSQL that is empty, in place of an SQLite file. */
  url?: string
}

/** `also` adds what only one bench needs. */
export async function fillSite(
  dataDir: string,
  size: Size,
  also: (db: Connection) => Promise<void> = async () => {},
): Promise<void> {
  const db = await openDatabase(
    size.url === undefined
      ? { kind: 'sqlite', file: join(dataDir, 'trunkline.db') }
      : { kind: 'postgres', url: size.url },
  )
  const keys = keysFrom(await readOrMakeSecret(`${dataDir}.key`))
  await fillPeople(db)
  await fillEncoders(db, keys, size)
  await also(db)
  await db.destroy()
}

/** Every encoder of the site in that SQLite file is to run, without feeders, and found by its id. */
export async function wantAll(dataDir: string): Promise<void> {
  const db = await openDatabase({ kind: 'sqlite', file: join(dataDir, 'trunkline.db') })
  await db
    .updateTable('encoders')
    .set({ is_enabled: 1, wanted_running: 1, search: sql`'camera ' || id` })
    .execute()
  await db.deleteFrom('feeders').execute()
  await db.destroy()
}

async function fillPeople(db: Connection): Promise<void> {
  const stamps = { version: 1, created_at: CREATED_AT }
  await db
    .insertInto('users')
    .values({
      id: 'boss',
      first_name: 'The',
      last_name: 'Boss',
      email: EMAIL,
      role: 'superadmin',
      password_hash: await hashPassword(PASSWORD),
      token_version: 1,
      asks_before_interrupting: 0 as const,
      search: 'the boss',
      ...stamps,
    })
    .execute()
  const group = { id: 'north', title: 'North', title_key: 'north', search: 'north', ...stamps }
  await db
    .insertInto('groups')
    .values({ ...group, description: '', manager_id: 'boss' })
    .execute()
}

/** Disabled, so that the one host behind all addresses has nothing to run. */
async function fillEncoders(
  db: Connection,
  keys: Keys,
  { encoders, perHost = ENCODERS_PER_HOST, port }: Size,
): Promise<void> {
  const stamps = { version: 1, created_at: CREATED_AT }
  const texts = { description: '', location: '' }
  await db
    .insertInto('servers')
    .values({
      id: 'gateway',
      title: 'Gateway',
      title_key: 'gateway',
      host: '192.0.2.1',
      host_key: '192.0.2.1',
      port: 9000,
      server_type: 'channel',
      api_key_sealed: keys.seal('a key that opens nothing'),
      adapters: '[]',
      search: 'gateway',
      ...texts,
      ...stamps,
    })
    .execute()
  const { feeder: _, ...config } = EncoderConfig.parse(
    demoEncoderConfig({ ports: { encoderOutput: 5000 } }),
  )
  const passphraseSealed = keys.seal('a passphrase of a feeder')
  const apiKeySealed = keys.seal(HOST_KEY)
  await encoderStore.insert(db, {
    id: 'e',
    name: 'e',
    title: 'Camera',
    ...texts,
    physicalAddress: '',
    contactNumber: '',
    email: '',
    ip: '127.1.0.1',
    port,
    groupId: 'north',
    apiKeySealed,
    isEnabled: false,
    wantedRunning: false,
    config: encoderStore.StoredConfig.parse({ ...config, 'card-idx': 0 }),
    version: 1,
    createdAt: CREATED_AT,
  })
  const feeder = {
    name: 'f',
    serverId: 'gateway',
    input: FeederInput.parse({ title: 'Feeder', addr: '127.0.0.1:5000', port: 5000 }),
    output: [FeederOutput.parse({ addr: '192.0.2.1:6000', port: 6000 })],
  }
  const owner = { encoderId: 'e', passphraseSealed, wantedRunning: false }
  await feederStore.insert(db, { ...owner, feeder, position: 0 }, CREATED_AT)
  // Two encoders of one host have two cards.
  await db.updateTable('encoders').set({ card_idx: null }).execute()
  await copyRow(db, 'encoders', 'e', encoders, ['id', 'name'])
  await copyRow(db, 'feeders', 'f', encoders, ['id', 'encoder_id'])
  await db.deleteFrom('feeders').where('id', '=', 'f').execute()
  await db.deleteFrom('encoders').where('id', '=', 'e').execute()
  await placeOnHosts(db, perHost)
}

/** So many encoders a host, with a card each, in the order of their numbers. */
async function placeOnHosts(db: Connection, perHost: number): Promise<void> {
  const number = sql`(cast(substr(id, 3) as integer) - 1)`
  const host = sql`(${number} / ${sql.lit(perHost)})`
  const card = sql<number>`(${number} % ${sql.lit(Math.min(perHost, CARDS))})`
  const network = sql.lit(HOSTS_PER_NETWORK)
  await db
    .updateTable('encoders')
    .set({
      ip: sql`'127.1.' || (${host} / ${network}) || '.' || (1 + ${host} % ${network})`,
      // With more encoders than cards none holds one.
      card_idx: perHost > CARDS ? null : card,
      // The number stands in the text once.
      config: sql`replace(config, '"card-idx":0', '"card-idx":' || ${card})`,
    })
    .execute()
}
