import { sourcesOf } from '@trunkline/contract/channels/channel.rules'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { MouseEvent } from 'react'
import { useFreshness } from '../lib/live-hooks.ts'
import { UNKNOWN } from '../shared/format.ts'
import { StateChip } from '../shared/StateChip.tsx'
import { Row } from '../ui/Table.tsx'
import { ChannelControls } from './ChannelControls.tsx'
import classes from './ChannelRow.module.css'
import { ChannelTitle, useTitleEditing } from './ChannelTitle.tsx'
import {
  detailOf,
  mediaText,
  settingsText,
  templateText,
  viewOfStream,
} from './channel-view.rules.ts'
import { useStreamReading } from './stream-reading.ts'

interface ChannelRowProps {
  channel: Channel
  onOpen: () => void
  onEditing: (isEditing: boolean) => void
}

export function ChannelRow({ channel, onOpen, onEditing }: ChannelRowProps) {
  const { reading } = useStreamReading(channel, 'row')
  const view = viewOfStream(reading, useFreshness())
  const editing = useTitleEditing(onEditing)
  const stream = detailOf(reading)
  const sources = stream === null ? null : sourcesOf(stream)
  const url = (sources?.current ?? sources?.standby[0])?.url ?? UNKNOWN
  // CHAN-40: what has a use of its own does not open the row as well.
  const openUnlessControl = (event: MouseEvent) => {
    const isControl = event.target instanceof Element && event.target.closest('button, input')
    if (!isControl) onOpen()
  }
  return (
    <Row family={view.family} className={classes.row} onClick={openUnlessControl}>
      <th scope="row" className={classes.channel}>
        <ChannelTitle channel={channel} editing={editing} onOpen={onOpen}>
          {channel.title}
        </ChannelTitle>
        <StateChip view={view} />
      </th>
      <td className={classes.input}>
        <span className={classes.address}>{url}</span>
        <span className={classes.second}>{stream === null ? UNKNOWN : mediaText(stream)}</span>
      </td>
      <td className={classes.server}>{channel.serverInfo.title}</td>
      <td className={classes.settings}>
        {stream === null ? UNKNOWN : settingsText(stream)}
        <span className={classes.quiet}>{stream === null ? '' : templateText(stream)}</span>
      </td>
      <td className={classes.actions}>
        <ChannelControls channel={channel} reading={reading} hasWord={false} />
      </td>
    </Row>
  )
}
