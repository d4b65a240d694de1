/** Programs whose stopped definition stays on a host that they have left (Q144). */
import type { Db } from '../db/open.ts'
import type { HostAddress } from '../hosts/host-address.ts'
import { kindAndId, type ProgramPlace } from './wanted-program.ts'

export async function put(db: Db, places: readonly ProgramPlace[], keptAt: string): Promise<void> {
  for (const { address, programId: program_id } of places) {
    await db
      .insertInto('kept_programs')
      .values({ host_key: address.host, port: address.port, program_id, kept_at: keptAt })
      .onConflict((eb) =>
        eb.columns(['host_key', 'port', 'program_id']).doUpdateSet({ kept_at: keptAt }),
      )
      .execute()
  }
}

export async function has(db: Db, { address, programId }: ProgramPlace): Promise<boolean> {
  const row = await db
    .selectFrom('kept_programs')
    .select('program_id')
    .where('host_key', '=', address.host)
    .where('port', '=', address.port)
    .where('program_id', '=', programId)
    .executeTakeFirst()
  return row !== undefined
}

export async function remove(db: Db, places: readonly ProgramPlace[]): Promise<void> {
  for (const { address, programId } of places) {
    await db
      .deleteFrom('kept_programs')
      .where('host_key', '=', address.host)
      .where('port', '=', address.port)
      .where('program_id', '=', programId)
      .execute()
  }
}

/** Those whose input or output is gone or has come back there, and those of a host without a record. */
export async function listOutdated(db: Db): Promise<ProgramPlace[]> {
  const rows = await db
    .selectFrom('kept_programs')
    .leftJoin('servers', (on) =>
      on
        .onRef('servers.host_key', '=', 'kept_programs.host_key')
        .onRef('servers.port', '=', 'kept_programs.port'),
    )
    .selectAll('kept_programs')
    .select('servers.id as serverId')
    .execute()
  const homes = await homesOf(
    db,
    rows.map((row) => row.program_id),
  )
  return rows
    .filter((row) => {
      const home = homes.get(row.program_id)
      return home === undefined || home === textOf(row) || row.serverId === null
    })
    .map((row) => ({
      address: { host: row.host_key, port: row.port },
      programId: row.program_id,
    }))
}

/** More in one statement than either database takes. */
const IDS_AT_ONCE = 500

/** Where the records have these programs now. */
async function homesOf(db: Db, programIds: readonly string[]): Promise<Map<string, string>> {
  const homes = new Map<string, string>()
  for (let at = 0; at < programIds.length; at += IDS_AT_ONCE) {
    const some = programIds.slice(at, at + IDS_AT_ONCE).map(kindAndId)
    const idsOf = (kind: string) => [
      '',
      ...some.filter((item) => item.kind === kind).map((item) => item.id),
    ]
    const inputs = await db
      .selectFrom('inputs')
      .innerJoin('servers', 'servers.id', 'inputs.server_id')
      .select(['inputs.id', 'servers.host_key', 'servers.port'])
      .where('inputs.id', 'in', idsOf('input'))
      .execute()
    const outputs = await db
      .selectFrom('outputs')
      .innerJoin('inputs', 'inputs.id', 'outputs.input_id')
      .innerJoin('servers', 'servers.id', 'inputs.server_id')
      .select(['outputs.id', 'servers.host_key', 'servers.port'])
      .where('outputs.id', 'in', idsOf('output'))
      .execute()
    for (const row of inputs) homes.set(`input-${row.id}`, textOf(row))
    for (const row of outputs) homes.set(`output-${row.id}`, textOf(row))
  }
  return homes
}

function textOf({ host_key, port }: { host_key: string; port: number }): string {
  return `${host_key}:${port}`
}

/** Hosts, each once. */
export function addressesOf(places: readonly ProgramPlace[]): HostAddress[] {
  return [
    ...new Map(places.map(({ address }) => [`${address.host}:${address.port}`, address])).values(),
  ]
}
