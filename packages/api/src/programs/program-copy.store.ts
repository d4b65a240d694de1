/** Programs that are being tried on a host that is not theirs yet; whoever tries them says so anew and anew. */
import type { Db } from '../db/open.ts'
import type { ProgramPlace } from './wanted-program.ts'

/** Until then (ISO time) no process takes these off their host. */
export async function put(db: Db, places: readonly ProgramPlace[], until: string): Promise<void> {
  for (const { address, programId: program_id } of places) {
    await db
      .insertInto('program_copies')
      .values({ host_key: address.host, port: address.port, program_id, until_at: until })
      .onConflict((eb) =>
        eb.columns(['host_key', 'port', 'program_id']).doUpdateSet({ until_at: until }),
      )
      .execute()
  }
}

export async function remove(db: Db, places: readonly ProgramPlace[]): Promise<void> {
  for (const { address, programId } of places) {
    await db
      .deleteFrom('program_copies')
      .where('host_key', '=', address.host)
      .where('port', '=', address.port)
      .where('program_id', '=', programId)
      .execute()
  }
}

/** Until when it is retained (ISO time); null when nobody tries it. */
export async function untilOf(
  db: Db,
  { address, programId }: ProgramPlace,
): Promise<string | null> {
  const row = await db
    .selectFrom('program_copies')
    .select('until_at')
    .where('host_key', '=', address.host)
    .where('port', '=', address.port)
    .where('program_id', '=', programId)
    .executeTakeFirst()
  return row?.until_at ?? null
}

/** Somebody tries one of these at `now` (ISO time), on whichever host. */
export async function hasAny(
  db: Db,
  programs: readonly Pick<ProgramPlace, 'programId'>[],
  now: string,
): Promise<boolean> {
  const ids = programs.map(({ programId }) => programId)
  const row = await db
    .selectFrom('program_copies')
    .select('program_id')
    .where('program_id', 'in', ['', ...ids])
    .where('until_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Whoever tried these has ended. */
export async function removeUntil(db: Db, until: string): Promise<void> {
  await db.deleteFrom('program_copies').where('until_at', '<=', until).execute()
}

/** Of a database that only one process has: nobody tries anything when that one begins. */
export async function removeAll(db: Db): Promise<void> {
  await db.deleteFrom('program_copies').execute()
}
