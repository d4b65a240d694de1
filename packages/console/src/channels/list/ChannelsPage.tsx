/** Every channel of this user with its live state; a row opens the picture. */
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { controlFor } from '@trunkline/contract/role-table'
import { useEffect, useState, useRef } from 'react'
import { useRowKeys } from '../../lib/row-keys.ts'
import { useRole, useSession } from '../../lib/session.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { storage } from '../../lib/storage.ts'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { seesAllChannels, startingGroup } from '../../shared/choices/first-group.rules.ts'
import { GroupPicker } from '../../shared/choices/GroupPicker.tsx'
import { CHANNEL_SERVERS } from '../../shared/choices/server.queries.ts'
import { ListState } from '../../shared/list/ListState.tsx'
import { LongBody } from '../../shared/list/LongBody.tsx'
import { SearchBar } from '../../shared/list/SearchBar.tsx'
import { PageHead } from '../../shared/page/PageHead.tsx'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { Select } from '../../ui/choice/Select.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import { type Column, TableFrame } from '../../ui/table/Table.tsx'
import { LIST_FAILED } from '../channel.messages.ts'
import { channelKeys, useChannels } from '../channel.queries.ts'
import { ChannelDetailDialog } from '../detail/ChannelDetailDialog.tsx'
import { preloadPlayer } from '../player/player.loader.ts'
import { SyncDialog } from '../sync/SyncDialog.tsx'
import { ChannelRow } from './ChannelRow.tsx'
import classes from './ChannelsPage.module.css'

export function ChannelsPage() {
  const filtering = useChannelFilter()
  const { filter } = filtering
  const [isEditing, setEditing] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const sync = useSync()
  const list = useChannels(filter, isEditing)
  const refresh = useRefreshAll()
  // So that the click on a row waits for the picture alone.
  useEffect(preloadPlayer, [])

  const rows = list.data?.data
  const opened = rows?.find((channel) => channel.id === openId)
  return (
    <>
      <PageHead
        title="Channels"
        tools={<ChannelTools filtering={filtering} onRefresh={refresh} onSync={sync.open} />}
      />
      {rows !== undefined && rows.length > 0 && (
        <ChannelsTable channels={rows} onOpen={setOpenId} onEditing={setEditing} />
      )}
      <ListState
        rows={rows}
        isFailed={list.isError}
        readAtMs={list.dataUpdatedAt}
        rowHeight={ROW_HEIGHT}
        failedText={LIST_FAILED}
        search={filter.searchValue}
        onRetry={refresh}
        onClear={filtering.clearSearch}
        empty={<NoChannels onSync={sync.open} />}
      />
      {opened !== undefined && (
        <ChannelDetailDialog channel={opened} onClose={() => setOpenId(null)} />
      )}
      {sync.isOpen && (
        <SyncDialog serverId={filter.serverId} groupId={filter.groupId} onClose={sync.close} />
      )}
    </>
  )
}

function useRefreshAll(): () => void {
  const client = useQueryClient()
  const refresh = () => void client.invalidateQueries({ queryKey: channelKeys.all })
  useShortcut('r', refresh)
  return refresh
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
  onRefresh: () => void
  onSync: (() => void) | null
}

function ChannelTools({ filtering, onRefresh, onSync }: ChannelToolsProps) {
  const { filter } = filtering
  return (
    <>
      <SearchBar key={filtering.searchKey} label="Search channels" onSearch={filtering.setSearch} />
      <GroupPicker
        value={filter.groupId}
        onChange={filtering.setGroupId}
        hasAll={filtering.hasAll}
      />
      <ServerPicker value={filter.serverId} onChange={filtering.setServerId} />
      <IconButton icon="refresh" label="Refresh" onClick={onRefresh} />
      <Link className={classes.wall} to="/dashboard/wall" preload={false}>
        Wall
      </Link>
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

interface ChannelsTableProps {
  channels: readonly Channel[]
  onOpen: (id: string) => void
  onEditing: (isEditing: boolean) => void
}

/** In pixels. */
const ROW_HEIGHT = 60
const COLUMNS: readonly Column[] = [
  { head: 'Channel', width: [330, 236] },
  { head: 'Input' },
  { head: 'Server', width: [180, 124] },
  { head: 'Settings', width: [250, 172] },
  { head: 'Actions', width: [232, 212] },
]
/** More rows are drawn as they come into sight. */
const LONG_FROM_ROWS = 100

/** The rows of the list; of a long one only those in sight are drawn, and asked for. */
function ChannelsTable({ channels, onOpen, onEditing }: ChannelsTableProps) {
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table)
  const isLong = channels.length > LONG_FROM_ROWS
  const rowOf = (channel: Channel) => (
    <ChannelRow
      key={channel.id}
      channel={channel}
      onOpen={() => onOpen(channel.id)}
      onEditing={onEditing}
    />
  )
  return (
    <TableFrame
      label="Channels"
      columns={COLUMNS}
      minWidth={940}
      rowHeight={ROW_HEIGHT}
      tableRef={table}
      rowCount={isLong ? channels.length + 1 : undefined}
    >
      {isLong ? (
        <LongBody rows={channels} rowOf={rowOf} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT} />
      ) : (
        <tbody>{channels.map((channel) => rowOf(channel))}</tbody>
      )}
    </TableFrame>
  )
}

type ChannelFiltering = ReturnType<typeof useChannelFilter>

/** The filters of the list as they are remembered (STORE-03), and the search, which is not. */
function useChannelFilter() {
  const role = useRole()
  const hasAll = seesAllChannels(role)
  const ownGroupIds = useSession()?.user.groups.map((group) => group._id) ?? []
  const [groupId, setGroupId] = useState(() =>
    startingGroup({ role, ownGroupIds, remembered: storage.channelGroupId.read(), hasAll }),
  )
  const [serverId, setServerId] = useState(() => storage.channelServerId.read() ?? '')
  const [search, setSearch] = useState({ text: '', key: 0 })
  return {
    filter: { groupId, serverId, searchValue: search.text },
    setGroupId: (id: string) => {
      storage.channelGroupId.write(id)
      setGroupId(id)
    },
    setServerId: (id: string) => {
      storage.channelServerId.write(id)
      setServerId(id)
    },
    setSearch: (text: string) => setSearch((now) => ({ ...now, text })),
    /** Empties the field too: it is made anew. */
    clearSearch: () => setSearch((now) => ({ text: '', key: now.key + 1 })),
    searchKey: search.key,
    hasAll,
  }
}
