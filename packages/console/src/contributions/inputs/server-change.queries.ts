/** What the dialog 'Change server' reads. */
import { queryOptions } from '@tanstack/react-query'
import { countFeedersTo } from '@trunkline/contract/encoders/feeder.calls'
import { call } from '../../lib/call.ts'
import type { FeedersTo } from './server-change.rules.ts'

/** Those that send to the old server go on doing so. */
export function feedersToQuery(serverId: string) {
  return queryOptions({
    queryKey: ['encoder', 'feeders-to', serverId],
    queryFn: async ({ signal }): Promise<FeedersTo[]> => {
      const { data } = await call(countFeedersTo, { query: { serverId }, signal })
      return data.map((port) => ({ serverId, ...port }))
    },
  })
}
