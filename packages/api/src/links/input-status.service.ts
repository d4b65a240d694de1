/** Enabling and disabling inputs: 'Disabled' never hides live traffic, enabling starts nothing (Q138). */
import type { setInputsStatus } from '@trunkline/contract/contributions/input.calls'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { groupScope, type Actor } from '../security/actor.ts'
import { onEach } from './each-link.service.ts'
import * as inputService from './inputs/input.service.ts'
import * as inputStore from './inputs/input.store.ts'
import { named } from './link-names.ts'

const CALL = 'inputs.setStatus'

/** Answers when hosts that are there have ended what ran; one that is away ends it when it is back. */
export async function setStatus(
  ctx: Context,
  actor: Actor,
  { names, isDisable }: BodyOf<typeof setInputsStatus>,
  ip: string,
): Promise<ReplyOf<typeof setInputsStatus>> {
  const found = await inputStore.listNamed(ctx.db, names, groupScope(actor))
  const { links, failed: unknown } = named(names, found, 'input')
  const request = { actor, ip, call: CALL, kind: 'input' } as const
  const { done, failed } = await onEach(ctx, request, links, async ({ id, groupId }) => {
    const isChanged = await ctx.db
      .transaction()
      .execute(async (trx) => write(trx, actor, id, { isEnabled: !isDisable, ip }))
    if (!isChanged) return
    ctx.notices.tell({ kind: 'input', id, change: 'changed', groupIds: [groupId] })
  })
  // Also of those that were so already: a host may have been silent the first time.
  const servers = [...new Set(done.map(({ server }) => server._id))]
  await Promise.all(servers.map(async (id) => ctx.hosts.refresh({ by: 'server', id })))
  return {
    status: true,
    msg: 'Input/Output status updated successfully.',
    updated: done.length,
    failed: [...failed, ...unknown],
  }
}

/** Answers false when nothing had to be changed. */
async function write(
  trx: Db,
  actor: Actor,
  id: string,
  { isEnabled, ip }: { isEnabled: boolean; ip: string },
): Promise<boolean> {
  const { title } = await inputService.loadFrom(trx, actor, id)
  if (!(await inputStore.setEnabled(trx, id, isEnabled))) return false
  await auditService.record(trx, {
    actor,
    call: CALL,
    object: { kind: 'input', id },
    before: { title, isEnabled: !isEnabled },
    after: { title, isEnabled },
    result: 'done',
    ip,
  })
  return true
}
