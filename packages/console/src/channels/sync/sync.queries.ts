/** What the Sync dialog reads: once, when it comes to the second step, so that no tick moves. */
import { queryOptions } from '@tanstack/react-query'
import { listChannels, readStreams } from '@trunkline/contract/channels/channel.calls'
import { call } from '../../lib/call.ts'
import { listOf } from './sync.rules.ts'

export function syncListQuery(serverId: string) {
  return queryOptions({
    // Not under 'channel': what others do meanwhile must not read the list anew.
    queryKey: ['sync', serverId],
    queryFn: async ({ signal }) => {
      const everywhere = { serverId, groupId: '', searchValue: '' }
      const [answer, known] = await Promise.all([
        call(readStreams, { query: { serverId }, signal }),
        call(listChannels, { body: everywhere, signal }),
      ])
      return listOf(answer.streams?.streams ?? [], known.data)
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
}
