/** What was counted in the transport stream of a link, for those who may read the link. */
import {
  ERROR_SPANS_SHOWN,
  TRANSPORT_STEPS,
  type transportHistory,
  type TransportPoint,
} from '@trunkline/contract/contributions/transport-history.calls'
import { joinAlike } from '@trunkline/contract/fleet/transport-history.rules'
import type { ParamsOf, QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../../context.ts'
import * as eventService from '../../events/event.service.ts'
import { programIdOf } from '../../programs/wanted-program.ts'
import type { Actor } from '../../security/actor.ts'
import { stepStartS } from '../history/history.rules.ts'
import type { TransportSample } from './transport-history.rules.ts'
import * as transportStore from './transport-history.store.ts'

export async function read(
  ctx: Context,
  actor: Actor,
  link: ParamsOf<typeof transportHistory>,
  { span }: QueryOf<typeof transportHistory>,
): Promise<ReplyOf<typeof transportHistory>> {
  await eventService.assertMaySee(ctx, actor, link)
  const { lengthMs, stepMs } = TRANSPORT_STEPS[span]
  const stepS = stepMs / 1000
  const toMs = ctx.clock()
  const fromMs = toMs - lengthMs
  const programId = programIdOf(link.kind, link.id)
  const fromS = stepStartS(fromMs, stepS)
  const samples = await transportStore.list(ctx.db, programId, { stepS, fromS })
  const errors = joinAlike(samples.flatMap((sample) => sample.errors)).toReversed()
  const data = {
    fromMs,
    toMs,
    stepMs,
    points: samples.map(pointOf),
    errors: errors.slice(0, ERROR_SPANS_SHOWN),
    errorCount: errors.length,
  }
  return { status: true, data }
}

function pointOf(sample: TransportSample): TransportPoint {
  const { programId: _, stepS: __, atS, errors: ___, ...figures } = sample
  return { ...figures, atMs: atS * 1000 }
}
