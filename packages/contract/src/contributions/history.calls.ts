/** What encoders, links and channels measured over time. */
import { z } from 'zod'
import { PROGRAM_KINDS } from '../fleet/fleet.schema.ts'
import { route } from '../route.ts'
import { success } from '../reply.schema.ts'

export const HISTORY_SPANS = ['5m', '1h', '24h'] as const
export const HistorySpan = z.enum(HISTORY_SPANS)
export type HistorySpan = z.infer<typeof HistorySpan>
/** Length of a span, and of the step that its points stand for, in milliseconds. */
export const HISTORY_STEPS: Readonly<Record<HistorySpan, { lengthMs: number; stepMs: number }>> = {
  '5m': { lengthMs: 300_000, stepMs: 10_000 },
  '1h': { lengthMs: 3_600_000, stepMs: 10_000 },
  '24h': { lengthMs: 86_400_000, stepMs: 60_000 },
}

/** Of a channel the rate of its input is kept, as its media server says it. */
export const HistoryKind = z.enum([...PROGRAM_KINDS, 'channel'])
export type HistoryKind = z.infer<typeof HistoryKind>

/** One step; of an encoder or channel only its bitrate is measured. Bursts survive as `min` and `max`; a step without a reading has no point. */
export const LinkPoint = z.object({
  /** Where the step begins, API clock. */
  atMs: z.number(),
  bitrateKbps: z.object({ min: z.number(), avg: z.number(), max: z.number() }),
  /** The highest within the step. */
  rttMs: z.number().nullable(),
  /** Within the step. */
  packets: z.number(),
  /** Null of feeders and outputs, as is `droppedPackets`: a sending end cannot know it. */
  lostPackets: z.number().nullable(),
  retransmittedPackets: z.number(),
  droppedPackets: z.number().nullable(),
})
export type LinkPoint = z.infer<typeof LinkPoint>

/** As many as a page of the largest size but 'All' shows: one call fills its sparklines. */
export const HISTORY_LINKS = 112
/** In one answer: five minutes of all of them, a day of ten. More would keep everybody else waiting. */
const MOST_POINTS = 15_000

function pointsOf(span: HistorySpan): number {
  const { lengthMs, stepMs } = HISTORY_STEPS[span]
  return lengthMs / stepMs
}

/**
 * Of encoders, links or channels that the caller may see; others are left out without a word. A
 * feeder goes by its name.
 * Right by kind, as with `contributions.action`: the service decides.
 */
export const linkHistory = route({
  name: 'links.history',
  method: 'GET',
  path: '/api/contribution/history',
  action: 'readFeeder',
  query: z
    .strictObject({
      kind: HistoryKind,
      /** Separated by commas. */
      ids: z
        .string()
        .min(1)
        .max(HISTORY_LINKS * 65)
        .transform((text) => [...new Set(text.split(','))])
        .pipe(z.array(z.string().min(1).max(64)).max(HISTORY_LINKS)),
      span: HistorySpan.default('5m'),
    })
    .refine(({ ids, span }) => ids.length * pointsOf(span) <= MOST_POINTS, {
      path: ['ids'],
      error: ({ input }) => {
        const { span } = input as { span: HistorySpan }
        const most = Math.floor(MOST_POINTS / pointsOf(span))
        return `must be at most ${most} links for ${span}. Ask for fewer at a time.`
      },
    }),
  reply: success({
    fromMs: z.number(),
    toMs: z.number(),
    stepMs: z.number(),
    series: z.array(z.object({ id: z.string(), points: z.array(LinkPoint) })),
  }),
})
