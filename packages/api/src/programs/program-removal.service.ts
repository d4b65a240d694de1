/** Takes a program off its host for good, then writes down what that was for. */
import type { Context, Db } from '../context.ts'
import { hostUnreachable } from '../errors.ts'
import { HostFault } from '../hosts/host-fault.ts'
import type { ProgramFilter, ProgramPlace } from './wanted-program.ts'

/**
 * `write` removes the records; its argument is whether the host has confirmed that nothing runs
 * there. A host that is away or silent does not prevent it. A host that answers that it cannot
 * does: 502 with its words, nothing is changed. What `write` throws brings the program back as it
 * was wanted. Answers the argument of `write`.
 */
export async function removeProgram(
  ctx: Context,
  place: ProgramPlace,
  write: (trx: Db, isOff: boolean) => Promise<void>,
): Promise<boolean> {
  let isEnded = false
  try {
    await ctx.programs.withdraw(place, async (isOff) => {
      isEnded = isOff
      await ctx.db.transaction().execute(async (trx) => write(trx, isOff))
    })
    return isEnded
  } catch (error) {
    if (!(error instanceof HostFault)) throw error
    throw hostUnreachable(
      `The host could not end this program, so nothing was removed: ${error.message} Repair the host, or take it off the network, then try again.`,
    )
  }
}

/**
 * Brings what is left of `filter` to its host. A host that has just been silent was waited for
 * already: it is asked again without us.
 */
export async function settleAfterRemoval(
  ctx: Context,
  { address }: ProgramPlace,
  filter: ProgramFilter,
  isEnded: boolean,
): Promise<void> {
  const settled = ctx.programs.refresh(filter)
  const isSilent = !isEnded && ctx.hosts.status(address)?.online === true
  if (!isSilent) await settled
}
