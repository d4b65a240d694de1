/** Whether anything has changed that a list may show, by this process or one that was heard of. */
import type { Context, ListSource } from './context.ts'

/** From now on; what it answers grows with each change. */
export function countChanges(
  ctx: Pick<Context, 'writes' | 'notices'>,
): (source: ListSource) => number {
  let heard = 0
  ctx.notices.listen(({ kind }) => {
    // No list that is kept shows alarms.
    if (!['alarms', 'alarmsOver', 'alarmsOverAsked', 'onAir'].includes(kind)) heard += 1
  })
  return (source) => ctx.writes.of(source) + heard
}
