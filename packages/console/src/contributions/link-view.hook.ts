/** One link as its row shows it: pushed, or asked for while nothing is pushed. */
import { useQuery } from '@tanstack/react-query'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { type StateView, viewOfLink } from '@trunkline/contract/fleet/state-view.rules'
import { uptimeFromResults } from '@trunkline/contract/program-state'
import { useConnection, useFreshness, useLostShare, useProgram } from '../lib/live-hooks.ts'
import { durationText } from '../shared/format.ts'
import { linkStatusQuery } from './contribution.queries.ts'
import { type Link, statusFromReply } from './link.rules.ts'

export interface LinkView {
  view: StateView
  status: ProgramStatus | null
  reading: LinkReading | null
  nowMs: number
  /** '' when it does not run or does not say. */
  uptime: string
}

export function useLinkView(link: Link): LinkView {
  const pushed = useProgram(link.kind, link.id)
  const lostShare = useLostShare(link.kind, link.id)
  const freshness = useFreshness()
  const polled = usePolled(link)
  const { nowMs } = freshness
  const fixed = {
    kind: link.kind,
    isEnabled: link.isEnabled,
    inputType: link.kind === 'input' ? link.type : null,
  }
  if (polled !== null) {
    const { status, uptime } = polled
    const asked = { nowMs, isLoaded: true, brokenSinceMs: null }
    const view = viewOfLink({ ...fixed, status, lostShare: null, freshness: asked })
    return { view: onItsWordAlone(view), status, reading: null, nowMs, uptime }
  }
  return {
    view: viewOfLink({ ...fixed, status: pushed, lostShare, freshness }),
    status: pushed,
    reading: pushed?.reading?.kind === 'link' ? pushed.reading : null,
    nowMs,
    uptime: uptimeOf(pushed, nowMs),
  }
}

function uptimeOf(status: ProgramStatus | null, nowMs: number): string {
  if (status?.state !== 'running' || status.startedAtMs === null) return ''
  return durationText(nowMs - status.startedAtMs)
}

/** The answer to a poll speaks of the process only, so it cannot call the whole well. */
function onItsWordAlone(view: StateView): StateView {
  if (view.word !== 'Running') return { ...view, sinceMs: null }
  return {
    ...view,
    family: 'blind',
    shape: 'diamond-question',
    cause: 'link not read',
    sinceMs: null,
  }
}

/** CON-IN-18 to CON-IN-20: a failed poll is 'unknown'; Local and disabled ones are never asked. */
function usePolled(link: Link) {
  const isBroken = useConnection().state === 'retrying'
  const isAsked = isBroken && link.isEnabled && link.type !== 'Local'
  const poll = useQuery(linkStatusQuery(link, isAsked))
  if (!isAsked) return null
  if (poll.isError) return { status: statusFromReply(link, null, poll.errorUpdatedAt), uptime: '' }
  if (poll.data === undefined) return null
  return {
    status: statusFromReply(link, poll.data, poll.dataUpdatedAt),
    uptime: uptimeFromResults(poll.data.results),
  }
}
