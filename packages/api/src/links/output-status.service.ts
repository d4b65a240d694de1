/** Enabling and disabling outputs: 'Disabled' never hides live traffic, enabling starts nothing (Q138). */
import type { setOutputsStatus } from '@trunkline/contract/contributions/output.calls'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { groupScope, type Actor } from '../security/actor.ts'
import { onEach } from './each-link.service.ts'
import { named } from './link-names.ts'
import * as outputService from './outputs/output.service.ts'
import * as outputStateStore from './outputs/output-state.store.ts'
import * as outputStore from './outputs/output.store.ts'

const CALL = 'outputs.setStatus'

/** Answers when hosts that are there have ended what ran; one that is away ends it when it is back. */
export async function setStatus(
  ctx: Context,
  actor: Actor,
  { names, isDisable }: BodyOf<typeof setOutputsStatus>,
  ip: string,
): Promise<ReplyOf<typeof setOutputsStatus>> {
  const found = await outputStore.listNamed(ctx.db, names, groupScope(actor))
  const { links, failed: unknown } = named(names, found, 'output')
  const request = { actor, ip, call: CALL, kind: 'output' } as const
  const { done, failed } = await onEach(ctx, request, links, async ({ id }) => {
    const groupId = await ctx.db
      .transaction()
      .execute(async (trx) => write(trx, actor, id, { isEnabled: !isDisable, ip }))
    if (groupId === null) return
    ctx.notices.tell({ kind: 'output', id, change: 'changed', groupIds: [groupId] })
  })
  // Also of those that were so already: a host may have been silent the first time.
  await outputService.refreshAll(ctx, done)
  return {
    status: true,
    msg: 'Input/Output status updated successfully.',
    updated: done.length,
    failed: [...failed, ...unknown],
  }
}

/** Answers the output's group; null when nothing had to be changed. */
async function write(
  trx: Db,
  actor: Actor,
  id: string,
  { isEnabled, ip }: { isEnabled: boolean; ip: string },
): Promise<string | null> {
  const { output, input } = await outputService.loadFrom(trx, actor, id)
  const { title } = output
  if (!(await outputStateStore.setEnabled(trx, id, isEnabled))) return null
  await auditService.record(trx, {
    actor,
    call: CALL,
    object: { kind: 'output', id },
    before: { title, isEnabled: !isEnabled },
    after: { title, isEnabled },
    result: 'done',
    ip,
  })
  return input.groupId
}
