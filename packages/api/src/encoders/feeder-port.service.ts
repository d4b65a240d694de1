/** Which port is offered: to the next feeder of a server, or to what waits there for a caller. */
import type { nextFeederPort } from '@trunkline/contract/encoders/feeder.calls'
import { listenPorts, nextTargetPort } from '@trunkline/contract/encoders/feeder.rules'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import { conflict } from '../errors.ts'
import * as portProbeService from '../ports/port-probe.service.ts'
import type { Actor } from '../security/actor.ts'
import type { ServerRecord } from '../servers/server.service.ts'
import * as feederService from './feeder.service.ts'
import * as feederStore from './feeder.store.ts'

/**
 * Offered, not kept: of two who ask at once both are offered the same. Every feeder to the server
 * counts, of whichever group, so that none is led to a port that somebody sends to.
 */
export async function nextPort(
  ctx: Context,
  actor: Actor,
  { serverId, use }: QueryOf<typeof nextFeederPort>,
): Promise<ReplyOf<typeof nextFeederPort>> {
  const server = await feederService.loadTarget(ctx, actor, serverId, 'serverId')
  const port = use === 'listen' ? await nextListenPort(ctx, server) : await nextTarget(ctx, server)
  return { status: true, data: port, port }
}

async function nextTarget(ctx: Context, server: ServerRecord): Promise<number> {
  const port = nextTargetPort(await feederStore.targetPortsOf(ctx.db, server.id))
  if (port !== null) return port
  throw conflict(
    `Every port of ${server.title} has a feeder. Delete one, or choose another server.`,
    { field: 'serverId' },
  )
}

/** Q158: neither taken by anything of ours, nor sent to by a feeder, nor by another program of the host. */
async function nextListenPort(ctx: Context, server: ServerRecord): Promise<number> {
  const { hostKey, port: agentPort } = server
  const claimed = await portProbeService.usedPorts(ctx.db, hostKey)
  const sentTo = await feederStore.targetPortsOf(ctx.db, server.id)
  for (const port of listenPorts(new Set([...claimed, ...sentTo]))) {
    if (await portProbeService.isFree(ctx, { host: hostKey, port: agentPort }, port)) return port
  }
  throw conflict(
    `No port of ${server.title} is free. Remove links there, or choose another server.`,
    {
      field: 'serverId',
    },
  )
}
