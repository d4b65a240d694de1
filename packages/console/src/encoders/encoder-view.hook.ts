/** One encoder as its card shows it: pushed, or asked for while nothing is pushed. */
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  isStale,
  truthsOfEncoder,
  viewOfEncoder,
  type Freshness,
  type StateView,
  type Truth,
} from '@trunkline/contract/fleet/state-view.rules'
import { useFreshness, useProgram } from '../lib/live-hooks.ts'
import { durationText } from '../shared/format.ts'
import { statusFromReply, uptimeOfReply } from './encoder.rules.ts'
import { useStatusCheck } from './status-check.hook.ts'

export interface EncoderView {
  view: StateView
  truths: readonly Truth[]
  status: ProgramStatus | null
  nowMs: number
  /** '' when it does not run or does not say. */
  uptime: string
}

export function useEncoderView(encoder: Encoder): EncoderView {
  const pushed = useProgram('encoder', encoder._id)
  const freshness = useFreshness()
  const polled = usePolled(encoder, freshness)
  const isConfigured = encoder.config !== null
  const { isEnabled } = encoder
  const { nowMs } = freshness
  if (polled !== null) {
    const { status, uptime } = polled
    const asked = { nowMs, isLoaded: true, brokenSinceMs: null }
    const input = { isEnabled, isConfigured, status, freshness: asked }
    const view = withoutMedia(viewOfEncoder(input))
    return { view, truths: truthsOfEncoder(input), status, nowMs, uptime }
  }
  const input = { isEnabled, isConfigured, status: pushed, freshness }
  return {
    view: viewOfEncoder(input),
    truths: truthsOfEncoder(input),
    status: pushed,
    nowMs,
    uptime: uptimeOf(pushed, freshness),
  }
}

/** Ticks while the process is seen to run; what is no longer seen is told as it was. */
function uptimeOf(status: ProgramStatus | null, freshness: Freshness): string {
  const { nowMs, brokenSinceMs } = freshness
  if (status === null || status.startedAtMs === null) return ''
  const { state, startedAtMs, sinceMs } = status
  if (state === 'unreachable') {
    return sinceMs === null ? '' : `was ${durationText(sinceMs - startedAtMs)}`
  }
  if (state !== 'running') return ''
  return isStale(freshness) && brokenSinceMs !== null
    ? `was ${durationText(brokenSinceMs - startedAtMs)}`
    : durationText(nowMs - startedAtMs)
}

/** An answer to a question speaks of the process only, so it cannot call the whole well. */
function withoutMedia(view: StateView): StateView {
  if (view.word !== 'Running') return { ...view, sinceMs: null }
  return {
    ...view,
    family: 'blind',
    shape: 'diamond-question',
    cause: 'media not read',
    sinceMs: null,
  }
}

function usePolled(encoder: Encoder, freshness: Freshness) {
  const { isAsked, reply, readAtMs } = useStatusCheck(encoder, freshness)
  if (!isAsked || reply === null) return null
  return { status: statusFromReply(encoder._id, reply, readAtMs), uptime: uptimeOfReply(reply) }
}
