/**
 * Hosts whose last record went while they did not answer: their key is kept, so that what runs
 * there is ended when they come back.
 */
import type { Context, Db } from '../context.ts'
import type { HostAddress } from './host-address.ts'
import type { LeftHost } from './host-record.ts'
import * as leftHostStore from './left-host.store.ts'
import type { LeftHostRecord } from './left-host.store.ts'

/** A host that does not come back within this is gone for good, and is dialled no more. */
const KEPT_MS = 30 * 24 * 3600 * 1000

/** Call it in the transaction that removes the record; then tell of the removal. */
export async function leave(ctx: Context, trx: Db, host: LeftHostRecord): Promise<void> {
  const nowMs = ctx.clock()
  await leftHostStore.removeUntil(trx, new Date(nowMs - KEPT_MS).toISOString())
  await leftHostStore.put(trx, host, new Date(nowMs).toISOString())
}

/** Also those that have a record again: the record's key goes first. */
export async function list(ctx: Context): Promise<LeftHost[]> {
  const since = new Date(ctx.clock() - KEPT_MS).toISOString()
  const hosts = await leftHostStore.list(ctx.db, since)
  return hosts.map(({ address, apiKeySealed }) => ({
    address,
    apiKey: ctx.keys.open(apiKeySealed),
  }))
}

/** Nothing of ours runs there any more. */
export async function forget(ctx: Context, address: HostAddress): Promise<void> {
  await leftHostStore.remove(ctx.db, address)
}
