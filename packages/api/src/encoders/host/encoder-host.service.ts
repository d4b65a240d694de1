/** What the host of an encoder has to encode with, as its agent last said, and what it makes of settings. */
import {
  effectiveConfig,
  effectiveOnHost,
  sourceWarning,
} from '@trunkline/contract/encoders/effective-config.rules'
import type { EncoderHost, readEncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import type { ReplyOf } from '@trunkline/contract/route'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import type { Context } from '../../context.ts'
import type { HostAddress } from '../../hosts/host-address.ts'
import { programIdOf } from '../../programs/wanted-program.ts'
import { targetKey } from '../../ports/port-claim.rules.ts'
import * as portClaimService from '../../ports/port-claim.service.ts'
import type { Actor } from '../../security/actor.ts'
import { proposalFor, type TakenOnHost } from './encoder-proposal.rules.ts'
import * as encoderProposalStore from './encoder-proposal.store.ts'
import { encoderScope } from '../encoder-scope.ts'
import * as encoderService from '../encoder.service.ts'
import type { EncoderRecord } from '../encoder.store.ts'
import * as encoderHostStore from './encoder-host.store.ts'

/** Also of an encoder that is disabled or not configured: every host with a record is dialled. */
export async function read(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof readEncoderHost>> {
  const { record } = await encoderService.load(ctx, actor, id)
  const address = { host: hostKeyOf(record.ip), port: record.port }
  const cards = await encoderHostStore.usedCards(
    ctx.db,
    record.ip,
    record.port,
    encoderScope(actor),
  )
  const taken = cards
    .filter(({ encoderId }) => encoderId !== id)
    .map(({ cardIdx, title }) => ({ cardIdx, title }))
  const host = known(ctx, address)
  const proposed = proposalFor(await takenOnHost(ctx, address, id, taken), host.sources)
  return { status: true, data: { ...host, taken, proposed } }
}

async function takenOnHost(
  ctx: Context,
  address: HostAddress,
  id: string,
  taken: EncoderHost['taken'],
): Promise<TakenOnHost> {
  const { host } = address
  const own = targetKey(host, LOOPBACK)
  const ports = [
    ...(await portClaimService.takenPorts(ctx.db, host)),
    ...(await portClaimService.takenPorts(ctx.db, own)),
  ]
  const pids = await encoderProposalStore.usedPids(ctx.db, host, address.port, id)
  return { cards: new Set(taken.map(({ cardIdx }) => cardIdx)), ports: new Set(ports), pids }
}

/** Where the first output of a new configuration sends to (CFG-36). */
const LOOPBACK = '127.0.0.1'

function known(ctx: Context, address: HostAddress): Omit<EncoderHost, 'taken' | 'proposed'> {
  const capabilities = ctx.hosts.capabilities(address)
  return {
    online: ctx.hosts.status(address)?.online ?? false,
    heardAtMs: ctx.hosts.heardAtMs(address),
    sources: capabilities?.sources ?? [],
    encoders: capabilities?.encoders ?? [],
    cpuCores: capabilities?.cpuCores ?? 0,
  }
}

/** What the host will do otherwise than its settings say, as far as it was ever heard. */
export function warningsOf(
  ctx: Context,
  { config, ip, port }: Pick<EncoderRecord, 'config' | 'ip' | 'port'>,
): string[] {
  if (config === null) return []
  const capabilities = ctx.hosts.capabilities({ host: hostKeyOf(ip), port })
  const whole = { ...config, feeder: [] }
  if (capabilities === null) return effectiveConfig(whole).warnings
  const { warnings } = effectiveOnHost(whole, capabilities.encoders)
  const source = sourceWarning(config['card-idx'], capabilities.sources)
  return source === '' ? warnings : [source, ...warnings]
}

/** Why the host has not taken the settings of this encoder, a sentence; none when it has, or is away. */
export function refusalsOf(ctx: Context, id: string): string[] {
  const wanted = ctx.programs.wanted(programIdOf('encoder', id))
  const refusal = wanted === undefined ? '' : ctx.programs.refusalOf(wanted)
  return refusal === '' ? [] : [`The host does not take these settings: ${refusal}`]
}
