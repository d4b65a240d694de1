/** Takes a program off its host for good, then writes down what that was for. */
import type { Context, Db } from '../context.ts'
import { hostUnreachable } from '../errors.ts'
import { HostFault } from './host-fault.ts'
import type { ProgramPlace } from './wanted-program.ts'

/**
 * `write` removes the records; it is told whether the host has confirmed that nothing runs there. A
 * host that is away or silent is no hindrance. One that answers that it cannot is: 502 with its
 * words, nothing is changed. What `write` throws brings the program back as it was wanted.
 */
export async function removeProgram(
  ctx: Context,
  place: ProgramPlace,
  write: (trx: Db, isOff: boolean) => Promise<void>,
): Promise<void> {
  try {
    await ctx.hosts.withdraw(place, async (isOff) =>
      ctx.db.transaction().execute(async (trx) => write(trx, isOff)),
    )
  } catch (error) {
    if (!(error instanceof HostFault)) throw error
    throw hostUnreachable(
      `The host could not end this program, so nothing was removed: ${error.message} Mend the host, or take it off the network, then try again.`,
    )
  }
}
