/** Removing an encoder, or its configuration: what runs is ended on its host first (Q67, Q69). */
import type { removeEncoder, removeEncoderConfig } from '@trunkline/contract/encoders/encoder.calls'
import type { ReplyOf } from '@trunkline/contract/route'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import * as auditService from '../audit/audit.service.ts'
import { changedFields } from '../changed-fields.ts'
import type { Context, Db } from '../context.ts'
import { conflict, notFound } from '../errors.ts'
import { isSameAddress, type HostAddress } from '../hosts/host-address.ts'
import * as leftHostService from '../hosts/left-host.service.ts'
import { removeProgram, settleAfterRemoval } from '../programs/program-removal.service.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import * as portClaimService from '../ports/port-claim.service.ts'
import type { Actor } from '../security/actor.ts'
import { FEEDERS_FIRST } from './encoder-remove.rules.ts'
import * as encoderService from './encoder.service.ts'
import type { LoadedEncoder } from './encoder.service.ts'
import * as encoderStore from './encoder.store.ts'

const FEEDERS_BEFORE_CONFIG =
  'Feeders read from this encoder. Remove its feeders first, then delete its configuration.'

/** The record goes last, so that a host which cannot end the program keeps its encoder. */
export async function remove(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof removeEncoder>> {
  const encoder = await encoderService.load(ctx, actor, id)
  assertNoFeeders(encoder, FEEDERS_FIRST)
  const place = placeOf(encoder)
  const isEnded = await removeProgram(ctx, place, async (trx, isOff) =>
    removeRecord(ctx, trx, actor, { id, endedAt: isOff ? place.address : null }),
  )
  const groupIds = [encoder.record.group._id]
  ctx.notices.tell({ kind: 'encoder', id, change: 'removed', groupIds })
  await settleAfterRemoval(ctx, place, { by: 'encoder', id }, isEnded)
  return { status: true, id }
}

async function removeRecord(
  ctx: Context,
  trx: Db,
  actor: Actor,
  { id, endedAt }: { id: string; endedAt: HostAddress | null },
): Promise<void> {
  const encoder = await encoderService.loadFrom(trx, actor, id)
  assertNoFeeders(encoder, FEEDERS_FIRST)
  if (!(await encoderStore.remove(trx, id, FEEDERS_FIRST))) throw notFound('encoder')
  await portClaimService.release(trx, { kind: 'encoder', id })
  const { address } = placeOf(encoder)
  // Somebody may have moved it to another host meanwhile.
  const isEnded = endedAt !== null && isSameAddress(endedAt, address)
  if (!isEnded) {
    const { apiKeySealed } = encoder.record
    await leftHostService.leave(ctx, trx, { address, apiKeySealed })
  }
  await auditService.record(trx, {
    actor,
    call: 'encoders.remove',
    object: { kind: 'encoder', id },
    before: encoderService.wireEncoder(encoder),
    reason: isEnded ? '' : 'Its host did not answer: its program is stopped when the host is back.',
  })
}

/** The card is free for another encoder of the host then. Without a configuration nothing changes. */
export async function removeConfig(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof removeEncoderConfig>> {
  const encoder = await encoderService.load(ctx, actor, id)
  assertNoFeeders(encoder, FEEDERS_BEFORE_CONFIG)
  const place = placeOf(encoder)
  let isEnded = true
  if (encoder.record.config !== null) {
    isEnded = await removeProgram(ctx, place, async (trx) => clearConfig(trx, actor, encoder))
    const groupIds = [encoder.record.group._id]
    ctx.notices.tell({ kind: 'encoder', id, change: 'changed', groupIds })
  }
  await settleAfterRemoval(ctx, place, { by: 'encoder', id }, isEnded)
  return {
    status: true,
    data: encoderService.wireEncoder(await encoderService.load(ctx, actor, id)),
  }
}

/** Against the version that was there when the call came: a configuration saved since is not deleted unseen. */
async function clearConfig(trx: Db, actor: Actor, before: LoadedEncoder): Promise<void> {
  const { id } = before.record
  const current = await encoderService.loadFrom(trx, actor, id)
  assertNoFeeders(current, FEEDERS_BEFORE_CONFIG)
  if (current.record.config === null) return
  if (!(await encoderStore.clearConfig(trx, before.record))) {
    throw savedMeanwhile(before, await encoderService.loadFrom(trx, actor, id))
  }
  await portClaimService.release(trx, { kind: 'encoder', id })
  await auditService.record(trx, {
    actor,
    call: 'encoders.removeConfig',
    object: { kind: 'encoder', id },
    before: encoderService.wireEncoder(current),
    after: { title: current.record.title, config: null },
  })
}

function savedMeanwhile(before: LoadedEncoder, current: LoadedEncoder) {
  const [was, is] = [encoderService.wireEncoder(before), encoderService.wireEncoder(current)]
  return conflict(
    'Somebody else has just saved this encoder, so its configuration was not deleted. Check their changes, then delete it again.',
    { current: is, changed: changedFields(was, is).filter((field) => field !== 'version') },
  )
}

function assertNoFeeders({ feeders }: LoadedEncoder, sentence: string): void {
  if (feeders.length > 0) throw conflict(sentence)
}

function placeOf({ record }: LoadedEncoder) {
  return {
    address: { host: hostKeyOf(record.ip), port: record.port },
    programId: programIdOf('encoder', record.id),
  }
}
