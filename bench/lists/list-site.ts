/** A site whose six lists have as many rows each, in 50 groups, written straight into its database. */
import { join } from 'node:path'
import { openDatabase, type Connection } from '@trunkline/api/db/open'
import { addressKey, searchText, titleKey } from '@trunkline/api/db/search'
import * as encoderStore from '@trunkline/api/encoders/encoder.store'
import { keysFrom } from '@trunkline/api/security/keys'
import { hashPassword } from '@trunkline/api/security/password'
import { readOrMakeSecret } from '@trunkline/api/security/secret-file'
import { InputConfig } from '@trunkline/contract/contributions/input.schema'
import { OutputConfig } from '@trunkline/contract/contributions/output.schema'
import {
  EncoderConfig,
  FeederInput,
  FeederOutput,
} from '@trunkline/contract/encoders/encoder-config.schema'
import { demoEncoderConfig } from '@trunkline/testbed/demo-site'
import { EMAIL, PASSWORD } from '../kit/large-site.ts'

export const GROUPS = 50
/** Of the group that the manager has. */
export const GROUP_ID = 'group-7'
export const MANAGER = 'manager@trunkline.example'
export { EMAIL as SUPERADMIN, PASSWORD }

/** SQLite takes 32,766 values in one statement. */
const ROWS_AT_ONCE = 500
/** As many as a host may have. */
const CARDS = 64
const FIRST_MS = Date.parse('2026-11-20T08:00:00.000Z')
const PLACES = [
  'Studio',
  'Stadium',
  'Harbour',
  'Parliament',
  'Theatre',
  'Airport',
  'Market',
  'Tower',
]

/** For `url` 'postgres://…' instead of an SQLite file, in a database that is empty. */
export async function fillLists(
  dataDir: string,
  rows: number,
  url: string | null = null,
): Promise<void> {
  const target =
    url === null
      ? { kind: 'sqlite' as const, file: join(dataDir, 'trunkline.db') }
      : { kind: 'postgres' as const, url }
  const db = await openDatabase(target)
  const keys = keysFrom(await readOrMakeSecret(`${dataDir}.key`))
  const sealed = keys.seal('a key that opens nothing')
  await fillPeople(db, rows)
  await fillServers(db, sealed)
  await fillEncoders(db, rows, sealed)
  await fillLinks(db, rows)
  await fillChannels(db, rows)
  await fillAudit(db, rows)
  await db.destroy()
}

function stamps(id: string, number: number, search: readonly string[]) {
  const created_at = new Date(FIRST_MS + number).toISOString()
  return { id, version: 1, created_at, search: searchText(search) }
}

function groupOf(number: number): string {
  return `group-${number % GROUPS}`
}

/** 'Studio camera 00042': every title has 'camera' in it, one in eight has 'studio'. */
function titleOf(number: number): string {
  return `${PLACES[number % PLACES.length]} camera ${String(number).padStart(6, '0')}`
}

async function each<T>(
  rows: number,
  make: (number: number) => T,
  insert: (some: T[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    const length = Math.min(ROWS_AT_ONCE, rows - from)
    await insert(Array.from({ length }, (_, at) => make(from + at)))
  }
}

async function fillPeople(db: Connection, rows: number): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD)
  const user = (number: number) => {
    const role = (['superadmin', 'manager'] as const)[number] ?? ('monitor' as const)
    const names = { first_name: 'Alex', last_name: `Person ${String(number).padStart(6, '0')}` }
    const email = [EMAIL, MANAGER][number] ?? `person${number}@trunkline.example`
    return {
      ...stamps(`user-${number}`, number, [`${names.first_name} ${names.last_name}`, email]),
      ...names,
      email,
      role,
      password_hash: passwordHash,
      token_version: 1,
      asks_before_interrupting: 0 as const,
    }
  }
  await each(rows, user, async (some) => db.insertInto('users').values(some).execute())
  const group = (number: number) => ({
    ...stamps(`group-${number}`, number, [`Region ${number}`]),
    title: `Region ${number}`,
    title_key: titleKey(`Region ${number}`),
    description: '',
    manager_id: number === 7 ? 'user-1' : 'user-0',
  })
  await each(GROUPS, group, async (some) => db.insertInto('groups').values(some).execute())
  const member = (number: number) => ({ group_id: groupOf(number), user_id: `user-${number + 2}` })
  await each(rows - 2, member, async (some) => db.insertInto('group_users').values(some).execute())
}

async function fillServers(db: Connection, api_key_sealed: string): Promise<void> {
  const server = (id: string, number: number, server_type: 'acants' | 'channel') => ({
    ...stamps(id, number, [id, `192.0.2.${number + 1}`]),
    title: id,
    title_key: titleKey(id),
    address_key: addressKey(`192.0.2.${number + 1}`),
    host: `192.0.2.${number + 1}`,
    host_key: `192.0.2.${number + 1}`,
    port: 9000,
    server_type,
    api_key_sealed,
    description: '',
    location: '',
    adapters: '[]',
  })
  const servers = [server('gateway', 0, 'acants'), server('streams', 1, 'channel')]
  await db.insertInto('servers').values(servers).execute()
  const shared = Array.from({ length: GROUPS }, (_, at) => groupOf(at)).flatMap((group_id) =>
    servers.map(({ id }) => ({ server_id: id, group_id })),
  )
  await db.insertInto('server_groups').values(shared).execute()
}

