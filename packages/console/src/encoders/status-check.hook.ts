/** The status check of one encoder: asked for while nothing is pushed, and when a deed wants it. */
import { useQuery } from '@tanstack/react-query'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { Freshness } from '@trunkline/contract/fleet/state-view.rules'
import type { EncoderStatusReply } from '@trunkline/contract/program-state'
import { encoderStatusQuery } from './encoder.queries.ts'
import { isAskedForStatus } from './encoder.rules.ts'

/** A connection that comes back at once needs no questions in between. */
const ASKED_AFTER_MS = 3000

export interface StatusCheck {
  /** True while the checks stand in for the push. */
  isAsked: boolean
  /** The last answer; null when there is none, or the last question failed. */
  reply: EncoderStatusReply | null
  /** When it came, by this browser's clock. */
  readAtMs: number
  /** Asks at once, push or not. */
  askNow: () => Promise<unknown>
}

/** Ends with the page: a question in flight is aborted (ENC-34). */
export function useStatusCheck(encoder: Encoder, freshness: Freshness): StatusCheck {
  const { brokenSinceMs, nowMs } = freshness
  const isBroken = brokenSinceMs !== null && nowMs - brokenSinceMs > ASKED_AFTER_MS
  const isAsked = isBroken && isAskedForStatus(encoder)
  const query = useQuery(encoderStatusQuery(encoder._id, isAsked))
  return {
    isAsked,
    reply: query.isError ? null : (query.data ?? null),
    readAtMs: query.dataUpdatedAt,
    askNow: query.refetch,
  }
}
