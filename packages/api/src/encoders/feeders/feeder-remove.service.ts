/** Removing a feeder: it is ended on its host first (Q105). */
import type { removeFeeder } from '@trunkline/contract/encoders/feeder.calls'
import type { ReplyOf } from '@trunkline/contract/route'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { forbidden, notFound } from '../../errors.ts'
import { removeProgram, settleAfterRemoval } from '../../programs/program-removal.service.ts'
import { programIdOf } from '../../programs/wanted-program.ts'
import * as portClaimService from '../../ports/port-claim.service.ts'
import type { Actor } from '../../security/actor.ts'
import { mayOperate } from '../encoder.policy.ts'
import * as encoderService from '../encoder.service.ts'
import * as encoderStore from '../encoder.store.ts'
import * as feederStore from './feeder.store.ts'

const ENDED_LATER = 'The host did not answer: the program is stopped when the host is back.'

interface Asked {
  encoderId: string
  feederName: string
}

/** 404 for a feeder of another encoder. What the encoder fed it goes at the encoder's next restart (Q90). */
export async function remove(
  ctx: Context,
  actor: Actor,
  asked: Asked,
): Promise<ReplyOf<typeof removeFeeder>> {
  const { encoderId: id, feederName: name } = asked
  const encoder = await encoderService.load(ctx, actor, id)
  if (!mayOperate(actor)) throw forbidden()
  encoderService.feederOf(encoder, name)
  const { ip: host, port, group } = encoder.record
  const place = {
    address: { host: hostKeyOf(host), port },
    programId: programIdOf('feeder', name),
  }
  const isEnded = await removeProgram(ctx, place, async (trx, isOff) =>
    removeRecord(trx, actor, asked, isOff),
  )
  ctx.notices.tell({ kind: 'encoder', id, change: 'changed', groupIds: [group._id] })
  await settleAfterRemoval(ctx, place, { by: 'encoder', id }, isEnded)
  const data = encoderService.wireEncoder(await encoderService.load(ctx, actor, id))
  return { ...data, status: true, data, encoder: data }
}

/** The encoder first: whoever else changes it or its feeders waits until this is done. */
async function removeRecord(
  trx: Db,
  actor: Actor,
  { encoderId: id, feederName: name }: Asked,
  isOff: boolean,
): Promise<void> {
  if (!(await encoderStore.touch(trx, id))) throw notFound('encoder')
  const encoder = await encoderService.loadFrom(trx, actor, id)
  const { feeder } = encoderService.feederOf(encoder, name)
  const { title } = feeder.input
  await feederStore.remove(trx, name)
  await portClaimService.release(trx, { kind: 'feeder', id: name })
  await auditService.record(trx, {
    actor,
    call: 'feeders.remove',
    object: { kind: 'encoder', id },
    before: { title: encoder.record.title, feeder },
    reason: isOff ? title : `${title}: ${ENDED_LATER}`,
  })
}
