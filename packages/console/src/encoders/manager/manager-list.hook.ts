/** Which part of the manager's table is asked for: page, search and group. */
import { useState } from 'react'
import { useRole, useSession } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { seesAllGroups, startingGroup } from '../../shared/choices/first-group.rules.ts'
import { usePaging } from '../../shared/list/paging.hook.ts'
import type { ManagedList } from '../record/encoder-record.queries.ts'

/** ENC-02: the only choice, so the one remembered for other tables is left alone. */
export const MANAGER_PAGE_SIZES = [12] as const
const PAGING = { sizes: MANAGER_PAGE_SIZES, rowsEntry: storage.tableRowsPerPage }

export type ManagerList = ReturnType<typeof useManagerList>

export function useManagerList() {
  const session = useSession()
  const role = useRole()
  const paging = usePaging(PAGING)
  const [groupId, setGroupId] = useState(() =>
    startingGroup({
      role,
      ownGroupIds: session?.user.groups.map((group) => group._id) ?? [],
      remembered: storage.encoderGroupId.read(),
    }),
  )
  const { page, rowsPerPage, search: searchValue } = paging
  const list: ManagedList = { page, rowsPerPage, searchValue, groupId }
  return {
    ...paging,
    list,
    groupId,
    hasAllGroups: seesAllGroups(role),
    setGroupId: (next: string) => {
      storage.encoderGroupId.write(next)
      setGroupId(next)
      paging.setPage(0)
    },
  }
}
