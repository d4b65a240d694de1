/** Which ports of a server feeders send to, and which is offered to the next that waits there for a caller. */
import type { countFeedersTo, nextFeederPort } from '@trunkline/contract/encoders/feeder.calls'
import { offeredPorts } from '@trunkline/contract/encoders/feeder.rules'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import * as portProbeService from '../../ports/port-probe.service.ts'
import type { Actor } from '../../security/actor.ts'
import type { ServerRecord } from '../../servers/server.service.ts'
import { encoderScope } from '../encoder-scope.ts'
import * as feederService from './feeder.service.ts'
import * as feederStore from './feeder.store.ts'

/** Offered, not kept: of two who ask at once both are offered the same. */
export async function nextPort(
  ctx: Context,
  actor: Actor,
  { serverId }: QueryOf<typeof nextFeederPort>,
): Promise<ReplyOf<typeof nextFeederPort>> {
  const server = await feederService.loadTarget(ctx, actor, serverId, 'serverId')
  const port = await freePort(ctx, server, 'serverId')
  return { status: true, data: port, port }
}

/** Of a server that the actor may not see: only what their own encoders send there. */
export async function countTo(
  ctx: Context,
  actor: Actor,
  { serverId }: QueryOf<typeof countFeedersTo>,
): Promise<ReplyOf<typeof countFeedersTo>> {
  const feeders = await feederStore.targetsAt(ctx.db, serverId, encoderScope(actor))
  const ports = feeders.flatMap((targets) => [...new Set(targets.map(({ port }) => port))])
  const byPort = Map.groupBy(ports, (port) => port)
  const data = [...byPort].map(([port, { length }]) => ({ port, feeders: length }))
  return { status: true, data }
}

/** A host that calls so many ports busy is asked no longer: saving looks again. */
const MOST_PROBES = 50

/**
 * Q158: what inputs, outputs and feeders of the host have counts as taken, of whichever group, so
 * does what feeders send to, and what the host itself says is in use. `field`: at fault when none is.
 */
export async function freePort(ctx: Context, server: ServerRecord, field: string): Promise<number> {
  const { hostKey, port: agentPort } = server
  const claimed = await portProbeService.usedPorts(ctx.db, hostKey)
  const sentTo = await feederStore.targetPortsOf(ctx.db, hostKey)
  let probes = 0
  for (const port of offeredPorts(new Set([...claimed, ...sentTo]))) {
    if (probes === MOST_PROBES) return port
    probes += 1
    if (await portProbeService.isFree(ctx, { host: hostKey, port: agentPort }, port)) return port
  }
  throw conflict(
    `No port of ${server.title} is free. Remove links there, or choose another server.`,
    { field },
  )
}
