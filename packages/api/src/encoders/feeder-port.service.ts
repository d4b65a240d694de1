/** Which port the next feeder to a server is offered. */
import type { nextFeederPort } from '@trunkline/contract/encoders/feeder.calls'
import { nextTargetPort } from '@trunkline/contract/encoders/feeder.rules'
import type { ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import { conflict } from '../errors.ts'
import type { Actor } from '../security/actor.ts'
import * as feederService from './feeder.service.ts'
import * as feederStore from './feeder.store.ts'

/**
 * Offered, not kept: of two who ask at once both are offered the same. Every feeder to the server
 * counts, of whichever group, so that none is led to a port that somebody sends to.
 */
export async function nextPort(
  ctx: Context,
  actor: Actor,
  serverId: string,
): Promise<ReplyOf<typeof nextFeederPort>> {
  const server = await feederService.loadTarget(ctx, actor, serverId, 'serverId')
  const taken = await feederStore.targetPortsOf(ctx.db, serverId)
  const port = nextTargetPort(taken)
  if (port === null) {
    throw conflict(
      `Every port of ${server.title} has a feeder. Delete one, or choose another server.`,
      { field: 'serverId' },
    )
  }
  return { status: true, data: port, port }
}
