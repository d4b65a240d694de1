/** One program as its row or card shows it: pushed, or asked for while nothing is pushed. */
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import {
  type Freshness,
  type StateInput,
  type StateView,
  stateView,
} from '@trunkline/contract/fleet/state-view.rules'
import { useFreshness, useProgram } from '../../lib/live/live-hooks.ts'
import { durationText } from '../../shared/format.ts'
import { programKey } from '@trunkline/contract/fleet/watch-key.rules'
import { processOnlyView } from './polled-status.rules.ts'

export interface ProgramView {
  view: StateView
  status: ProgramStatus | null
  /** Of a feeder, input or output. */
  reading: LinkReading | null
  nowMs: number
  /** How far the status may be trusted: one that was just asked for needs no live stream. */
  freshness: Freshness
  /** '' when it does not run or does not say, or nobody knows. */
  uptime: string
  /** False too when the API says so of one that the list still has as enabled (CON-IN-16). */
  isEnabled: boolean
}

type Watched = Pick<StateInput, 'kind' | 'isEnabled' | 'isConfigured' | 'inputType'> & {
  id: string
}

/** An answer to a question, which stands in for what is pushed. */
export interface Polled {
  status: ProgramStatus
  uptime: string
  isDisabled: boolean
}

/** `polled`: null while what is pushed is to be shown. */
export function useProgramView({ id, ...fixed }: Watched, polled: Polled | null): ProgramView {
  const pushed = useProgram(fixed.kind, id)
  const live = useFreshness([programKey(fixed.kind, id)])
  const { nowMs } = live
  if (polled !== null) {
    const { status, uptime } = polled
    const freshness = { nowMs, isLoaded: true, brokenSinceMs: null }
    const isEnabled = fixed.isEnabled && !polled.isDisabled
    const view = processOnlyView(fixed.kind, stateView({ ...fixed, isEnabled, status, freshness }))
    return { view, status, reading: null, nowMs, freshness, uptime, isEnabled }
  }
  const view = stateView({ ...fixed, status: pushed, freshness: live })
  return {
    view,
    status: pushed,
    reading: readingOf(pushed),
    nowMs,
    freshness: live,
    uptime: view.family === 'blind' ? '' : uptimeOf(pushed, nowMs),
    isEnabled: fixed.isEnabled,
  }
}

/** A tool may measure before its process counts as running: figures beside 'Starting' are left out. */
function readingOf(status: ProgramStatus | null): LinkReading | null {
  const isStarting = status?.state === 'starting'
  return !isStarting && status?.reading?.kind === 'link' ? status.reading : null
}

function uptimeOf(status: ProgramStatus | null, nowMs: number): string {
  if (status?.state !== 'running' || status.startedAtMs === null) return ''
  return durationText(nowMs - status.startedAtMs)
}
