/** One feeder, input or output as its row shows it: pushed, or asked for while nothing is pushed. */
import type { InputType } from '@trunkline/contract/contributions/input.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { type StateView, viewOfLink } from '@trunkline/contract/fleet/state-view.rules'
import { useFreshness, useProgram } from '../../lib/live-hooks.ts'
import { durationText } from '../../shared/format.ts'

export interface LinkView {
  view: StateView
  status: ProgramStatus | null
  reading: LinkReading | null
  nowMs: number
  /** '' when it does not run or does not say. */
  uptime: string
  /** False too when the API says so of one that the list still has as enabled (CON-IN-16). */
  isEnabled: boolean
}

interface Watched {
  kind: 'feeder' | 'input' | 'output'
  id: string
  isEnabled: boolean
  /** Null for what is no input. */
  inputType: InputType | null
}

/** An answer to a question, which stands in for what is pushed. */
export interface Polled {
  status: ProgramStatus
  uptime: string
  isDisabled: boolean
}

/** `polled`: null while what is pushed is to be shown. */
export function useLinkView(link: Watched, polled: Polled | null): LinkView {
  const { id, ...fixed } = link
  const pushed = useProgram(link.kind, id)
  const freshness = useFreshness()
  const { nowMs } = freshness
  if (polled !== null) {
    const { status, uptime } = polled
    const asked = { nowMs, isLoaded: true, brokenSinceMs: null }
    const isEnabled = fixed.isEnabled && !polled.isDisabled
    const view = viewOfLink({ ...fixed, isEnabled, status, freshness: asked })
    return { view: processOnlyView(view), status, reading: null, nowMs, uptime, isEnabled }
  }
  return {
    view: viewOfLink({ ...fixed, status: pushed, freshness }),
    status: pushed,
    reading: readingOf(pushed),
    nowMs,
    uptime: uptimeOf(pushed, nowMs),
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

/** The answer to a poll speaks of the process only, so it cannot call the whole well. */
function processOnlyView(view: StateView): StateView {
  if (view.word !== 'Running') return { ...view, sinceMs: null }
  return {
    ...view,
    family: 'blind',
    shape: 'diamond-question',
    cause: 'link not read',
    sinceMs: null,
  }
}
