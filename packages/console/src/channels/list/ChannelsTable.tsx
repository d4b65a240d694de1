/** The rows of the list; of a long one only those in sight are drawn, and asked for. */
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { useRef } from 'react'
import { useRowKeys } from '../../lib/row-keys.ts'
import { LongBody } from '../../shared/list/LongBody.tsx'
import { type Column, TableFrame } from '../../ui/table/Table.tsx'
import { ChannelRow } from './ChannelRow.tsx'

interface ChannelsTableProps {
  channels: readonly Channel[]
  onOpen: (id: string) => void
  onEditing: (isEditing: boolean) => void
}

/** In pixels. */
export const ROW_HEIGHT = 60
const COLUMNS: readonly Column[] = [
  { head: 'Channel', width: [330, 236] },
  { head: 'Input' },
  { head: 'Server', width: [180, 124] },
  { head: 'Settings', width: [250, 172] },
  { head: 'Actions', width: [232, 212] },
]
/** More rows are drawn as they come into sight. */
const LONG_FROM_ROWS = 100

export function ChannelsTable({ channels, onOpen, onEditing }: ChannelsTableProps) {
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
