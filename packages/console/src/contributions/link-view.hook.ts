/** An input or output as its row shows it: pushed, or asked for while nothing is pushed. */
import { useQuery } from '@tanstack/react-query'
import { contributionChip, uptimeFromResults } from '@trunkline/contract/program-state'
import { useConnection } from '../lib/live-hooks.ts'
import {
  type LinkView,
  type Polled,
  useLinkView as useView,
} from '../programs/status/link-view.hook.ts'
import { linkStatusQuery } from './contribution.queries.ts'
import { useIsRefreshing } from '../shared/list/refresh.hook.ts'
import { type Link, statusFromReply } from './link.rules.ts'

export type { LinkView } from '../programs/status/link-view.hook.ts'

export function useLinkView(link: Link): LinkView {
  const { kind, id, isEnabled } = link
  const inputType = kind === 'input' ? link.type : null
  return useView({ kind, id, isEnabled, inputType }, usePolled(link))
}

/** CON-IN-18 to CON-IN-20: a failed poll is 'unknown'; Local and disabled ones are never asked. */
function usePolled(link: Link): Polled | null {
  const isBroken = useConnection().state === 'retrying'
  // CON-IN-40: a refresh stops the polling until everything is read anew.
  const isHeld = useIsRefreshing(link.kind)
  const isAsked = isBroken && link.isEnabled && link.type !== 'Local'
  const poll = useQuery(linkStatusQuery(link, isAsked && !isHeld))
  if (!isAsked) return null
  if (poll.isError) {
    const status = statusFromReply(link, null, poll.errorUpdatedAt)
    return { status, uptime: '', isDisabled: false }
  }
  if (poll.data === undefined) return null
  return {
    status: statusFromReply(link, poll.data, poll.dataUpdatedAt),
    uptime: uptimeFromResults(poll.data.results),
    isDisabled: contributionChip(poll.data) === 'Disabled',
  }
}
