/** Groups of people and equipment, and who leads each. */
import { GROUP_SORTS } from '@trunkline/contract/groups/group.calls'
import type { Group } from '@trunkline/contract/groups/group.schema'
import { useState } from 'react'
import { usePageQuery } from '../shared/page/page-query.hook.ts'
import { ROW_FOCUS } from '../lib/row-keys.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { storage } from '../lib/storage.ts'
import { UNKNOWN } from '../shared/format.ts'
import { ListTools } from '../shared/list/ListTools.tsx'
import { PagedTable } from '../shared/list/PagedTable.tsx'
import { TABLE_PAGE_SIZES, usePaging } from '../shared/list/paging.hook.ts'
import { TablePage } from '../shared/list/TablePage.tsx'
import { PageHead } from '../shared/page/PageHead.tsx'
import { Button } from '../ui/button/Button.tsx'
import { RowButton } from '../ui/button/RowButton.tsx'
import { Empty } from '../ui/notice/Notice.tsx'
import { type Column, ButtonsCell, NameButton, Row } from '../ui/table/Table.tsx'
import { useGroupMenu } from './group-menu.hook.ts'
import { useIsRemoved } from './group.actions.ts'
import { LIST_FAILED } from './group.messages.ts'
import { groupPageQuery } from './group.queries.ts'
import { managerName } from './group.rules.ts'
import { GroupDialog } from './GroupDialog.tsx'
import classes from './GroupsPage.module.css'

const COLUMNS: readonly Column[] = [
  { head: 'Group Name', stays: true, sort: 'title', width: [280, 220] },
  { head: 'Description' },
  { head: 'Group Manager', width: [240, 180] },
  { head: 'Actions', width: 108, align: 'buttons' },
]
const PAGING = {
  sizes: TABLE_PAGE_SIZES,
  rowsEntry: storage.tableRowsPerPage,
  named: { list: 'groups' as const, sorts: GROUP_SORTS, filters: {} },
}

export function GroupsPage() {
  const paging = usePaging(PAGING)
  const { page, rowsPerPage, search: searchText, sorted } = paging
  const answer = usePageQuery(groupPageQuery({ searchText, page, rowsPerPage, ...sorted }))
  const [edited, setEdited] = useState<Group | 'new' | null>(null)
  const add = () => setEdited('new')
  useShortcut('n', add)
  return (
    <TablePage>
      <PageHead
        title="Groups"
        tools={
          <ListTools
            kind="group"
            searchLabel="Search groups"
            paging={paging}
            add={
              <Button tone="primary" icon="plus" onClick={add}>
                Add group
              </Button>
            }
          />
        }
      />
      <PagedTable
        label="Groups"
        columns={COLUMNS}
        answer={answer}
        rows={answer.data?.data}
        total={answer.data?.total ?? 0}
        paging={paging}
        sizes={TABLE_PAGE_SIZES}
        rowHeight={36}
        failedText={LIST_FAILED}
        empty={<NoGroups onAdd={add} />}
        rowOf={(group) => <GroupRow key={group.id} group={group} onEdit={() => setEdited(group)} />}
      />
      {edited !== null && (
        <GroupDialog group={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </TablePage>
  )
}

function NoGroups({ onAdd }: { onAdd: () => void }) {
  return (
    <Empty title="No groups yet" action={<Button onClick={onAdd}>Add group</Button>}>
      A group holds people and equipment that belong together. Its manager runs it, and its people
      see nothing outside it.
    </Empty>
  )
}

interface GroupRowProps {
  group: Group
  onEdit: () => void
}

function GroupRow({ group, onEdit }: GroupRowProps) {
  const actions = useGroupMenu(group, onEdit)
  const isRemoved = useIsRemoved(group)
  const manager = managerName(group)
  return (
    <Row isBusy={isRemoved}>
      <th scope="row" data-phone="1">
        <NameButton {...ROW_FOCUS} title={group.title} onClick={onEdit}>
          {group.title}
        </NameButton>
      </th>
      <td className={classes.quiet} title={group.description} data-phone="3">
        {group.description === '' ? UNKNOWN : group.description}
      </td>
      <td className={classes.quiet} title={manager} data-phone="2">
        {manager === '' ? UNKNOWN : manager}
      </td>
      <ButtonsCell>
        {actions.map((action) => (
          <RowButton key={action.icon} action={action} />
        ))}
      </ButtonsCell>
    </Row>
  )
}
