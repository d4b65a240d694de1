/** The filters of the list as they are remembered (STORE-03), and the search, which is not. */
import { useState } from 'react'
import { useRole, useSession } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { seesAllChannels, startingGroup } from '../../shared/choices/first-group.rules.ts'

export type ChannelFiltering = ReturnType<typeof useChannelFilter>

export function useChannelFilter() {
  const role = useRole()
  const hasAll = seesAllChannels(role)
  const ownGroupIds = useSession()?.user.groups.map((group) => group._id) ?? []
  const [groupId, setGroupId] = useState(() =>
    startingGroup({ role, ownGroupIds, remembered: storage.channelGroupId.read(), hasAll }),
  )
  const [serverId, setServerId] = useState(() => storage.channelServerId.read() ?? '')
  const [search, setSearch] = useState({ text: '', key: 0 })
  return {
    filter: { groupId, serverId, searchValue: search.text },
    setGroupId: (id: string) => {
      storage.channelGroupId.write(id)
      setGroupId(id)
    },
    setServerId: (id: string) => {
      storage.channelServerId.write(id)
      setServerId(id)
    },
    setSearch: (text: string) => setSearch((now) => ({ ...now, text })),
    /** Empties the field too: it is made anew. */
    clearSearch: () => setSearch((now) => ({ text: '', key: now.key + 1 })),
    searchKey: search.key,
    hasAll,
  }
}
