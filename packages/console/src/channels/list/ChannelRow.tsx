import { sourcesOf } from '@trunkline/contract/channels/channel.rules'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { controlFor } from '@trunkline/contract/role-table'
import { memo, type MouseEvent } from 'react'
import { useHost } from '../../lib/live/live-hooks.ts'
import { useRole } from '../../lib/session.ts'
import { UNKNOWN } from '../../shared/format.ts'
import { OnAirTag } from '../../shared/on-air/OnAirTag.tsx'
import { ScheduleTag } from '../../shared/schedules/ScheduleTag.tsx'
import { StateChip } from '../../shared/state/StateChip.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { Menu } from '../../ui/button/Menu.tsx'
import { Tip } from '../../ui/hint/Tip.tsx'
import { Row } from '../../ui/table/Table.tsx'
import { useIsRemoved, useRemoveChannel } from '../channel.actions.ts'
import { type StreamReading, viewOfStream } from '@trunkline/contract/channels/stream-view.rules'
import { detailOf, mediaText, settingsText, templateText } from '../channel-view.rules.ts'
import { SILENT_SERVER, STREAM_GONE, TAKE_OUT } from '../channel.messages.ts'
import { ChannelControls } from '../ChannelControls.tsx'
import { ChannelTitle, useTitleEditing } from '../ChannelTitle.tsx'
import { noMediaText } from '../sources/sources.rules.ts'
import { StateSince } from '../StateSince.tsx'
import { useStreamReading } from '../stream-reading.ts'
import { useChannelMenu } from './channel-menu.hook.ts'
import classes from './ChannelRow.module.css'

interface ChannelRowProps {
  channel: Channel
  onOpen: () => void
  onEditing: (isEditing: boolean) => void
}

export function ChannelRow({ channel, onOpen, onEditing }: ChannelRowProps) {
  const { reading, freshness } = useStreamReading(channel, 'row')
  const view = viewOfStream(reading, freshness, useHost('server', channel.serverId))
  const silence = useSilence(channel.serverId, reading)
  const editing = useTitleEditing(onEditing)
  const stream = detailOf(reading)
  // CHAN-40: what has a use of its own does not open the row as well.
  const openUnlessControl = (event: MouseEvent) => {
    const isControl =
      event.target instanceof Element &&
      event.target.closest('button, input, [role="menu"]') !== null
    if (!isControl) onOpen()
  }
  const chip = <StateChip view={view} />
  return (
    <Row
      family={view.family}
      isBusy={useIsRemoved(channel)}
      className={classes.row}
      onClick={openUnlessControl}
    >
      <th scope="row" className={classes.channel} data-phone="1">
        <ChannelTitle channel={channel} editing={editing} onOpen={onOpen}>
          {channel.title}
        </ChannelTitle>
        <span className={classes.state}>
          {silence === '' ? chip : <Tip text={silence}>{chip}</Tip>}
          <StateSince view={view} />
          <OnAirTag kind="channel" id={channel.id} />
          <ScheduleTag kind="channel" id={channel.id} />
          <code title={channel.name}>{channel.name}</code>
        </span>
      </th>
      <td className={classes.input} data-phone="2-wide">
        <InputCell channel={channel} reading={reading} silence={silence} nowMs={freshness.nowMs} />
      </td>
      <td title={channel.serverInfo.title}>{channel.serverInfo.title}</td>
      <td>
        {stream === null ? UNKNOWN : settingsText(stream)}
        <span className={classes.quiet}>{stream === null ? '' : templateText(stream)}</span>
      </td>
      <td data-phone="1-end">
        <div className={classes.buttons}>
          <ChannelControls channel={channel} reading={reading} hasWord={false} />
          <ChannelMenu channel={channel} onEdit={editing.begin} />
        </div>
      </td>
    </Row>
  )
}

/** Why nothing is known of the stream; in full at admin level, whom alone the API tells. '' otherwise. */
function useSilence(serverId: string, reading: StreamReading): string {
  const cause = useHost('server', serverId)?.cause ?? ''
  return reading === 'silent' ? cause || SILENT_SERVER : ''
}

interface InputCellProps {
  channel: Channel
  reading: StreamReading
  silence: string
  /** API clock. */
  nowMs: number
}

/** CHAN-12 to CHAN-14, CHAN-17; without a stream, why there is none. */
function InputCell({ channel, reading, silence, nowMs }: InputCellProps) {
  if (reading === 'gone') {
    return (
      <div className={classes.gone}>
        <span className={classes.second} title={STREAM_GONE}>
          {STREAM_GONE}
        </span>
        <TakeOutButton channel={channel} />
      </div>
    )
  }
  const stream = detailOf(reading)
  const { current, standby } = stream === null ? NO_SOURCES : sourcesOf(stream)
  const url = (current ?? standby[0])?.url ?? UNKNOWN
  const second =
    stream === null ? silence || UNKNOWN : noMediaText(stream, nowMs) || mediaText(stream)
  return (
    <>
      <code className={classes.address} title={url}>
        {url}
      </code>
      <span className={classes.second} title={second}>
        {second}
      </span>
    </>
  )
}

const NO_SOURCES = { current: null, standby: [] }

interface ChannelMenuProps {
  channel: Channel
  onEdit: () => void
}

/** Apart from the row, which is drawn every second for the age of its state. */
const ChannelMenu = memo(function ChannelMenu({ channel, onEdit }: ChannelMenuProps) {
  const groups = useChannelMenu(channel, onEdit)
  const isRemoved = useIsRemoved(channel)
  return (
    <Menu
      label={`More for ${channel.title}`}
      disabledReason={isRemoved ? '' : null}
      groups={groups}
    />
  )
})

/** Of a channel whose stream is gone (Q129): plainly, since there is nothing else to do with it. */
function TakeOutButton({ channel }: { channel: Channel }) {
  const remove = useRemoveChannel(channel)
  const isRemoved = useIsRemoved(channel)
  if (controlFor(useRole(), 'removeChannel') !== 'usable') return null
  return (
    <Button
      size={28}
      icon="bin"
      aria-label={`${TAKE_OUT} ${channel.title}`}
      disabledReason={isRemoved ? '' : null}
      onClick={() => void remove()}
    >
      {TAKE_OUT}
    </Button>
  )
}
