/** Every channel of this user with its live state; a row opens the picture. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CHANNEL_SORTS } from '@trunkline/contract/channels/channel.calls'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { controlFor } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { later, usePreload } from '../../lib/later.ts'
import { useRole, useSession } from '../../lib/session.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { storage } from '../../lib/storage.ts'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { seesAllChannels, startingGroup } from '../../shared/choices/first-group.rules.ts'
import { GroupPicker } from '../../shared/choices/GroupPicker.tsx'
import { CHANNEL_SERVERS } from '../../shared/choices/server.queries.ts'
import { useOpenedId } from '../../shared/list/opened-id.hook.ts'
import { PagedTable } from '../../shared/list/PagedTable.tsx'
import { TABLE_PAGE_SIZES, usePaging } from '../../shared/list/paging.hook.ts'
import { SavedFilters } from '../../shared/list/SavedFilters.tsx'
import { SearchBar } from '../../shared/list/SearchBar.tsx'
import { TablePage } from '../../shared/list/TablePage.tsx'
import { ButtonLink } from '../../shared/page/ButtonLink.tsx'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { PageHead } from '../../shared/page/PageHead.tsx'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { Select } from '../../ui/choice/Select.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import type { Column } from '../../ui/table/Table.tsx'
import { LIST_FAILED } from '../channel.messages.ts'
import { channelKeys, channelsQuery, useChannels } from '../channel.queries.ts'
import { CHANNEL_DETAIL } from '../detail/channel-detail.loader.ts'
import { PLAYER } from '../player/player.loader.ts'
import { ChannelRow } from './ChannelRow.tsx'

const SYNC_DIALOG = later(
  'channel sync',
  async () => (await import('../sync/SyncDialog.tsx')).SyncDialog,
)
/** So that the click on a row waits for the picture alone. */
const SOON_WANTED = [CHANNEL_DETAIL, PLAYER, SYNC_DIALOG]

export function ChannelsPage() {
  const filtering = useChannelFilter()
  const { list: filter } = filtering
  const [isEditing, setEditing] = useState(false)
  const sync = useSync()
  const answer = useChannels(filter, isEditing)
  const rows = answer.data?.data
  const { opened, open, close } = useOpened(rows)
  usePreload(rows !== undefined, SOON_WANTED)
  const rowOf = (channel: Channel) => (
    <ChannelRow
      key={channel.id}
      channel={channel}
      onOpen={() => open(channel)}
      onEditing={setEditing}
    />
  )
  return (
    <TablePage>
      <PageHead
        title="Channels"
        tools={<ChannelTools filtering={filtering} onSync={sync.open} />}
      />
      <PagedTable
        label="Channels"
        columns={COLUMNS}
        answer={answer}
        rows={rows}
        total={answer.data?.total ?? 0}
        paging={filtering}
        sizes={PAGE_SIZES}
        rowHeight={ROW_HEIGHT}
        failedText={LIST_FAILED}
        empty={<NoChannels onSync={sync.open} />}
        rowOf={rowOf}
        keyOf={({ id }) => id}
      />
      {opened !== null && (
        <LaterDialog part={CHANNEL_DETAIL} props={{ channel: opened, onClose: close }} />
      )}
      {sync.isOpen && (
        <LaterDialog
          part={SYNC_DIALOG}
          props={{ serverId: filter.serverId, groupId: filter.groupId, onClose: sync.close }}
        />
      )}
    </TablePage>
  )
}

/**
 * The channel that is open in full: as the page has it, or wherever in the list it has gone since. A
 * link to the page may name it.
 */
function useOpened(rows: readonly Channel[] | undefined) {
  const [asOpened, setOpened] = useState<Channel | null>(null)
  const { openedId, forget } = useOpenedId()
  const id = openedId === '' ? (asOpened?.id ?? '') : openedId
  const listed = rows?.find((channel) => channel.id === id)
  const { data, isPlaceholderData } = useQuery({
    ...channelsQuery({ ids: [id] }),
    enabled: id !== '' && listed === undefined,
  })
  const elsewhere = isPlaceholderData ? undefined : data?.data
  const found = listed ?? elsewhere?.find((channel) => channel.id === id)
  // Once it is known to be gone, nothing is open any more.
  const opened = found ?? (elsewhere === undefined && openedId === '' ? asOpened : null)
  const open = (channel: Channel | null) => {
    setOpened(channel)
    forget()
  }
  return { opened, open, close: () => open(null) }
}

