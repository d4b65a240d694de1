/** Which part of the servers is asked for: search, group, type, page and rows per page. */
import type { ServerType } from '@trunkline/contract/servers/server.schema'
import { useState } from 'react'
import { useRole, useSession } from '../lib/session.ts'
import { storage } from '../lib/storage.ts'
import { seesAllGroups, startingGroup } from '../shared/choices/first-group.rules.ts'
import { TABLE_PAGE_SIZES, usePaging } from '../shared/list/paging.hook.ts'

const PAGING = { sizes: TABLE_PAGE_SIZES, rowsEntry: storage.tableRowsPerPage }

export function useServerFilter() {
  const role = useRole()
  const ownGroupIds = useSession()?.user.groups.map((group) => group._id) ?? []
  const paging = usePaging(PAGING)
  const [groupId, setGroupId] = useState(() =>
    startingGroup({ role, ownGroupIds, remembered: storage.serverGroupId.read() }),
  )
  const [type, setType] = useState<ServerType | 'all'>('all')
  const { page, rowsPerPage, search: searchText, setPage } = paging
  const chooseGroup = (id: string) => {
    storage.serverGroupId.write(id)
    setGroupId(id)
    setPage(0)
  }
  const chooseType = (next: ServerType | 'all') => {
    setType(next)
    setPage(0)
  }
  return {
    paging,
    list: { searchText, groupId, type, page, rowsPerPage },
    hasAllGroups: seesAllGroups(role),
    isNarrowed: groupId !== '' || type !== 'all',
    setGroupId: chooseGroup,
    setType: chooseType,
    showAll: () => {
      chooseGroup('')
      chooseType('all')
    },
  }
}
