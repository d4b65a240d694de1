/** What the host of an encoder has to encode with, as its agent last said. */
import type { EncoderHost, readEncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import type { ReplyOf } from '@trunkline/contract/route'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import type { Context } from '../context.ts'
import type { HostAddress } from '../hosts/host-address.ts'
import type { Actor } from '../security/actor.ts'
import { encoderScope } from './encoder-scope.ts'
import * as encoderService from './encoder.service.ts'
import * as encoderStore from './encoder.store.ts'

/** Also of an encoder that is disabled or not configured: every host with a record is dialled. */
export async function read(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof readEncoderHost>> {
  const { record } = await encoderService.load(ctx, actor, id)
  const address = { host: hostKeyOf(record.ip), port: record.port }
  const cards = await encoderStore.usedCards(ctx.db, record.ip, record.port, encoderScope(actor))
  const taken = cards
    .filter(({ encoderId }) => encoderId !== id)
    .map(({ cardIdx, title }) => ({ cardIdx, title }))
  return { status: true, data: { ...known(ctx, address), taken } }
}

function known(ctx: Context, address: HostAddress): Omit<EncoderHost, 'taken'> {
  const capabilities = ctx.hosts.capabilities(address)
  return {
    online: ctx.hosts.status(address)?.online ?? false,
    heardAtMs: ctx.hosts.heardAtMs(address),
    sources: capabilities?.sources ?? [],
    encoders: capabilities?.encoders ?? [],
    cpuCores: capabilities?.cpuCores ?? 0,
  }
}
