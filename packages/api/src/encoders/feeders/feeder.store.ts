import { addressOfFeeder } from '@trunkline/contract/contributions/feeder-input.rules'
import {
  FeederInput,
  FeederOutput,
  type Feeder,
} from '@trunkline/contract/encoders/encoder-config.schema'
import { z } from 'zod'
import { decodeFlag, decodeJson, encodeFlag, encodeJson } from '../../db/codecs.ts'
import { guarded, type Refusals } from '../../db/guarded.ts'
import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/queries/prepared.ts'
import { readByIds } from '../../db/read-by-ids.ts'
import type { FeederRow } from '../../db/schema.ts'
import { searchText } from '../../db/search.ts'
import { invalid } from '../../errors.ts'
import { mapInSlices } from '../../in-slices.ts'
import { scoped } from '../encoder-scope.store.ts'
import type { EncoderScope } from '../encoder-scope.ts'

export interface FeederRecord {
  encoderId: string
  /** As the wire has it, its passphrase cut out. */
  feeder: Feeder
  passphraseSealed: string | null
  wantedRunning: boolean
  position: number
}

const Spec = z.object({ input: FeederInput, output: z.array(FeederOutput) })

/** Of each encoder in the order that they were added. */
export async function listByEncoders(
  db: Db,
  encoderIds: readonly string[],
): Promise<FeederRecord[]> {
  const rows = await readByIds(
    encoderIds,
    async (some) => (await ofEncoders(db, { encoderIds: some })).rows,
  )
  return mapInSlices(rows, toRecord)
}

const ofEncoders = prepared((db, { encoderIds }: { encoderIds: readonly string[] }) =>
  db
    .selectFrom('feeders')
    .select(['id', 'encoder_id', 'server_id', 'position'])
    .select(['spec', 'passphrase_sealed', 'wanted_running'])
    .where('encoder_id', 'in', encoderIds)
    .orderBy('position')
    .orderBy('id'),
)

/** Of the encoders that have these feeders. */
export async function encoderIdsOf(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await readByIds(ids, async (some) =>
    db.selectFrom('feeders').select('encoder_id').where('id', 'in', some).execute(),
  )
  return rows.map((row) => row.encoder_id)
}

/** Of all feeders that go to servers of this host. */
export async function targetPortsOf(db: Db, hostKey: string): Promise<number[]> {
  const rows = await db
    .selectFrom('feeders')
    .innerJoin('servers', 'servers.id', 'feeders.server_id')
    .select('feeders.spec as spec')
    .where('servers.host_key', '=', hostKey)
    .execute()
  return rows.flatMap(({ spec }) => decodeJson(Spec, spec).output.map(({ port }) => port))
}

/** Of each feeder that goes to this server, of the encoders in the scope. */
export async function targetsAt(db: Db, serverId: string, scope: EncoderScope) {
  const rows = await scoped(db, scope)
    .innerJoin('feeders', 'feeders.encoder_id', 'encoders.id')
    .select('feeders.spec as spec')
    .where('feeders.server_id', '=', serverId)
    .execute()
  return rows.map(({ spec }) => decodeJson(Spec, spec).output)
}

export async function insert(db: Db, record: FeederRecord, createdAt: string): Promise<void> {
  await guarded(REFUSALS, async () =>
    db
      .insertInto('feeders')
      .values({
        id: record.feeder.name,
        encoder_id: record.encoderId,
        position: record.position,
        wanted_running: encodeFlag(record.wantedRunning),
        created_at: createdAt,
        ...columns(record),
      })
      .execute(),
  )
}

export async function update(db: Db, record: FeederRecord): Promise<void> {
  await guarded(REFUSALS, async () =>
    db.updateTable('feeders').set(columns(record)).where('id', '=', record.feeder.name).execute(),
  )
}

export async function remove(db: Db, id: string): Promise<void> {
  await db.deleteFrom('feeders').where('id', '=', id).execute()
}

function columns({ feeder, passphraseSealed }: FeederRecord) {
  const output = feeder.output.map((each) => ({
    ...each,
    passphrase: '',
    passphraseSet: undefined,
  }))
  return {
    server_id: feeder.serverId,
    spec: encodeJson({ input: feeder.input, output }),
    passphrase_sealed: passphraseSealed,
    calls_address: addressOfFeeder(feeder),
    calls_port: feeder.output[0]?.port ?? 0,
    search: searchText([
      feeder.name,
      feeder.input.title,
      feeder.input.addr,
      feeder.output[0]?.addr ?? '',
    ]),
  }
}

function toRecord(row: Omit<FeederRow, 'created_at'>): FeederRecord {
  const spec = decodeJson(Spec, row.spec)
  const isSet = row.passphrase_sealed !== null
  return {
    encoderId: row.encoder_id,
    feeder: {
      name: row.id,
      serverId: row.server_id,
      input: spec.input,
      output: spec.output.map((each) => ({ ...each, passphrase: '', passphraseSet: isSet })),
    },
    passphraseSealed: row.passphrase_sealed,
    wantedRunning: decodeFlag(row.wanted_running),
    position: row.position,
  }
}

const REFUSALS: Refusals = {
  foreignKey: () =>
    invalid('feederPost.serverId', 'names a server that does not exist. Choose another.'),
}
