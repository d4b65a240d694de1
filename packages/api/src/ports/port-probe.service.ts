/** What only a host can tell: whether a program that is none of ours has one of its UDP ports. */
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { HostAddress } from '../hosts/host-address.ts'
import { HostFault } from '../hosts/host-fault.ts'

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
