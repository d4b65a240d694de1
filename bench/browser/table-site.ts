/** As many encoders, each on a host of its own, and as many inputs, that all run; and their changes. */
import type { Connection } from '@trunkline/api/db/open'
import { titleKey } from '@trunkline/api/db/search'
import { InputConfig } from '@trunkline/contract/contributions/input.schema'
import { FakeFleet, addressOf } from '../kit/fleet/fake-fleet.ts'
import { fillSite, startApi } from '../kit/large-site.ts'

const GATEWAYS = 10
/** Of SQLite, which takes 32,766 values in a statement. */
const ROWS_AT_ONCE = 500
const STAMPS = { version: 1, created_at: '2026-11-20T08:00:00.000Z' }

export type TableKind = 'encoder' | 'input'

export async function openTableSite(dataDir: string, rows: number) {
  const encoders = await FakeFleet.open()
  const gateways = await FakeFleet.open('acants')
  await fillSite(dataDir, { encoders: rows, perHost: 1, port: encoders.port }, async (db) => {
    await db.deleteFrom('feeders').execute()
    await db.updateTable('encoders').set({ is_enabled: 1, wanted_running: 1 }).execute()
    await addGateways(db, gateways.port)
    await addInputs(db, rows)
  })
  const api = await startApi(dataDir)
  await Promise.all([encoders.allRunning(rows), gateways.allRunning(rows)])
  let changes = 0
  return {
    api,
    /** Another rate, and every tenth a death as well. */
    change(kind: TableKind, row: number): void {
      changes += 1
      const [fleet, address, id] =
        kind === 'encoder'
          ? ([encoders, addressOf(row), `encoder-e-${row + 1}`] as const)
          : ([gateways, gatewayAddress(row), `input-i-${row}`] as const)
      fleet.report(address, id, {
        restarts: Math.floor(changes / 10) % 100,
        reading: kind === 'encoder' ? encodeReading(changes) : linkReading(changes),
      })
    },
    async [Symbol.asyncDispose]() {
      await api.stop()
      await encoders[Symbol.asyncDispose]()
      await gateways[Symbol.asyncDispose]()
    },
  }
}

function encodeReading(changes: number) {
  return {
    kind: 'encode' as const,
    atMs: Date.now(),
    bitrateKbps: 4000 + (changes % 997),
    framesPerSecond: 25,
    speed: 1,
    droppedFrames: 0,
    duplicatedFrames: 0,
  }
}

function linkReading(changes: number) {
  return {
    kind: 'link' as const,
    protocol: 'srt' as const,
    direction: 'receive' as const,
    atMs: Date.now(),
    bitrateKbps: 4000 + (changes % 997),
    rttMs: 20 + (changes % 7),
    packets: changes,
    lostPackets: 0,
    retransmittedPackets: 0,
    droppedPackets: 0,
  }
}

function gatewayAddress(row: number): string {
  return `127.2.0.${1 + (row % GATEWAYS)}`
}

async function addGateways(db: Connection, port: number): Promise<void> {
  const known = await db.selectFrom('servers').selectAll().executeTakeFirstOrThrow()
  const servers = Array.from({ length: GATEWAYS }, (_, at) => ({
    ...known,
    id: `gateway-${at}`,
    title: `Gateway ${at}`,
    title_key: titleKey(`Gateway ${at}`),
    host: gatewayAddress(at),
    host_key: gatewayAddress(at),
    port,
    server_type: 'acants' as const,
  }))
  await db.insertInto('servers').values(servers).execute()
}

async function addInputs(db: Connection, rows: number): Promise<void> {
  const input = (number: number) => ({
    ...STAMPS,
    id: `i-${number}`,
    name: `i-${number}`,
    title: `Camera ${number}`,
    search: `camera ${number}`,
    is_enabled: 1 as const,
    wanted_running: 1 as const,
    encryption: '{"selection":"no","passphrase":"","type":128}',
    passphrase_sealed: null,
    advanced: '[]',
    input_type: 'SRT' as const,
    server_id: `gateway-${number % GATEWAYS}`,
    group_id: 'north',
    port: 10_000 + Math.floor(number / GATEWAYS),
    config: JSON.stringify(
      InputConfig.parse({
        port: 10_000 + Math.floor(number / GATEWAYS),
        multicast: '239.255.0.1',
        multicastPort: 30_000 + Math.floor(number / GATEWAYS),
      }),
    ),
  })
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    const length = Math.min(ROWS_AT_ONCE, rows - from)
    const some = Array.from({ length }, (_, at) => input(from + at))
    await db.insertInto('inputs').values(some).execute()
  }
}
