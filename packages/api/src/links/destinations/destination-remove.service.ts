/** Removing destinations: outputs that go there keep its address, and go on. */
import type {
  removeDestination,
  removeDestinations,
} from '@trunkline/contract/contributions/destination.calls'
import type { ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { groupScope, type Actor } from '../../security/actor.ts'
import * as destinationService from './destination.service.ts'
import * as destinationStore from './destination.store.ts'
import { onEach } from '../each-link.service.ts'
import { named } from '../link-names.ts'

interface Asked {
  actor: Actor
  call: 'destinations.remove' | 'destinations.removeSeveral'
}

export async function remove(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof removeDestination>> {
  await removeLoaded(ctx, { actor, call: 'destinations.remove' }, id)
  return { status: true, msg: 'Destination removed.', id }
}

export async function removeSeveral(
  ctx: Context,
  actor: Actor,
  ids: readonly string[],
): Promise<ReplyOf<typeof removeDestinations>> {
  const found = await destinationStore.listByIds(ctx.db, ids, groupScope(actor))
  // Titles are unique in a group only: by ids alone.
  const { links, failed: unknown } = named(
    ids,
    found.map(({ id }) => ({ id, name: id })),
    'destination',
  )
  const request = { actor, call: 'destinations.removeSeveral', kind: 'destination' } as const
  const { done, failed } = await onEach(ctx, request, links, async ({ id }) =>
    removeLoaded(ctx, request, id),
  )
  return {
    status: true,
    msg: done.length > 0 ? 'Destination(s) remove successfully..' : 'No destination was removed.',
    deleted: done.map(({ id }) => id),
    failed: [...failed, ...unknown],
  }
}

async function removeLoaded(ctx: Context, asked: Asked, id: string): Promise<void> {
  const groupId = await ctx.db.transaction().execute(async (trx) => removeRecord(trx, asked, id))
  ctx.notices.tell({ kind: 'destination', id, change: 'removed', groupIds: [groupId] })
}

/** Answers the group that it was in. */
async function removeRecord(trx: Db, { actor, call }: Asked, id: string): Promise<string> {
  const found = await destinationService.loadFrom(trx, actor, id)
  const data = await destinationService.wire(trx, actor, found)
  if (!(await destinationStore.remove(trx, id))) throw notFound('destination')
  await auditService.record(trx, {
    actor,
    call,
    object: { kind: 'destination', id },
    before: data,
  })
  return found.groupId
}
