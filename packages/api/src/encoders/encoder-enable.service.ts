/** Disabling and enabling an encoder: 'Disabled' never hides live traffic, enabling starts nothing (Q65). */
import type { enableEncoder } from '@trunkline/contract/encoders/encoder.calls'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import type { Actor } from '../security/actor.ts'
import * as encoderStateStore from './encoder-state.store.ts'
import * as encoderService from './encoder.service.ts'

/**
 * Answers when a host that is there has ended what ran; an unreachable host ends it when it is
 * back.
 */
export async function enable(
  ctx: Context,
  actor: Actor,
  id: string,
  { isEnabled }: BodyOf<typeof enableEncoder>,
): Promise<ReplyOf<typeof enableEncoder>> {
  const groupId = await ctx.db
    .transaction()
    .execute(async (trx) => write(trx, actor, id, isEnabled))
  if (groupId !== null) {
    ctx.notices.tell({ kind: 'encoder', id, change: 'changed', groupIds: [groupId] })
  }
  // Also when it was so already: a host may have been silent the first time.
  await ctx.programs.refresh({ by: 'encoder', id })
  const data = encoderService.wireEncoder(await encoderService.load(ctx, actor, id))
  return { status: true, isEnabled: data.isEnabled, data }
}

/** Answers the group of the encoder; null when nothing had to be changed. */
async function write(
  trx: Db,
  actor: Actor,
  id: string,
  isEnabled: boolean,
): Promise<string | null> {
  const { title, group } = (await encoderService.loadFrom(trx, actor, id)).record
  if (!(await encoderStateStore.setEnabled(trx, id, isEnabled))) return null
  await auditService.record(trx, {
    actor,
    call: 'encoders.enable',
    object: { kind: 'encoder', id },
    before: { title, isEnabled: !isEnabled },
    after: { title, isEnabled },
  })
  return group._id
}
