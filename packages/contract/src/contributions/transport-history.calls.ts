/** What was counted in the transport stream of a link over time. */
import { z } from 'zod'
import { ErrorSpan, TransportFigures } from '../fleet/transport-history.schema.ts'
import { route } from '../route.ts'
import { success } from '../reply.schema.ts'

export const TRANSPORT_SPANS = ['1h', '24h', '7d'] as const
export const TransportSpan = z.enum(TRANSPORT_SPANS)
export type TransportSpan = z.infer<typeof TransportSpan>
/** Length of a span, and of the step that its points stand for, in milliseconds. */
export const TRANSPORT_STEPS: Readonly<
  Record<TransportSpan, { lengthMs: number; stepMs: number }>
> = {
  '1h': { lengthMs: 3_600_000, stepMs: 60_000 },
  '24h': { lengthMs: 86_400_000, stepMs: 60_000 },
  '7d': { lengthMs: 7 * 86_400_000, stepMs: 3_600_000 },
}

/** Newest first; older ones are in the points. */
export const ERROR_SPANS_SHOWN = 100

/** One step; one in which the stream was not looked at has no point. */
export const TransportPoint = TransportFigures.extend({
  /** Where the step begins, API clock. */
  atMs: z.number(),
})
export type TransportPoint = z.infer<typeof TransportPoint>

/**
 * Right by kind, as for reading the link itself: the service decides. A feeder goes by its name.
 * `points` end a minute or two before now: a minute comes when it is over.
 */
export const transportHistory = route({
  name: 'links.transportHistory',
  method: 'GET',
  path: '/api/transport-history/:kind/:id',
  action: 'readFeeder',
  params: z.object({
    kind: z.enum(['feeder', 'input', 'output']),
    id: z.string().min(1).max(64),
  }),
  query: z.strictObject({ span: TransportSpan.default('1h') }),
  reply: success({
    data: z.object({
      fromMs: z.number(),
      toMs: z.number(),
      stepMs: z.number(),
      /** In order of time. */
      points: z.array(TransportPoint),
      /** When something was wrong, newest first. */
      errors: z.array(ErrorSpan),
      /** All of the span, answered or not. */
      errorCount: z.number(),
    }),
  }),
})
