/** What encoders, links and channels measured over the last minutes and hours, for those who may see them. */
import {
  HISTORY_STEPS,
  type linkHistory,
  type LinkPoint,
} from '@trunkline/contract/contributions/history.calls'
import { mayDo } from '@trunkline/contract/role-table'
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { maySeeProgram, maySeeStream } from '../../fleet/scope.rules.ts'
import { programIdOf } from '../../programs/wanted-program.ts'
import type { Actor } from '../../security/actor.ts'
import { channelName, stepStartS, type LinkSample } from './history.rules.ts'
import * as historyStore from './history.store.ts'

type Asked = QueryOf<typeof linkHistory>

/** Encoders, and feeders by right on these; inputs and outputs are managers' (as contributions.action); channels their groups'. */
export async function read(
  ctx: Context,
  actor: Actor,
  { kind, ids, span }: Asked,
): Promise<ReplyOf<typeof linkHistory>> {
  const isLink = kind === 'input' || kind === 'output'
  if (isLink && !mayDo(actor.role, 'seeInputs')) throw forbidden()
  const { lengthMs, stepMs } = HISTORY_STEPS[span]
  const toMs = ctx.clock()
  const stepS = stepMs / 1000
  const seen =
    kind === 'channel' ? seenChannels(ctx, actor, ids) : seenPrograms(ctx, actor, kind, ids)
  const samples = await historyStore.list(
    ctx.db,
    seen.map((id) => nameOf(kind, id)),
    { stepS, fromS: stepStartS(toMs - lengthMs, stepS) },
  )
  const series = seen.map((id) => ({
    id,
    points: (samples.get(nameOf(kind, id)) ?? []).map((sample) => pointOf(sample, kind)),
  }))
  return { status: true, fromMs: toMs - lengthMs, toMs, stepMs, series }
}

function seenPrograms(
  ctx: Context,
  actor: Actor,
  kind: ProgramKind,
  ids: readonly string[],
): string[] {
  return ids.filter((id) => {
    const wanted = ctx.programs.wanted(programIdOf(kind, id))
    return wanted !== undefined && maySeeProgram(actor, wanted)
  })
}

function seenChannels(ctx: Context, actor: Actor, ids: readonly string[]): string[] {
  return ids.filter((id) => {
    const known = ctx.board.streams.ofChannel(id)
    return known !== null && maySeeStream(actor, known.channel.groupIds)
  })
}

/** Under which it is kept. */
function nameOf(kind: Asked['kind'], id: string): string {
  return kind === 'channel' ? channelName(id) : programIdOf(kind, id)
}

function pointOf(sample: LinkSample, kind: Asked['kind']): LinkPoint {
  const receives = kind === 'input'
  return {
    atMs: sample.atS * 1000,
    bitrateKbps: {
      min: sample.bitrateMinKbps,
      avg: sample.bitrateSumKbps / sample.readings,
      max: sample.bitrateMaxKbps,
    },
    rttMs: sample.rttMaxMs,
    packets: sample.packets,
    lostPackets: receives ? sample.lost : null,
    retransmittedPackets: sample.resent,
    droppedPackets: receives ? sample.dropped : null,
  }
}