/** CHAN-02: word for word, so the plus is text. */
const SYNC = '+ Sync'

/** CHAN-02, Q42: `open` is null for whom there is no Sync. */
function useSync() {
  const [isOpen, setOpen] = useState(false)
  const maySync = controlFor(useRole(), 'syncChannels') === 'usable'
  const open = () => setOpen(maySync)
  useShortcut('n', open)
  return { isOpen, open: maySync ? open : null, close: () => setOpen(false) }
}

interface ChannelToolsProps {
  filtering: ChannelFiltering
  onSync: (() => void) | null
}

function ChannelTools({ filtering, onSync }: ChannelToolsProps) {
  const client = useQueryClient()
  const refresh = () => void client.invalidateQueries({ queryKey: channelKeys.all })
  useShortcut('r', refresh)
  return (
    <>
      <SearchBar
        key={filtering.searchKey}
        label="Search channels"
        searched={filtering.search}
        onSearch={filtering.setSearch}
      />
      <GroupPicker
        value={filtering.list.groupId}
        onChange={filtering.setGroupId}
        hasAll={filtering.hasAll}
      />
      <ServerPicker value={filtering.list.serverId} onChange={filtering.setServerId} />
      <SavedFilters paging={filtering} />
      <IconButton icon="refresh" label="Refresh" onClick={refresh} />
      <ButtonLink to="/dashboard/wall" preload={false}>
        Wall
      </ButtonLink>
      {onSync !== null && (
        <Button tone="primary" onClick={onSync}>
          {SYNC}
        </Button>
      )}
    </>
  )
}

interface ServerPickerProps {
  value: string
  onChange: (serverId: string) => void
}

function ServerPicker({ value, onChange }: ServerPickerProps) {
  const { rows: servers, more, onType } = useChoices(CHANNEL_SERVERS, value)
  const choices = servers.map((server) => ({ value: server._id, label: server.title }))
  const isKnown = value === '' || choices.some((choice) => choice.value === value)
  return (
    <Select
      label="Server"
      isLabelShown
      choices={[
        { value: '', label: 'All servers' },
        ...choices,
        ...(isKnown ? [] : [{ value, label: '…' }]),
      ]}
      more={more}
      onType={onType}
      value={value}
      onChange={onChange}
    />
  )
}

function NoChannels({ onSync }: { onSync: (() => void) | null }) {
  const sync = <Button onClick={onSync ?? undefined}>{SYNC}</Button>
  return (
    <Empty title="No channels here" action={onSync !== null && sync}>
      A channel is a stream on a channel server that this console watches. There is none in this
      group and on this server.
      {onSync !== null && ' Sync picks streams of a server and makes channels of them.'}
    </Empty>
  )
}

/** In pixels. */
const ROW_HEIGHT = 60
const COLUMNS: readonly Column[] = [
  { head: 'Channel', stays: true, sort: 'title', width: [330, 236] },
  { head: 'Input' },
  { head: 'Server', width: [180, 124] },
  { head: 'Settings', width: [250, 172] },
  { head: 'Actions', stays: true, width: [232, 212] },
]
/** 0 is all. */
const PAGE_SIZES = [...TABLE_PAGE_SIZES, 0] as const
const PAGING = { sizes: PAGE_SIZES, rowsEntry: storage.tableRowsPerPage }

type ChannelFiltering = ReturnType<typeof useChannelFilter>

/** The filters of the list as they are remembered (STORE-03) where the address has none. */
function useChannelFilter() {
  const role = useRole()
  const hasAll = seesAllChannels(role)
  const ownGroupIds = useSession()?.user.groups.map((group) => group._id) ?? []
  const paging = usePaging({
    ...PAGING,
    named: {
      list: 'channels',
      sorts: CHANNEL_SORTS,
      filters: {
        group: () =>
          startingGroup({ role, ownGroupIds, remembered: storage.channelGroupId.read(), hasAll }),
        server: () => storage.channelServerId.read() ?? '',
      },
    },
  })
  const { page, rowsPerPage, search: searchValue, sorted, filters } = paging
  const list = { groupId: filters.group, serverId: filters.server }
  return {
    ...paging,
    list: { ...list, searchValue, page, rowsPerPage, ...sorted },
    setGroupId: (group: string) => {
      storage.channelGroupId.write(group)
      paging.setFilters({ group })
    },
    setServerId: (server: string) => {
      storage.channelServerId.write(server)
      paging.setFilters({ server })
    },
    hasAll,
  }
}
