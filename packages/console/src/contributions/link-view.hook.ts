/** An input or output as its row shows it: pushed, or asked for while nothing is pushed. */
import { contributionChip } from '@trunkline/contract/program-state'
import { usePolledStatus } from '../programs/status/polled-status.hook.ts'
import { type ProgramView, useProgramView } from '../programs/status/program-view.hook.ts'
import { useIsRefreshing } from '../shared/list/refresh.hook.ts'
import { linkStatusQuery } from './contribution.queries.ts'
import { type Link, statusFromReply } from './link.rules.ts'

export function useLinkView(link: Link): ProgramView {
  const { kind, id, isEnabled, type } = link
  // CON-IN-40: a refresh stops the polling until everything is read anew.
  const isHeld = useIsRefreshing(kind)
  // CON-IN-18 to CON-IN-20: Local and disabled ones are never asked.
  const polled = usePolledStatus({
    mayAsk: isEnabled && type !== 'Local',
    queryFor: (isAsked) => linkStatusQuery(link, isAsked && !isHeld),
    statusOf: (reply, readAtMs) => statusFromReply(link, reply, readAtMs),
    isDisabledBy: (reply) => contributionChip(reply) === 'Disabled',
  })
  const inputType = kind === 'input' ? type : null
  return useProgramView({ kind, id, isEnabled, isConfigured: true, inputType }, polled)
}
