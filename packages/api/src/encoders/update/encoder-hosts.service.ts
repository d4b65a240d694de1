/** What the hosts do once an encoder is saved: the old one lets it go, the new one gets its settings. */
import { isDeepStrictEqual } from 'node:util'
import { hostKeyOf, isSameSeat } from '@trunkline/contract/servers/server.schema'
import type { Context } from '../../context.ts'
import type { HostAddress } from '../../hosts/host-address.ts'
import * as leftHostService from '../../hosts/left-host.service.ts'
import { programIdOf } from '../../programs/wanted-program.ts'
import type { LoadedEncoder } from '../encoder.service.ts'
import * as encoderHostService from '../host/encoder-host.service.ts'

/** Answers what the hosts make of it, in sentences. */
export async function applyToHosts(
  ctx: Context,
  before: LoadedEncoder,
  after: LoadedEncoder,
): Promise<string[]> {
  const { id } = after.record
  const [old, now] = [before.record, after.record]
  const isMoved = !isSameSeat(old, now)
  const left = isMoved ? await takeOffOldHost(ctx, before, addressOf(before)) : []
  const groupIds = [...new Set([old.group._id, now.group._id])]
  const notice = { kind: 'encoder', id, change: 'changed', groupIds } as const
  if (keepsPrograms(before, after)) {
    ctx.notices.tell({ ...notice, keepsPrograms: true })
    await ctx.programs.settleOwner('encoder', id)
  } else {
    ctx.notices.tell(notice)
    await ctx.programs.refresh({ by: 'encoder', id })
  }
  return [...left, ...encoderHostService.refusalsOf(ctx, id)]
}

/** Titles, notes and the like are nothing to the hosts, nor to who sees the programs. Feeders have saves of their own. */
function keepsPrograms(before: LoadedEncoder, after: LoadedEncoder): boolean {
  return isDeepStrictEqual(forPrograms(before), forPrograms(after))
}

function forPrograms({ record }: LoadedEncoder) {
  const { ip, port, group, userIds, apiKeySealed, config } = record
  return [ip, port, group._id, userIds, apiKeySealed, config]
}

function addressOf({ record }: LoadedEncoder): HostAddress {
  return { host: hostKeyOf(record.ip), port: record.port }
}

/** Two hosts must never run one encoder. */
async function takeOffOldHost(
  ctx: Context,
  { record, feeders }: LoadedEncoder,
  old: HostAddress,
): Promise<string[]> {
  const programIds = [
    programIdOf('encoder', record.id),
    ...feeders.map(({ feeder }) => programIdOf('feeder', feeder.name)),
  ]
  const taken = await Promise.all(
    programIds.map(async (programId) => ctx.programs.takeOff(old, programId).catch(() => false)),
  )
  if (record.config === null || taken.every(Boolean)) return []
  await leftHostService.leave(ctx, ctx.db, { address: old, apiKeySealed: record.apiKeySealed })
  return [
    `The old host ${old.host}:${old.port} does not answer: the encoder was not stopped there. It is stopped when that host is back; stop it on the host if it must end sooner.`,
  ]
}
