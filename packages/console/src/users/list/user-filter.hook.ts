/** Which part of the list of users is asked for: search, group, page and rows per page. */
import { useState } from 'react'
import { useRole, useSession } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { seesAllGroups, startingGroup } from '../../shared/choices/first-group.rules.ts'
import { useAskedSearch } from '../../shared/list/asked-search.hook.ts'
import { TABLE_PAGE_SIZES, usePaging } from '../../shared/list/paging.hook.ts'

const PAGING = { sizes: TABLE_PAGE_SIZES, rowsEntry: storage.tableRowsPerPage }

export type UserFilter = ReturnType<typeof useUserFilter>

export function useUserFilter() {
  const role = useRole()
  const ownGroupIds = useSession()?.user.groups.map((group) => group._id) ?? []
  const paging = usePaging({ ...PAGING, asked: useAskedSearch() })
  const [groupId, setGroupId] = useState(() =>
    startingGroup({ role, ownGroupIds, remembered: storage.userGroupId.read() }),
  )
  return {
    ...paging,
    groupId,
    hasAllGroups: seesAllGroups(role),
    list: {
      searchText: paging.search,
      groupId,
      page: paging.page,
      rowsPerPage: paging.rowsPerPage,
    },
    setGroupId: (id: string) => {
      storage.userGroupId.write(id)
      setGroupId(id)
      paging.setPage(0)
    },
  }
}
