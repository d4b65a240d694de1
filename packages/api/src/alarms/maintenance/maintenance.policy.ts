/** Who sees a maintenance window, and who may plan one. */
import type { Covered } from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import { isAdminLevel } from '@trunkline/contract/roles'
import type { Context } from '../../context.ts'
import { forbidden, notFound } from '../../errors.ts'
import { placeOf } from '../../fleet/object-place.ts'
import { seesGroup, type Actor } from '../../security/actor.ts'

export function maySeeWindow(ctx: Context, actor: Actor, { kind, id }: Covered): boolean {
  return kind === 'group' ? seesGroup(actor, id) : ctx.alarms.maySee(actor, { kind, id })
}

/** To whom it matters. */
export function groupsOf(ctx: Context, { kind, id }: Covered): readonly string[] {
  return kind === 'group' ? [id] : (placeOf(ctx, { kind, id })?.groupIds ?? [])
}

/** 404 for what is not there or other people's; 403 for what also belongs to other people. */
export function assertMayPlan(ctx: Context, actor: Actor, covers: Covered): void {
  const { kind, id } = covers
  const isThere = kind === 'group' || placeOf(ctx, { kind, id }) !== null
  if (!isThere || !maySeeWindow(ctx, actor, covers)) throw notFound(kind)
  assertTheirs(ctx, actor, covers)
}

/** Of a window that they see. */
export function assertTheirs(ctx: Context, actor: Actor, covers: Covered): void {
  if (isAdminLevel(actor.role)) return
  const isTheirs = groupsOf(ctx, covers).every((id) => actor.groupIds.includes(id))
  if (!isTheirs) {
    throw forbidden(
      'This also belongs to another group, which would not be called either. Plan the maintenance of your group, or ask an admin.',
    )
  }
}
