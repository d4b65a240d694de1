/** Which ports of a host are in use: by ours, as the database has it, or by what only the host can tell of. */
import type { HostCallParams } from '@trunkline/contract/agent/host-link.messages'
import type { Context, Db } from '../context.ts'
import { AppError } from '../errors.ts'
import type { HostAddress } from '../hosts/host-address.ts'
import { HostFault } from '../hosts/host-fault.ts'
import { ownTargetKeys } from './port-claim.rules.ts'
import * as portClaimStore from './port-claim.store.ts'

/** Taken by anything of ours, or sent to by an encoder of the host itself. */
export async function usedPorts(db: Db, hostKey: string): Promise<ReadonlySet<number>> {
  const ports = new Set<number>()
  for (const key of [hostKey, ...ownTargetKeys(hostKey)]) {
    for (const port of await portClaimStore.takenPorts(db, key)) ports.add(port)
  }
  return ports
}

/** True also when the host does not answer: it looks again before it starts anything. */
export async function isFree(ctx: Context, address: HostAddress, port: number): Promise<boolean> {
  return (await probe(ctx, address, { port }))?.free ?? true
}

/** The same of a multicast group: no program of the host has joined it. */
export async function isGroupFree(
  ctx: Context,
  address: HostAddress,
  group: string,
): Promise<boolean> {
  return (await probe(ctx, address, { port: address.port, group }))?.groupFree ?? true
}

/** Null when the host does not answer, or does not understand the question. */
async function probe(ctx: Context, address: HostAddress, asked: HostCallParams<'probePort'>) {
  if (ctx.hosts.status(address)?.online !== true) return null
  try {
    return await ctx.hosts.call(address, 'probePort', asked)
  } catch (error) {
    if (error instanceof AppError || error instanceof HostFault) return null
    throw error
  }
}
