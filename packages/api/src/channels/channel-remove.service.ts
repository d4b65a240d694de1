/** Removing a channel from the list; its stream keeps running, and a Sync adds it again (Q126). */
import type { removeChannel } from '@trunkline/contract/channels/channel.calls'
import type { ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { notFound } from '../errors.ts'
import { groupScope, seesGroup, type Actor } from '../security/actor.ts'
import * as serverService from '../servers/server.service.ts'
import * as channelService from './channel.service.ts'
import * as channelStore from './channel.store.ts'
import type { ChannelRecord } from './channel.store.ts'

/**
 * A manager takes it out of the own groups: when another group has it too, it stays for that one.
 * Admin-level take it out altogether.
 */
export async function remove(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof removeChannel>> {
  const { server } = await channelService.load(ctx, actor, id)
  const { groupIds } = await ctx.db.transaction().execute(async (trx) => {
    // As a Sync does, which may be adding groups to this channel.
    await serverService.holdAny(trx, server.id)
    const channel = await channelStore.hold(trx, id, groupScope(actor))
    if (channel === null) throw notFound('channel')
    await removeFrom(trx, actor, channel)
    return channel
  })
  ctx.notices.tell({ kind: 'channel', id, change: 'removed', groupIds })
  return { status: true }
}

async function removeFrom(trx: Db, actor: Actor, channel: ChannelRecord): Promise<void> {
  const { id, name, title, groupIds, server } = channel
  const own = groupIds.filter((groupId) => seesGroup(actor, groupId))
  const isShared = own.length < groupIds.length
  if (isShared) await channelStore.dropGroups(trx, id, own)
  else await channelStore.remove(trx, id)
  await auditService.record(trx, {
    actor,
    call: 'channels.remove',
    object: { kind: 'channel', id },
    before: { name, title, serverId: server.id, groupIds },
    ...(isShared ? { after: { groupIds: groupIds.filter((id) => !own.includes(id)) } } : {}),
  })
}
