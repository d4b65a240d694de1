/** One encoder as its card shows it: pushed, or asked for while nothing is pushed. */
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  isStale,
  truthsOfEncoder,
  type Freshness,
  type Truth,
} from '@trunkline/contract/fleet/state-view.rules'
import { useFreshness } from '../lib/live/live-hooks.ts'
import {
  type Polled,
  type ProgramView,
  useProgramView,
} from '../programs/status/program-view.hook.ts'
import { programKey } from '@trunkline/contract/fleet/watch-key.rules'
import { durationText } from '../shared/format.ts'
import { statusFromReply, uptimeOfReply } from './encoder.rules.ts'
import { useStatusCheck } from './status-check.hook.ts'

export interface EncoderView extends ProgramView {
  truths: readonly Truth[]
}

export function useEncoderView(encoder: Encoder): EncoderView {
  const polled = usePolled(encoder)
  const known = { isEnabled: encoder.isEnabled, isConfigured: encoder.config !== null }
  const program = { kind: 'encoder', id: encoder._id, ...known, inputType: null } as const
  const shown = useProgramView(program, polled)
  const { status, freshness } = shown
  return {
    ...shown,
    truths: truthsOfEncoder({ ...known, status, freshness }),
    uptime: polled?.uptime ?? uptimeOf(shown),
  }
}

/**
 * Ticks while the process is seen to run; a host that no longer answers is shown with its last
 * known state.
 */
function uptimeOf({ status, freshness, uptime }: ProgramView): string {
  if (status === null || status.startedAtMs === null) return ''
  const seenUntilMs = lastSeenMs(status, freshness)
  return seenUntilMs === null ? uptime : `was ${durationText(seenUntilMs - status.startedAtMs)}`
}

/** Null while it is seen. */
function lastSeenMs({ state, sinceMs }: ProgramStatus, freshness: Freshness): number | null {
  if (state === 'unreachable') return sinceMs
  return state === 'running' && isStale(freshness) ? freshness.brokenSinceMs : null
}

function usePolled(encoder: Encoder): Polled | null {
  const { isAsked, reply, readAtMs } = useStatusCheck(
    encoder,
    useFreshness([programKey('encoder', encoder._id)]),
  )
  if (!isAsked || reply === null) return null
  const status = statusFromReply(encoder._id, reply, readAtMs)
  return { status, uptime: uptimeOfReply(reply), isDisabled: false }
}
