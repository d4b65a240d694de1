import { relative } from 'node:path'
import type { HostFacts } from '../commands/host-facts.ts'
import type { Context } from '../context.ts'
import { factsOf } from '../host/host.ts'
import { pictureFile } from '../supervisor/layout.ts'

/** What the commands build one program from: the host, and what of it is this program's own. */
export function factsFor(ctx: Context, programId: string): HostFacts {
  const { layout } = ctx.supervisor
  // Relative, because programs run in that folder and its path may hold anything.
  return {
    ...factsOf(ctx.host),
    pictureFile: relative(layout.base, pictureFile(layout, programId)),
  }
}
