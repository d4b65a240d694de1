/** Which latency an SRT or RIST link needs, by what it measured in the last hour. */
import { z } from 'zod'
import { route } from '../route.ts'
import { LATENCY_VERDICTS } from './latency.rules.ts'
import { success } from '../reply.schema.ts'

export const LatencyLinkKind = z.enum(['feeder', 'input', 'output'])
export type LatencyLinkKind = z.infer<typeof LatencyLinkKind>

/** History is looked at for so long, in steps of so many seconds. */
export const LATENCY_SPAN_MS = 3_600_000
export const LATENCY_STEP_MS = 10_000
/** Five minutes with a peer: fewer steps say too little. */
export const LATENCY_LEAST_STEPS = 30

/** What the readings of the last hour say of the path between the two ends. */
export const MeasuredPath = z.object({
  /** Steps of ten seconds in which an RTT was read. */
  steps: z.number(),
  /** Where the first of them begins and the last ends, API clock. */
  firstAtMs: z.number(),
  lastAtMs: z.number(),
  /** Each step counts with its highest. */
  rttMs: z.object({ median: z.number(), p95: z.number(), highest: z.number() }),
  /** Null while no packets were counted. */
  loss: z
    .object({
      /** Of all packets of the hour. */
      percent: z.number(),
      /** Of the minutes of the hour the 95th percentile. */
      worstPercent: z.number(),
      /**
       * receiver: missing at first try, as a receiver of ours counted. sender: retransmitted, which
       * is at most too much: the same packet may be asked for twice.
       */
      countedBy: z.enum(['receiver', 'sender']),
    })
    .nullable(),
})
export type MeasuredPath = z.infer<typeof MeasuredPath>

export const LatencyAdvice = z.object({
  protocol: z.enum(['srt', 'rist']),
  isReceiver: z.boolean(),
  /** As set at this end: of SRT the latency, of RIST the buffer. */
  ownMs: z.number(),
  /** The other end, where it is a link that the caller may see; null when it is not known. */
  other: z
    .object({
      kind: LatencyLinkKind,
      id: z.string(),
      title: z.string(),
      latencyMs: z.number(),
    })
    .nullable(),
  /** Of SRT: as the two ends agreed on; null while the tool does not report it. */
  negotiatedMs: z.number().nullable(),
  measured: MeasuredPath.nullable(),
  /** Null while too little was measured. */
  needed: z
    .object({ latencyMs: z.number(), multiplier: z.number(), verdict: z.enum(LATENCY_VERDICTS) })
    .nullable(),
})
export type LatencyAdvice = z.infer<typeof LatencyAdvice>

/**
 * Made when somebody asks, from the stored history of this link and its other end. Right by kind, as
 * for reading the link itself: the service decides. A feeder goes by its name.
 */
export const readLatencyAdvice = route({
  name: 'paths.latency',
  method: 'GET',
  path: '/api/latency-advice/:kind/:id',
  action: 'readFeeder',
  params: z.object({ kind: LatencyLinkKind, id: z.string().min(1).max(64) }),
  reply: success({ data: LatencyAdvice }),
})
