/** Copies of inputs and outputs: as the original, under another title and on a port of their own. Nothing is started. */
import type { cloneInput as cloneInputCall } from '@trunkline/contract/contributions/input.calls'
import type { LinkCopy } from '@trunkline/contract/contributions/link.schema'
import type { cloneOutput as cloneOutputCall } from '@trunkline/contract/contributions/output.calls'
import type { ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import * as feederPortService from '../encoders/feeders/feeder-port.service.ts'
import { seesGroup, type Actor } from '../security/actor.ts'
import { INPUT } from './inputs/input-kind.service.ts'
import * as inputService from './inputs/input.service.ts'
import { unsealed } from './link-status.service.ts'
import * as linkService from './link.service.ts'
import { OUTPUT } from './outputs/output-kind.service.ts'

interface Asked {
  originalId: string
  copy: LinkCopy
  /** Of the copy. */
  id: string
}

/** A Local input reads the same stream; every other gets a multicast group of its own. */
export async function cloneInput(
  ctx: Context,
  actor: Actor,
  { originalId, copy, id }: Asked,
): Promise<ReplyOf<typeof cloneInputCall>> {
  const original = await inputService.load(ctx.db, actor, originalId)
  const { inputType, server, groupId, config, advanced } = original
  const { multicast, multicastPort: _, ...kept } = config
  const isLocal = inputType === 'Local'
  const isListening = !isLocal && config.mode === 'Listen'
  const port = await portOf(ctx, actor, server._id, { copy, isListening, original: config.port })
  const draft = {
    title: copy.title,
    inputType,
    serverId: server._id,
    groupId,
    config: { ...kept, port, multicast: isLocal ? multicast : '' },
    encryption: { ...original.encryption, passphrase: unsealed(ctx, original) },
    advanced,
  }
  return linkService.add(ctx, actor, INPUT, draft, { id, deed: 'clone' })
}

/** A destination of another group is not taken over; the address and the key are. */
export async function cloneOutput(
  ctx: Context,
  actor: Actor,
  { originalId, copy, id }: Asked,
): Promise<ReplyOf<typeof cloneOutputCall>> {
  const { link: original, input } = await linkService.load(ctx.db, actor, OUTPUT, originalId)
  const { outputType: inputType, destination, config, advanced } = original
  const isListening = config.mode === 'Listen'
  const serverId = input.server._id
  const port = await portOf(ctx, actor, serverId, { copy, isListening, original: config.port })
  const known = destination !== null && seesGroup(actor, destination.groupId) ? destination : null
  const draft = {
    title: copy.title,
    inputType,
    contributionId: original.inputId,
    destinationId: known?._id ?? null,
    // The destination may have moved since: the copy goes where it is now (Q151).
    config: { ...config, port, host: known?.ip ?? config.host },
    encryption: { ...original.encryption, passphrase: unsealed(ctx, original) },
    advanced,
  }
  return linkService.add(ctx, actor, OUTPUT, draft, { id, deed: 'clone' })
}

interface PortChoice {
  copy: LinkCopy
  isListening: boolean
  original: number
}

async function portOf(
  ctx: Context,
  actor: Actor,
  serverId: string,
  { copy, isListening, original }: PortChoice,
): Promise<number> {
  if (copy.port !== undefined) return copy.port
  if (!isListening) return original
  return (await feederPortService.nextPort(ctx, actor, { serverId })).port
}
