/** One feeder as its row shows it: pushed, or asked for while nothing is pushed. */
import { useQuery } from '@tanstack/react-query'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { uptimeFromResults } from '@trunkline/contract/program-state'
import { useConnection } from '../../lib/live-hooks.ts'
import { type LinkView, type Polled, useLinkView } from '../../programs/status/link-view.hook.ts'
import { feederStatusQuery } from './feeder.queries.ts'
import { statusFromReply } from './feeder.rules.ts'

/** A disabled encoder has its feeders switched off too (Q65). */
export function useFeederView(encoder: Encoder, { name }: Feeder): LinkView {
  const { isEnabled } = encoder
  const polled = usePolled(encoder, name)
  return useLinkView({ kind: 'feeder', id: name, isEnabled, inputType: null }, polled)
}

/** FEED-07, Q93: an answer that failed is 'unknown', never 'Running'. */
function usePolled(encoder: Encoder, name: string): Polled | null {
  const isAsked = useConnection().state === 'retrying' && encoder.isEnabled
  const poll = useQuery(feederStatusQuery(encoder._id, name, isAsked))
  if (!isAsked) return null
  if (poll.isError) {
    const status = statusFromReply(name, null, poll.errorUpdatedAt)
    return { status, uptime: '', isDisabled: false }
  }
  if (poll.data === undefined) return null
  return {
    status: statusFromReply(name, poll.data, poll.dataUpdatedAt),
    uptime: uptimeFromResults(poll.data.results),
    isDisabled: false,
  }
}
