/** Who may sign in, with which role and in which groups; what a role may not do is not there. */
import { controlFor } from '@trunkline/contract/role-table'
import { isAdminLevel } from '@trunkline/contract/roles'
import type { User } from '@trunkline/contract/users/user.schema'
import { useState } from 'react'
import { usePageQuery } from '../../shared/page/page-query.hook.ts'
import { useSession } from '../../lib/session.ts'
import { GroupPicker } from '../../shared/choices/GroupPicker.tsx'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { AddButton } from '../../shared/list/AddButton.tsx'
import { ListTools } from '../../shared/list/ListTools.tsx'
import { PagedTable } from '../../shared/list/PagedTable.tsx'
import { TABLE_PAGE_SIZES } from '../../shared/list/paging.hook.ts'
import { Empty } from '../../ui/notice/Notice.tsx'
import { ACCOUNT_DIALOG } from '../account/account.loader.ts'
import { useActing } from '../acting.hook.ts'
import { AddUserDialog } from '../form/AddUserDialog.tsx'
import { EditUserDialog } from '../form/EditUserDialog.tsx'
import { SELECT_GROUP_DIALOG } from '../form/select-group.loader.ts'
import { LIST_FAILED } from '../user.messages.ts'
import { usersQuery } from '../user.queries.ts'
import type { UserFilter } from './user-filter.hook.ts'
import { UserRow } from './UserRow.tsx'

type Opened = { dialog: 'edit' | 'group'; user: User }

export function UserTable({ filter }: { filter: UserFilter }) {
  const acting = useActing()
  const me = useSession()?.user
  const answer = usePageQuery(usersQuery(filter.list))
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  if (acting === null || me === undefined) return null
  return (
    <>
      <PagedTable
        label="Users"
        columns={[
          { head: 'User Name', stays: true, sort: 'name', isOwnOrder: true },
          { head: 'Email', sort: 'email' },
          { head: 'Role', sort: 'role', width: [132, 96] },
          { head: 'Actions', width: [148, 132], align: 'buttons' },
        ]}
        answer={answer}
        rows={answer.data?.data}
        total={answer.data?.total ?? 0}
        paging={filter}
        sizes={TABLE_PAGE_SIZES}
        rowHeight={36}
        failedText={LIST_FAILED}
        empty={
          <Empty title="Nobody is in this group yet">
            {isAdminLevel(acting.role)
              ? 'Add a user, or use Add to group on another user.'
              : 'Ask the manager of the group to add a user.'}
          </Empty>
        }
        rowOf={(user) => (
          <UserRow
            key={user._id}
            user={user}
            acting={acting}
            onEdit={() => setOpened({ dialog: 'edit', user })}
            onGroup={() => setOpened({ dialog: 'group', user })}
          />
        )}
      />
      {opened?.dialog === 'group' && (
        <LaterDialog part={SELECT_GROUP_DIALOG} props={{ user: opened.user, onClose: close }} />
      )}
      {opened?.dialog === 'edit' &&
        (opened.user._id === acting.id ? (
          <LaterDialog part={ACCOUNT_DIALOG} props={{ user: me, onClose: close }} />
        ) : (
          <EditUserDialog acting={acting} user={opened.user} onClose={close} />
        ))}
    </>
  )
}

/** Search, group filter, refresh, and for who may: Add user (USER-03, USER-06). */
export function UserTools({ filter }: { filter: UserFilter }) {
  const acting = useActing()
  const mayAdd = acting !== null && controlFor(acting.role, 'addUser') === 'usable'
  return (
    <ListTools
      kind="user"
      searchLabel="Search users"
      paging={filter}
      csv="user"
      add={
        mayAdd && (
          <AddButton
            label="Add user"
            dialogOf={(onClose) => <AddUserDialog acting={acting} onClose={onClose} />}
          />
        )
      }
    >
      <GroupPicker
        value={filter.groupId}
        onChange={filter.setGroupId}
        hasAll={filter.hasAllGroups}
      />
    </ListTools>
  )
}
