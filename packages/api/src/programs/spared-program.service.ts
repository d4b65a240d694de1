/** Programs that stay on a host though the records have them elsewhere: kept ones, and copies on trial. */
import type { Context, Db } from '../context.ts'
import { isStorageFull } from '../http/storage-fault.ts'
import type { HostAddress } from '../hosts/host-address.ts'
import * as keptProgramStore from './kept-program.store.ts'
import * as programCopyStore from './program-copy.store.ts'
import type { ProgramPlace } from './wanted-program.ts'

/** 'kept': stopped, and not taken off. 'copy': left alone until then, API clock. */
export type Retained = { as: 'kept' } | { as: 'copy'; untilMs: number }

/** null: whatever of ours is not wanted there goes. */
export async function retainedAt(ctx: Context, place: ProgramPlace): Promise<Retained | null> {
  const until = await programCopyStore.untilOf(ctx.db, place)
  const untilMs = until === null ? 0 : Date.parse(until)
  if (untilMs > ctx.clock()) return { as: 'copy', untilMs }
  return (await keptProgramStore.has(ctx.db, place)) ? { as: 'kept' } : null
}

/** Forgets definitions that nobody needs any more; answers the hosts that still have them. */
export async function dropOutdated(ctx: Context): Promise<HostAddress[]> {
  const outdated = await keptProgramStore.listOutdated(ctx.db)
  await keptProgramStore.remove(ctx.db, outdated)
  return keptProgramStore.addressesOf(outdated)
}

/** Called once, before any host is dialled: what a process that is no more has left behind. */
export async function begin(ctx: Context): Promise<void> {
  try {
    if (ctx.config.databaseUrl === null) await programCopyStore.removeAll(ctx.db)
    else await programCopyStore.removeUntil(ctx.db, new Date(ctx.clock()).toISOString())
  } catch (error) {
    // They are retained until their time is over; a full disk must not keep the API from starting.
    if (!isStorageFull(error)) throw error
    ctx.log.warn(
      { err: error },
      'Records of programs that were being tried out on another host were not deleted, because the disk of the database is full or cannot be written. Such a program stays on that host until its time is over.',
    )
  }
}

/** In the transaction that moves programs: where they went, and where their definitions stay. */
export async function move(
  ctx: Context,
  trx: Db,
  { arrived, kept }: { arrived: readonly ProgramPlace[]; kept: readonly ProgramPlace[] },
): Promise<void> {
  await keptProgramStore.remove(trx, arrived)
  await keptProgramStore.put(trx, kept, new Date(ctx.clock()).toISOString())
}
