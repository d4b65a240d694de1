/** One channel in full: the picture, where it comes from, what it is, where it is pushed to. */
import { DETAIL_REFRESH_MS } from '@trunkline/contract/channels/channel.rules'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { useBrowserNow } from '../../lib/clock.ts'
import { useHost } from '../../lib/live/live-hooks.ts'
import { useRole } from '../../lib/session.ts'
import { cueOfStream } from '../../programs/timeline/timeline.rules.ts'
import { TimelineSection } from '../../programs/timeline/TimelineSection.tsx'
import { OnAirButtons } from '../../shared/on-air/OnAirButtons.tsx'
import { OnAirTag } from '../../shared/on-air/OnAirTag.tsx'
import { ScheduleTag } from '../../shared/schedules/ScheduleTag.tsx'
import { ReadingAge } from '../../shared/state/ReadingAge.tsx'
import { StateChip } from '../../shared/state/StateChip.tsx'
import { IconButton } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { ChannelControls } from '../ChannelControls.tsx'
import classes from './ChannelDetailDialog.module.css'
import { ChannelPanels } from './ChannelPanels.tsx'
import { ChannelTitle, useTitleEditing } from '../ChannelTitle.tsx'
import { SILENT_SERVER, STREAM_GONE } from '../channel.messages.ts'
import { type StreamReading, viewOfStream } from '@trunkline/contract/channels/stream-view.rules'
import { detailOf } from '../channel-view.rules.ts'
import { OutputPanel } from './OutputPanel.tsx'
import type { LivePlayer } from '../player/player.ts'
import { PicturePath } from '../signal-path/PicturePath.tsx'
import { PlayerPlace } from '../player/PlayerPlace.tsx'
import { PushOutputs } from './PushOutputs.tsx'
import { Sources } from '../sources/Sources.tsx'
import { StateSince } from '../StateSince.tsx'
import { type KnownStream, useStreamReading } from '../stream-reading.ts'

// For few roles, and the last thing that is looked at: without its code the detail is whole.
const LastChanges = lazy<ComponentType<{ channel: Channel }>>(async () =>
  import('./LastChanges.tsx').then(
    (part) => ({ default: part.LastChanges }),
    () => ({ default: () => null }),
  ),
)

interface ChannelDetailDialogProps {
  channel: Channel
  onClose: () => void
}

export function ChannelDetailDialog({ channel, onClose }: ChannelDetailDialogProps) {
  const known = useStreamReading(channel, 'detail')
  const view = viewOfStream(known.reading, known.freshness, useHost('server', channel.serverId))
  const editing = useTitleEditing(() => undefined)
  const stream = detailOf(known.reading)
  const [player, setPlayer] = useState<LivePlayer | null>(null)
  const mayReadRecord = mayDo(useRole(), 'readAudit')
  return (
    <Dialog
      width={1264}
      isOpen
      isFlush
      onClose={onClose}
      lead={
        <span className={classes.state}>
          <StateChip view={view} />
          <StateSince view={view} />
          <OnAirTag kind="channel" id={channel.id} />
          <ScheduleTag kind="channel" id={channel.id} />
          <small>
            <ReadingAge cameAtMs={known.cameAtMs} />
          </small>
        </span>
      }
      title={
        <ChannelTitle channel={channel} editing={editing} onOpen={null}>
          {channel.title}
        </ChannelTitle>
      }
      subtitle={
        <span className={classes.name}>
          {!editing.isEditing && (
            <IconButton
              icon="pencil"
              label={`Edit title of ${channel.title}`}
              tone="quiet"
              size={28}
              onClick={editing.begin}
            />
          )}
          <code>{channel.name}</code>
        </span>
      }
      headerRight={
        <>
          <NextReading known={known} />
          <OnAirButtons
            object={{
              kind: 'channel',
              id: channel.id,
              title: channel.title,
              stream: { serverId: channel.serverId, streamName: channel.name },
            }}
          />
          <ChannelControls channel={channel} reading={known.reading} hasWord />
          <span className={classes.divider} />
        </>
      }
    >
      <div className={classes.body}>
        <WhyUnread channel={channel} reading={known.reading} />
        <div className={classes.left}>
          <PlayerPlace channel={channel} known={known} onPlayer={setPlayer} />
          <Sources channel={channel} stream={stream} />
          <PicturePath channel={channel} known={known} player={player} />
          <TimelineSection
            object={{ kind: 'channel', id: channel.id, title: channel.title }}
            cue={cueOfStream(stream)}
          />
        </div>
        <div className={classes.right}>
          <ChannelPanels channelId={channel.id} known={known} />
          <OutputPanel channel={channel} stream={stream} player={player} />
          <PushOutputs channel={channel} stream={stream} />
          {mayReadRecord && (
            <Suspense>
              <LastChanges channel={channel} />
            </Suspense>
          )}
        </div>
      </div>
    </Dialog>
  )
}

/** Why nothing is known of the stream; a server's silence in full to admins, whom alone the API tells. */
function WhyUnread({ channel, reading }: { channel: Channel; reading: StreamReading }) {
  const cause = useHost('server', channel.serverId)?.cause ?? ''
  if (reading !== 'silent' && reading !== 'gone') return null
  const why = reading === 'gone' ? STREAM_GONE : cause || SILENT_SERVER
  return (
    <p className={classes.why} data-f={reading === 'gone' ? 'bad' : 'blind'}>
      <b>{channel.serverInfo.title}</b> {why}
    </p>
  )
}

/** 'Refreshes every 10 s, next in 6 s'. */
function NextReading({ known }: { known: KnownStream }) {
  const nowMs = useBrowserNow()
  // The clock ticks once a second, so an answer may be newer than its now.
  const nextMs = DETAIL_REFRESH_MS - Math.max(0, nowMs - (known.askedAtMs ?? nowMs))
  const next =
    known.isAsking || nextMs <= 0 ? 'reading now' : `next in ${Math.ceil(nextMs / 1000)} s`
  return (
    <span className={classes.next}>
      Refreshes every {DETAIL_REFRESH_MS / 1000} s, <span>{next}</span>
    </span>
  )
}
