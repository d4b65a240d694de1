/** The hosts that carry links and channels, and which of them answer. */
import { SERVER_SORTS } from '@trunkline/contract/servers/server.calls'
import {
  SERVER_TYPES,
  type Server,
  type ServerType,
} from '@trunkline/contract/servers/server.schema'
import { useState } from 'react'
import { LINK_TEST_DIALOG } from '../forms/link-test/link-test.loader.ts'
import { usePreload } from '../lib/later.ts'
import { usePageQuery } from '../shared/page/page-query.hook.ts'
import { useRole, useSession } from '../lib/session.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { storage } from '../lib/storage.ts'
import { TIMELINE_DIALOG } from '../programs/timeline/timeline.loader.ts'
import { seesAllGroups, startingGroup } from '../shared/choices/first-group.rules.ts'
import { ENROLMENT_DIALOG } from '../shared/enrolment/enrolment.loader.ts'
import { GroupPicker } from '../shared/choices/GroupPicker.tsx'
import { ListTools } from '../shared/list/ListTools.tsx'
import { PagedTable } from '../shared/list/PagedTable.tsx'
import { TABLE_PAGE_SIZES, usePaging } from '../shared/list/paging.hook.ts'
import { TablePage } from '../shared/list/TablePage.tsx'
import { LaterDialog } from '../shared/page/Later.tsx'
import { PageHead } from '../shared/page/PageHead.tsx'
import { Button } from '../ui/button/Button.tsx'
import { Select, type Choice } from '../ui/choice/Select.tsx'
import { Empty } from '../ui/notice/Notice.tsx'
import type { Column } from '../ui/table/Table.tsx'
import { BackupMark } from './backups/BackupMark.tsx'
import { LIST_FAILED } from './server.messages.ts'
import { serverPageQuery } from './server.queries.ts'
import { ServerDialog } from './ServerDialog.tsx'
import { ServerRow } from './ServerRow.tsx'
import { ServerTimeline } from './ServerTimeline.tsx'

const COLUMNS: readonly Column[] = [
  { head: 'Title', stays: true, sort: 'title', isOwnOrder: true },
  { head: 'Host', sort: 'host', width: [220, 170] },
  { head: 'Port', sort: 'port', width: 76, align: 'number' },
  { head: 'Groups', width: [250, 180] },
  { head: 'Status', width: [310, 270] },
  { head: 'Actions', width: 236, align: 'buttons' },
]

const TYPES: readonly Choice<ServerType | 'all'>[] = [
  { value: 'all', label: 'All types' },
  ...SERVER_TYPES.map((type) => ({ value: type, label: type })),
]

const SOON_WANTED = [TIMELINE_DIALOG, LINK_TEST_DIALOG, ENROLMENT_DIALOG]

export function ServersPage() {
  const filter = useServerFilter()
  const answer = usePageQuery(serverPageQuery(filter.list))
  usePreload(answer.data !== undefined, SOON_WANTED)
  const [edited, setEdited] = useState<Server | 'new' | null>(null)
  const [timelineOf, setTimelineOf] = useState<Server | null>(null)
  const [tested, setTested] = useState<Server | null>(null)
  const [secured, setSecured] = useState<Server | null>(null)
  const add = () => setEdited('new')
  useShortcut('n', add)
  return (
    <TablePage>
      <PageHead
        title="Servers"
        views={<BackupMark />}
        tools={<ServerTools filter={filter} onAdd={add} />}
      />
      <PagedTable
        label="Servers"
        columns={COLUMNS}
        answer={answer}
        rows={answer.data?.data}
        total={answer.data?.total ?? 0}
        paging={filter.paging}
        sizes={TABLE_PAGE_SIZES}
        rowHeight={36}
        failedText={LIST_FAILED}
        empty={filter.isNarrowed ? <NoneHere onAll={filter.showAll} /> : <NoServers onAdd={add} />}
        rowOf={(server) => (
          <ServerRow
            key={server.id}
            server={server}
            onEdit={setEdited}
            onTimeline={setTimelineOf}
            onTest={setTested}
            onSecure={setSecured}
          />
        )}
      />
      {edited !== null && (
        <ServerDialog server={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      {tested !== null && (
        <LaterDialog
          part={LINK_TEST_DIALOG}
          props={{
            ends: { fromKind: 'server', fromId: tested.id, toServerId: '' },
            onClose: () => setTested(null),
          }}
        />
      )}
      {secured !== null && (
        <LaterDialog
          part={ENROLMENT_DIALOG}
          props={{
            object: { kind: 'server', id: secured.id, title: secured.title },
            onClose: () => setSecured(null),
          }}
        />
      )}
      {timelineOf !== null && (
        <ServerTimeline server={timelineOf} onClose={() => setTimelineOf(null)} />
      )}
    </TablePage>
  )
}

interface ServerToolsProps {
  filter: ReturnType<typeof useServerFilter>
  onAdd: () => void
}

function ServerTools({ filter, onAdd }: ServerToolsProps) {
  return (
    <ListTools
      kind="server"
      searchLabel="Search servers"
      paging={filter.paging}
      add={
        <Button tone="primary" icon="plus" onClick={onAdd}>
          Add server
        </Button>
      }
    >
      <GroupPicker
        value={filter.list.groupId}
        onChange={filter.setGroupId}
        hasAll={filter.hasAllGroups}
      />
      <Select
        label="Type"
        isLabelShown
        choices={TYPES}
        value={filter.list.type}
        onChange={filter.setType}
      />
    </ListTools>
  )
}

function NoServers({ onAdd }: { onAdd: () => void }) {
  return (
    <Empty title="No servers yet" action={<Button onClick={onAdd}>Add server</Button>}>
      A server is a host that runs your inputs and outputs, or a media server whose streams become
      channels.
    </Empty>
  )
}

function NoneHere({ onAll }: { onAll: () => void }) {
  return (
    <Empty title="No servers here" action={<Button onClick={onAll}>Show all servers</Button>}>
      There is no server of this type in this group.
    </Empty>
  )
}

const PAGING = { sizes: TABLE_PAGE_SIZES, rowsEntry: storage.tableRowsPerPage }

/** Which part of the servers is asked for: search, group, type, page and rows per page. */
function useServerFilter() {
  const role = useRole()
  const ownGroupIds = useSession()?.user.groups.map((group) => group._id) ?? []
  const paging = usePaging({
    ...PAGING,
    named: {
      list: 'servers',
      sorts: SERVER_SORTS,
      filters: {
        group: () => startingGroup({ role, ownGroupIds, remembered: storage.serverGroupId.read() }),
        type: () => 'all',
      },
    },
  })
  const { page, rowsPerPage, search: searchText, sorted, filters, setFilters } = paging
  const groupId = filters.group
  const type = TYPES.find(({ value }) => value === filters.type)?.value ?? 'all'
  return {
    paging,
    list: { searchText, groupId, type, page, rowsPerPage, ...sorted },
    hasAllGroups: seesAllGroups(role),
    isNarrowed: groupId !== '' || type !== 'all',
    setGroupId: (group: string) => {
      storage.serverGroupId.write(group)
      setFilters({ group })
    },
    setType: (next: ServerType | 'all') => setFilters({ type: next }),
    showAll: () => {
      storage.serverGroupId.write('')
      setFilters({ group: '', type: 'all' })
    },
  }
}
