/** Who sees what a maintenance window or an override covers, and who may plan for it. */
import type { Covered } from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import { isAdminLevel } from '@trunkline/contract/roles'
import type { Context } from '../context.ts'
import { forbidden, notFound } from '../errors.ts'
import { placeOf } from '../fleet/object-place.ts'
import { seesGroup, type Actor } from '../security/actor.ts'

export function maySeeCovered(ctx: Context, actor: Actor, { kind, id }: Covered): boolean {
  return kind === 'group' ? seesGroup(actor, id) : ctx.alarms.maySee(actor, { kind, id })
}

/** To whom it matters. */
export function groupsOf(ctx: Context, { kind, id }: Covered): readonly string[] {
  return kind === 'group' ? [id] : (placeOf(ctx, { kind, id })?.groupIds ?? [])
}

/** 404 for what is not there or other people's; 403, with this sentence, for what also belongs to other people. */
export function assertMayPlan(ctx: Context, actor: Actor, covers: Covered, sentence: string): void {
  const { kind, id } = covers
  const isThere = kind === 'group' || placeOf(ctx, { kind, id }) !== null
  if (!isThere || !maySeeCovered(ctx, actor, covers)) throw notFound(kind)
  assertTheirs(ctx, actor, covers, sentence)
}

/** Of something that they see. */
export function assertTheirs(ctx: Context, actor: Actor, covers: Covered, sentence: string): void {
  if (isAdminLevel(actor.role)) return
  const isTheirs = groupsOf(ctx, covers).every((id) => actor.groupIds.includes(id))
  if (!isTheirs) throw forbidden(sentence)
}
