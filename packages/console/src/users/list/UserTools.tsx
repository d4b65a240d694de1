/** Search, group filter, refresh, and for who may: Add user (USER-03, USER-06). */
import { controlFor } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { useShortcut } from '../../lib/shortcuts.ts'
import { GroupPicker } from '../../shared/choices/GroupPicker.tsx'
import { ListTools } from '../../shared/list/ListTools.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { useActing } from '../acting.hook.ts'
import { AddUserDialog } from '../form/AddUserDialog.tsx'
import type { UserFilter } from './user-filter.hook.ts'

export function UserTools({ filter }: { filter: UserFilter }) {
  const acting = useActing()
  const [isAdding, setAdding] = useState(false)
  const mayAdd = acting !== null && controlFor(acting.role, 'addUser') === 'usable'
  useShortcut('n', () => setAdding(true))
  return (
    <>
      <ListTools
        kind="user"
        searchLabel="Search users"
        paging={filter}
        add={
          mayAdd && (
            <Button icon="plus" tone="primary" onClick={() => setAdding(true)}>
              Add user
            </Button>
          )
        }
      >
        <GroupPicker
          value={filter.groupId}
          onChange={filter.setGroupId}
          hasAll={filter.hasAllGroups}
        />
      </ListTools>
      {isAdding && mayAdd && <AddUserDialog acting={acting} onClose={() => setAdding(false)} />}
    </>
  )
}
