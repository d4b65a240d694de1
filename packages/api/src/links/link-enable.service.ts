/** Enabling and disabling inputs or outputs: 'Disabled' never hides live traffic, enabling starts nothing (Q138). */
import type { setInputsStatus } from '@trunkline/contract/contributions/input.calls'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { groupScope, type Actor } from '../security/actor.ts'
import { onEach } from './each-link.service.ts'
import type { LinkKind, LinkRecord } from './link-kind.service.ts'
import { named } from './link-names.ts'
import * as linkService from './link.service.ts'
import * as linkStore from './link.store.ts'

/**
 * Answers when hosts that are there have ended what ran; an unreachable host ends it when it is
 * back.
 */
export async function setStatus<Link extends LinkRecord>(
  ctx: Context,
  actor: Actor,
  kind: LinkKind<Link>,
  { names, isDisable }: BodyOf<typeof setInputsStatus>,
): Promise<ReplyOf<typeof setInputsStatus>> {
  const found = await kind.listNamed(ctx.db, names, groupScope(actor))
  const { links, failed: unknown } = named(names, found, kind.name)
  const request = { actor, call: `${kind.name}s.setStatus`, kind: kind.name }
  const { done, failed } = await onEach(ctx, request, links, async ({ id }) => {
    const groupId = await ctx.db
      .transaction()
      .execute(async (trx) => write(trx, actor, kind, id, !isDisable))
    if (groupId === null) return
    ctx.notices.tell({ kind: kind.name, id, change: 'changed', groupIds: [groupId] })
  })
  // Also of those that were so already: a host may have been silent the first time.
  await linkService.refreshServers(ctx, kind, done)
  return {
    status: true,
    msg: 'Input/Output status updated successfully.',
    updated: done.length,
    failed: [...failed, ...unknown],
  }
}

/** Answers the link's group; null when nothing had to be changed. */
async function write<Link extends LinkRecord>(
  trx: Db,
  actor: Actor,
  kind: LinkKind<Link>,
  id: string,
  isEnabled: boolean,
): Promise<string | null> {
  const { link, input } = await linkService.load(trx, actor, kind, id)
  if (!(await linkStore.setEnabled(trx, kind.name, id, isEnabled))) return null
  await auditService.record(trx, {
    actor,
    call: `${kind.name}s.setStatus`,
    object: { kind: kind.name, id },
    before: { title: link.title, isEnabled: !isEnabled },
    after: { title: link.title, isEnabled },
  })
  return input.groupId
}
