/** Which latency a link needs, for those who may read the link. Made from history when it is asked for. */
import {
  LATENCY_LEAST_STEPS,
  LATENCY_SPAN_MS,
  LATENCY_STEP_MS,
  type LatencyAdvice,
  type LatencyLinkKind,
  type MeasuredPath,
  type readLatencyAdvice,
} from '@trunkline/contract/paths/latency.calls'
import {
  appliedLatency,
  type LatencyEnds,
  latencyVerdict,
  neededLatencyMs,
  rttMultiplier,
} from '@trunkline/contract/paths/latency.rules'
import type { ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import { notFound, refused } from '../errors.ts'
import * as eventService from '../events/event.service.ts'
import { maySeeObject } from '../fleet/object-scope.ts'
import { stepStartS } from '../links/history/history.rules.ts'
import * as historyStore from '../links/history/history.store.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import type { Actor } from '../security/actor.ts'
import * as hopDetailsStore from './hop-details.store.ts'
import { measuredPath } from './measured-path.rules.ts'
import { edgesBefore, receiversOf } from './path-graph.service.ts'

interface LinkRef {
  kind: LatencyLinkKind
  id: string
}

export async function read(
  ctx: Context,
  actor: Actor,
  link: LinkRef,
): Promise<ReplyOf<typeof readLatencyAdvice>> {
  await eventService.assertMaySee(ctx, actor, link)
  const [details] = await hopDetailsStore.DETAILS_OF[link.kind](ctx.db, [link.id])
  if (details === undefined) throw notFound(link.kind)
  const { link: settings } = details
  if (settings === null) {
    throw refused('A Local input has no latency: it runs no link. Choose an SRT or RIST link.')
  }
  const isReceiver = link.kind === 'input'
  const other = await otherEnd(ctx, actor, link)
  const ends: LatencyEnds = {
    protocol: settings.protocol,
    isReceiver,
    ownMs: settings.latencyMs,
    otherMs: other?.latencyMs ?? null,
    negotiatedMs: negotiatedOf(ctx, [link, ...(other === null ? [] : [other])]),
  }
  const measured = await measure(ctx, link, isReceiver ? link : other)
  const { protocol, ownMs, negotiatedMs } = ends
  const needed = neededBy(measured, ends)
  return {
    status: true,
    data: { protocol, isReceiver, ownMs, other, negotiatedMs, measured, needed },
  }
}

/** The end at the far side. Null where several links call here, or none that the caller may see. */
async function otherEnd(
  ctx: Context,
  actor: Actor,
  link: LinkRef,
): Promise<LatencyAdvice['other']> {
  const refs =
    link.kind === 'input'
      ? (await edgesBefore(ctx, [link], 1)).map(({ before }) => before)
      : [...(await receiversOf(ctx, [link])).values()].flat()
  let found: LatencyAdvice['other'] = null
  for (const { kind, id } of refs) {
    if (kind !== 'feeder' && kind !== 'input' && kind !== 'output') continue
    const [details] = await hopDetailsStore.DETAILS_OF[kind](ctx.db, [id])
    if (details === undefined || details.link === null || !details.isEnabled) continue
    const { title, link: settings } = details
    if (!maySeeObject(ctx, actor, { kind, id })) return null
    if (found !== null) return null
    found = { kind, id, title, latencyMs: settings.latencyMs }
  }
  return found
}

/** What the ends of an SRT link agreed on for the stream, as one of them reports it. */
function negotiatedOf(ctx: Context, ends: readonly LinkRef[]): number | null {
  for (const { kind, id } of ends) {
    const status = ctx.board.program(programIdOf(kind, id))
    const facts = status?.observed?.peerFacts ?? null
    if (facts?.latencyOf === 'stream' && facts.latencyMs !== null) return facts.latencyMs
  }
  return null
}

/** `receiver`: the end whose loss counts; null where that is not known. */
async function measure(
  ctx: Context,
  link: LinkRef,
  receiver: LinkRef | null,
): Promise<MeasuredPath | null> {
  const stepS = LATENCY_STEP_MS / 1000
  const [own, far] = [link, receiver].map((end) => end && programIdOf(end.kind, end.id))
  const samples = await historyStore.list(
    ctx.db,
    [...new Set([own, far])].flatMap((name) => name ?? []),
    { stepS, fromS: stepStartS(ctx.clock() - LATENCY_SPAN_MS, stepS) },
  )
  const stepsOf = (name: string | null | undefined) => samples.get(name ?? '') ?? []
  return measuredPath(stepsOf(own), receiver === null ? null : stepsOf(far))
}

function neededBy(measured: MeasuredPath | null, ends: LatencyEnds): LatencyAdvice['needed'] {
  if (measured === null || measured.loss === null) return null
  if (measured.steps < LATENCY_LEAST_STEPS) return null
  const lossPercent = measured.loss.worstPercent
  const latencyMs = neededLatencyMs({ rttMs: measured.rttMs.p95, lossPercent })
  const verdict = latencyVerdict(appliedLatency(ends), latencyMs)
  return { latencyMs, multiplier: rttMultiplier(lossPercent), verdict }
}
