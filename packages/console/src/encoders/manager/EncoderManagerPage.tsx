/** Every encoder as a row: its record, whether its host answers, and what is done to a record. */
import { ENCODER_SORTS } from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { controlFor } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { usePreload } from '../../lib/later.ts'
import { usePageQuery } from '../../shared/page/page-query.hook.ts'
import { useRole, useSession } from '../../lib/session.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { ENROLMENT_DIALOG } from '../../shared/enrolment/enrolment.loader.ts'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { GroupPicker } from '../../shared/choices/GroupPicker.tsx'
import { ListTools } from '../../shared/list/ListTools.tsx'
import { PagedTable } from '../../shared/list/PagedTable.tsx'
import { PageHead } from '../../shared/page/PageHead.tsx'
import { TablePage } from '../../shared/list/TablePage.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import type { Column } from '../../ui/table/Table.tsx'
import { ENCODER_DIALOG } from '../record/encoder-dialog.loader.ts'
import { LIST_FAILED } from '../record/encoder-record.messages.ts'
import { managedEncodersQuery, type ManagedList } from '../record/encoder-record.queries.ts'
import { EncoderRow } from './EncoderRow.tsx'
import { CARRY_DIALOG, CLONE_ENCODER, SELECT_USERS, SOON_WANTED } from './manager-parts.loader.ts'
import { storage } from '../../lib/storage.ts'
import { seesAllGroups, startingGroup } from '../../shared/choices/first-group.rules.ts'
import { usePaging } from '../../shared/list/paging.hook.ts'

/** ENC-01. */
const COLUMNS: readonly Column[] = [
  // A row begins with its edge.
  { head: 'Name', stays: true, sort: 'name', width: [208, 136] },
  { head: 'Title', stays: true, sort: 'title' },
  { head: 'IP', sort: 'ip', width: 128 },
  { head: 'port', sort: 'port', width: 68 },
  { head: 'email', sort: 'email', width: [196, 124] },
  { head: 'Group', width: [132, 104] },
  { head: 'Status', width: [304, 256] },
  { head: 'Actions', width: 158, align: 'buttons' },
]

type Opened =
  | { dialog: 'add' }
  | { dialog: 'edit' | 'users' | 'clone' | 'carry' | 'secure'; encoder: Encoder }

export function EncoderManagerPage() {
  const list = useManagerList()
  const answer = usePageQuery(managedEncodersQuery(list.list))
  usePreload(answer.data !== undefined, SOON_WANTED)
  const [opened, setOpened] = useState<Opened | null>(null)
  const mayAdd = controlFor(useRole(), 'addEncoder') === 'usable'
  const add = () => setOpened({ dialog: 'add' })
  const close = () => setOpened(null)
  useShortcut('n', () => {
    if (mayAdd) add()
  })
  return (
    <TablePage>
      <PageHead
        title="Encoders"
        tools={
          <ListTools
            kind="encoder"
            searchLabel="Search encoders"
            paging={list}
            csv="encoder"
            add={
              mayAdd && (
                <Button tone="primary" icon="plus" onClick={add}>
                  Add encoder
                </Button>
              )
            }
          >
            <GroupPicker
              value={list.groupId}
              onChange={list.setGroupId}
              hasAll={list.hasAllGroups}
            />
          </ListTools>
        }
      />
      <PagedTable
        label="Encoders"
        columns={COLUMNS}
        answer={answer}
        rows={answer.data?.encoders}
        total={answer.data?.total ?? 0}
        paging={list}
        sizes={MANAGER_PAGE_SIZES}
        rowHeight={36}
        failedText={LIST_FAILED}
        empty={<NoEncoders onAdd={mayAdd ? add : null} />}
        rowOf={(encoder) => (
          <EncoderRow
            key={encoder._id}
            encoder={encoder}
            onEdit={() => setOpened({ dialog: 'edit', encoder })}
            onUsers={() => setOpened({ dialog: 'users', encoder })}
            onClone={() => setOpened({ dialog: 'clone', encoder })}
            onCarry={() => setOpened({ dialog: 'carry', encoder })}
            onSecure={() => setOpened({ dialog: 'secure', encoder })}
          />
        )}
      />
      {(opened?.dialog === 'add' || opened?.dialog === 'edit') && (
        <LaterDialog
          part={ENCODER_DIALOG}
          props={{ encoder: opened.dialog === 'edit' ? opened.encoder : null, onClose: close }}
        />
      )}
      {opened?.dialog === 'clone' && (
        <LaterDialog part={CLONE_ENCODER} props={{ encoder: opened.encoder, onClose: close }} />
      )}
      {opened?.dialog === 'carry' && (
        <LaterDialog part={CARRY_DIALOG} props={{ encoder: opened.encoder, onClose: close }} />
      )}
      {opened?.dialog === 'secure' && (
        <LaterDialog
          part={ENROLMENT_DIALOG}
          props={{
            object: { kind: 'encoder', id: opened.encoder._id, title: opened.encoder.title },
            onClose: close,
          }}
        />
      )}
      {opened?.dialog === 'users' && (
        <LaterDialog part={SELECT_USERS} props={{ encoder: opened.encoder, onClose: close }} />
      )}
    </TablePage>
  )
}

function NoEncoders({ onAdd }: { onAdd: (() => void) | null }) {
  return (
    <Empty
      title="No encoders here"
      action={onAdd === null ? undefined : <Button onClick={onAdd}>Add encoder</Button>}
    >
      An encoder turns a camera into a stream. There is none in this group that you may see.
    </Empty>
  )
}

/** ENC-02: the only choice, so the one remembered for other tables is left alone. */
export const MANAGER_PAGE_SIZES = [12] as const
const PAGING = { sizes: MANAGER_PAGE_SIZES, rowsEntry: storage.tableRowsPerPage }

/** Which part of the table is asked for: page, search and group. */
function useManagerList() {
  const session = useSession()
  const role = useRole()
  const paging = usePaging({
    ...PAGING,
    named: {
      list: 'encoders',
      sorts: ENCODER_SORTS,
      filters: {
        group: () =>
          startingGroup({
            role,
            ownGroupIds: session?.user.groups.map((group) => group._id) ?? [],
            remembered: storage.encoderGroupId.read(),
          }),
      },
    },
  })
  const { page, rowsPerPage, search: searchValue, sorted } = paging
  const groupId = paging.filters.group
  const list: ManagedList = { page, rowsPerPage, searchValue, groupId, ...sorted }
  return {
    ...paging,
    list,
    groupId,
    hasAllGroups: seesAllGroups(role),
    setGroupId: (group: string) => {
      storage.encoderGroupId.write(group)
      paging.setFilters({ group })
    },
  }
}
