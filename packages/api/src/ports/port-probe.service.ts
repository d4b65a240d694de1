/** Which ports of a host are in use: by ours, as the database has it, or by what only the host can tell of. */
import type { Context, Db } from '../context.ts'
import { AppError } from '../errors.ts'
import type { HostAddress } from '../hosts/host-address.ts'
import { HostFault } from '../hosts/host-fault.ts'
import * as portClaimStore from './port-claim.store.ts'

/** Taken by anything of ours, or sent to by an encoder of the host itself. */
export async function usedPorts(db: Db, hostKey: string): Promise<ReadonlySet<number>> {
  const ports = new Set<number>()
  for (const key of [hostKey, ...portClaimStore.ownTargetKeys(hostKey)]) {
    for (const port of await portClaimStore.takenPorts(db, key)) ports.add(port)
  }
  return ports
}

/** True also when the host does not answer: it looks again before it starts anything. */
export async function isFree(ctx: Context, address: HostAddress, port: number): Promise<boolean> {
  if (ctx.hosts.status(address)?.online !== true) return true
  try {
    return (await ctx.hosts.call(address, 'probePort', { port })).free
  } catch (error) {
    if (error instanceof AppError || error instanceof HostFault) return true
    throw error
  }
}
