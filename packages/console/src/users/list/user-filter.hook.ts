/** Which part of the list of users is asked for: search, group, page and rows per page. */
import { USER_SORTS } from '@trunkline/contract/users/user.calls'
import { useRole, useSession } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { seesAllGroups, startingGroup } from '../../shared/choices/first-group.rules.ts'
import { TABLE_PAGE_SIZES, usePaging } from '../../shared/list/paging.hook.ts'

const PAGING = { sizes: TABLE_PAGE_SIZES, rowsEntry: storage.tableRowsPerPage }

export type UserFilter = ReturnType<typeof useUserFilter>

export function useUserFilter(isShown: boolean) {
  const role = useRole()
  const ownGroupIds = useSession()?.user.groups.map((group) => group._id) ?? []
  const paging = usePaging({
    ...PAGING,
    named: {
      list: 'users',
      sorts: USER_SORTS,
      filters: {
        group: () => startingGroup({ role, ownGroupIds, remembered: storage.userGroupId.read() }),
      },
      isShown,
    },
  })
  const groupId = paging.filters.group
  return {
    ...paging,
    groupId,
    hasAllGroups: seesAllGroups(role),
    list: {
      searchText: paging.search,
      groupId,
      page: paging.page,
      rowsPerPage: paging.rowsPerPage,
      ...paging.sorted,
    },
    setGroupId: (group: string) => {
      storage.userGroupId.write(group)
      paging.setFilters({ group })
    },
  }
}