/** Disabled, as are the links below: dialling their hosts is another bench's matter. */
async function fillEncoders(db: Connection, rows: number, sealed: string): Promise<void> {
  const { feeder: _, ...whole } = EncoderConfig.parse(
    demoEncoderConfig({ ports: { encoderOutput: 5000 } }),
  )
  const config = JSON.stringify(encoderStore.StoredConfig.parse(whole))
  const encoder = (number: number) => ({
    ...stamps(`encoder-${number}`, number, [
      `encoder-${number}`,
      titleOf(number),
      '192.0.2.9',
      '',
      '',
      '',
    ]),
    name: `encoder-${number}`,
    title: titleOf(number),
    title_key: titleKey(titleOf(number)),
    description: '',
    ip: '192.0.2.9',
    address_key: addressKey('192.0.2.9'),
    port: 10_000 + Math.floor(number / CARDS),
    location: '',
    physical_address: '',
    contact_number: '',
    email: '',
    group_id: groupOf(number),
    api_key_sealed: sealed,
    is_enabled: 0 as const,
    wanted_running: 0 as const,
    config: config.replace('"card-idx":0', `"card-idx":${number % CARDS}`),
    card_idx: number % CARDS,
  })
  await each(rows, encoder, async (some) => db.insertInto('encoders').values(some).execute())
  const spec = JSON.stringify({
    input: FeederInput.parse({ title: 'Feeder', addr: '127.0.0.1:5000', port: 5000 }),
    output: [FeederOutput.parse({ addr: '192.0.2.1:6000', port: 6000 })],
  })
  const feeder = (number: number) => ({
    id: `feeder-${number}`,
    encoder_id: `encoder-${number}`,
    server_id: 'streams',
    position: 0,
    spec,
    passphrase_sealed: sealed,
    wanted_running: 0 as const,
    created_at: new Date(FIRST_MS + number).toISOString(),
    search: searchText([`feeder-${number}`, titleOf(number), '127.0.0.1:5000', '192.0.2.1:6000']),
    calls_address: '192.0.2.1',
    calls_port: 6000,
  })
  await each(rows, feeder, async (some) => db.insertInto('feeders').values(some).execute())
}

async function fillLinks(db: Connection, rows: number): Promise<void> {
  const common = (kind: string, number: number, host: string) => ({
    ...stamps(`${kind}-${number}`, number, [`${kind}-${number}`, titleOf(number), host]),
    name: `${kind}-${number}`,
    title: titleOf(number),
    title_key: titleKey(titleOf(number)),
    is_enabled: 0 as const,
    wanted_running: 0 as const,
    encryption: '{"selection":"no","passphrase":"","type":128}',
    passphrase_sealed: null,
    advanced: '[]',
  })
  const input = (number: number) => ({
    ...common('input', number, ''),
    config: JSON.stringify(
      InputConfig.parse({ port: 6000, multicast: '239.255.0.1', multicastPort: 5000 }),
    ),
    input_type: 'SRT' as const,
    server_id: 'gateway',
    group_id: groupOf(number),
    port: 6000,
  })
  await each(rows, input, async (some) => db.insertInto('inputs').values(some).execute())
  const host = '198.51.100.7'
  const config = JSON.stringify(OutputConfig.parse({ port: 7000, host }))
  const output = (number: number) => ({
    ...common('output', number, host),
    config,
    output_type: 'SRT' as const,
    input_id: `input-${number}`,
    destination_id: null,
  })
  await each(rows, output, async (some) => db.insertInto('outputs').values(some).execute())
}

async function fillChannels(db: Connection, rows: number): Promise<void> {
  const channel = (number: number) => ({
    ...stamps(`channel-${number}`, number, [`stream-${number}`, titleOf(number)]),
    server_id: 'streams',
    name: `stream-${number}`,
    title: titleOf(number),
    title_key: titleKey(titleOf(number)),
  })
  await each(rows, channel, async (some) => db.insertInto('channels').values(some).execute())
  const shared = (number: number) => ({
    channel_id: `channel-${number}`,
    group_id: groupOf(number),
  })
  await each(rows, shared, async (some) => db.insertInto('channel_groups').values(some).execute())
}

async function fillAudit(db: Connection, rows: number): Promise<void> {
  const line = (number: number) => ({
    id: `line-${number}`,
    at: new Date(FIRST_MS + number).toISOString(),
    actor_id: 'user-1',
    actor_name: 'Alex Person 000001',
    token: '',
    role: 'manager' as const,
    ip: '192.0.2.77',
    call: 'encoders.update',
    object_kind: 'encoder',
    object_id: `encoder-${number}`,
    object_title: titleOf(number),
    search: searchText(['Alex Person 000001', titleOf(number), 'encoders.update', '']),
    result: 'done' as const,
    reason: '',
    before: '{"title":"Camera"}',
    after: '{"title":"Camera two"}',
  })
  await each(rows, line, async (some) => db.insertInto('audit').values(some).execute())
}
