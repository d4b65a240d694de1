/** Whether anything has changed that a list may show, by this process or one that was heard of. */
import type { Context, ListSource } from './context.ts'
import type { Notice } from './notices.ts'

/** Of these no list that is kept shows anything. */
const SHOWN_NOWHERE: ReadonlySet<Notice['kind']> = new Set([
  'alarms',
  'alarmsOver',
  'alarmsOverAsked',
  'onAir',
  'hostNetwork',
])

/** From now on; what it answers grows with each change. */
export function countChanges(
  ctx: Pick<Context, 'writes' | 'notices'>,
): (source: ListSource) => number {
  let heard = 0
  ctx.notices.listen(({ kind }) => {
    if (!SHOWN_NOWHERE.has(kind)) heard += 1
  })
  return (source) => ctx.writes.of(source) + heard
}
