/** Removing outputs: what runs is ended on its host first. */
import type { removeOutput, removeOutputs } from '@trunkline/contract/contributions/output.calls'
import type { ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { notFound } from '../errors.ts'
import { removeProgram, settleAfterRemoval } from '../hosts/program-removal.service.ts'
import * as portClaimService from '../ports/port-claim.service.ts'
import { groupScope, type Actor } from '../security/actor.ts'
import { onEach } from './each-link.service.ts'
import { named } from './link-names.ts'
import * as outputService from './outputs/output.service.ts'
import * as outputStore from './outputs/output.store.ts'

const ENDED_LATER = 'Its host did not answer: what runs there is ended when it is back.'

interface Asked {
  actor: Actor
  ip: string
  call: 'outputs.remove' | 'outputs.removeSeveral'
}

export async function remove(
  ctx: Context,
  actor: Actor,
  id: string,
  ip: string,
): Promise<ReplyOf<typeof removeOutput>> {
  await removeOne(ctx, { actor, ip, call: 'outputs.remove' }, id)
  return { status: true, id }
}

export async function removeSeveral(
  ctx: Context,
  actor: Actor,
  names: readonly string[],
  ip: string,
): Promise<ReplyOf<typeof removeOutputs>> {
  const found = await outputStore.listNamed(ctx.db, names, groupScope(actor))
  const { links, failed: unknown } = named(names, found, 'output')
  const request = { actor, ip, call: 'outputs.removeSeveral', kind: 'output' } as const
  const { done, failed } = await onEach(ctx, request, links, async ({ id }) =>
    removeOne(ctx, request, id),
  )
  return {
    status: true,
    msg: done.length > 0 ? 'Output remove successfully..' : 'No output was removed.',
    deleted: done.map(({ name }) => name),
    failed: [...failed, ...unknown],
  }
}

/** The record goes last, so that a host which cannot end the program keeps its output. */
async function removeOne(ctx: Context, asked: Asked, id: string): Promise<void> {
  const loaded = await outputService.load(ctx, asked.actor, id)
  const { address, programId } = outputService.wantedProgram(ctx, loaded)
  const place = { address, programId }
  const isEnded = await removeProgram(ctx, place, async (trx, isOff) =>
    removeRecord(trx, asked, id, isOff),
  )
  const { groupId } = loaded.input
  ctx.notices.tell({ kind: 'output', id, change: 'removed', groupIds: [groupId] })
  await settleAfterRemoval(ctx, place, { by: 'program', kind: 'output', id }, isEnded)
}

async function removeRecord(
  trx: Db,
  { actor, ip, call }: Asked,
  id: string,
  isOff: boolean,
): Promise<void> {
  const loaded = await outputService.loadFrom(trx, actor, id)
  if (!(await outputStore.remove(trx, id))) throw notFound('output')
  await portClaimService.release(trx, { kind: 'output', id })
  await auditService.record(trx, {
    actor,
    call,
    object: { kind: 'output', id },
    before: outputService.wireOutput(loaded, actor),
    result: 'done',
    ip,
    reason: isOff ? '' : ENDED_LATER,
  })
}
