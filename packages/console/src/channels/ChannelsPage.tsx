/** Every channel of this user with its live state; a row opens the picture. */
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useRowKeys } from '../lib/row-keys.ts'
import { useRole, useSession } from '../lib/session.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { storage } from '../lib/storage.ts'
import { seesAllGroups, startingGroup } from '../shared/first-group.rules.ts'
import { GroupPicker } from '../shared/GroupPicker.tsx'
import { ListState } from '../shared/ListState.tsx'
import { PageHead } from '../shared/PageHead.tsx'
import { SearchBar } from '../shared/SearchBar.tsx'
import { IconButton } from '../ui/Button.tsx'
import { Empty } from '../ui/Notice.tsx'
import { Select } from '../ui/Select.tsx'
import { HeadCell, TableFrame } from '../ui/Table.tsx'
import { ChannelDetailDialog } from './ChannelDetailDialog.tsx'
import { ChannelRow } from './ChannelRow.tsx'
import { LIST_FAILED } from './channel.messages.ts'
import { channelKeys, useChannels, useChannelServers } from './channel.queries.ts'
import classes from './ChannelsPage.module.css'
import { preloadPlayer } from './player.loader.ts'

export function ChannelsPage() {
  const { filter, ...choose } = useChannelFilter()
  const [isEditing, setEditing] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const list = useChannels(filter, isEditing)
  const client = useQueryClient()
  const body = useRef<HTMLTableSectionElement>(null)
  useRowKeys(body)
  const refresh = () => void client.invalidateQueries({ queryKey: channelKeys.all })
  useShortcut('r', refresh)
  // So that the click on a row waits for the picture alone.
  useEffect(preloadPlayer, [])

  const rows = list.data?.data
  const opened = rows?.find((channel) => channel.id === openId)
  return (
    <>
      <PageHead
        title="Channels"
        tools={
          <>
            <SearchBar key={choose.searchKey} label="Search channels" onSearch={choose.setSearch} />
            <GroupPicker
              value={filter.groupId}
              onChange={choose.setGroupId}
              hasAll={choose.hasAll}
            />
            <ServerPicker value={filter.serverId} onChange={choose.setServerId} />
            <IconButton icon="refresh" label="Refresh" onClick={refresh} />
          </>
        }
      />
      {rows !== undefined && rows.length > 0 && (
        <TableFrame label="Channels" className={classes.table}>
          <colgroup>
            <col className={classes.colChannel} />
            <col />
            <col className={classes.colServer} />
            <col className={classes.colSettings} />
            <col className={classes.colActions} />
          </colgroup>
          <thead>
            <tr>
              <HeadCell className={classes.first}>Channel</HeadCell>
              <HeadCell>Input</HeadCell>
              <HeadCell>Server</HeadCell>
              <HeadCell>Settings</HeadCell>
              <HeadCell>Actions</HeadCell>
            </tr>
          </thead>
          <tbody ref={body}>{rows.map((channel) => rowOf(channel, setOpenId, setEditing))}</tbody>
        </TableFrame>
      )}
      <ListState
        rows={rows}
        isFailed={list.isError}
        readAtMs={list.dataUpdatedAt}
        rowHeight={60}
        failedText={LIST_FAILED}
        search={filter.searchValue}
        onRetry={refresh}
        onClear={choose.clearSearch}
        empty={<NoChannels />}
      />
      {opened !== undefined && (
        <ChannelDetailDialog channel={opened} onClose={() => setOpenId(null)} />
      )}
    </>
  )
}

function rowOf(
  channel: Channel,
  onOpen: (id: string) => void,
  onEditing: (isEditing: boolean) => void,
) {
  return (
    <ChannelRow
      key={channel.id}
      channel={channel}
      onOpen={() => onOpen(channel.id)}
      onEditing={onEditing}
    />
  )
}

/** The filters as they are remembered (STORE-03), and the search, which is not. */
function useChannelFilter() {
  const role = useRole()
  const ownGroupIds = useSession()?.user.groups.map((group) => group._id) ?? []
  const [groupId, setGroupId] = useState(() =>
    startingGroup({ role, ownGroupIds, remembered: storage.channelGroupId.read() }),
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
    hasAll: seesAllGroups(role),
  }
}

interface ServerPickerProps {
  value: string
  onChange: (serverId: string) => void
}

function ServerPicker({ value, onChange }: ServerPickerProps) {
  const { data: servers = [] } = useChannelServers()
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
      value={value}
      onChange={onChange}
    />
  )
}

function NoChannels() {
  return (
    <Empty title="No channels here">
      A channel is a stream on a channel server that this console watches. There is none in this
      group and on this server.
    </Empty>
  )
}
