/** One channel on the wall: its picture, muted and without a delay, and what its server says. */
import { downstreamKbps } from '@trunkline/contract/channels/channel.rules'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { memo, useMemo, useRef } from 'react'
import { behindText } from '../channels/channel.messages.ts'
import { usePlayback } from '../channels/channel.queries.ts'
import type { StreamReading } from '@trunkline/contract/channels/stream-view.rules'
import { detailOf } from '../channels/channel-view.rules.ts'
import type { PlayerView } from '../channels/player/player.ts'
import { sourcesFor } from '../channels/player/player.rules.ts'
import { useStreamReading } from '../channels/stream-reading.ts'
import { useInSight } from '../encoders/picture/in-sight.hook.ts'
import { useBrowserNow } from '../lib/clock.ts'
import { streamKey } from '@trunkline/contract/fleet/watch-key.rules'
import { useFreshness, useHost } from '../lib/live/live-hooks.ts'
import { IconButton } from '../ui/button/Button.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import { usePageShown } from './page.hooks.ts'
import { Tile, type TilePlace } from './Tile.tsx'
import classes from './Tile.module.css'
import { type TileFault, useTilePlayer } from './tile-player.hook.ts'
import { viewOfChannelTile } from './tile.rules.ts'
import * as text from './wall.messages.ts'
import type { TileKey } from './wall.rules.ts'

interface ChannelTileProps extends TilePlace {
  channel: Channel
  /** The one tile whose sound is on. */
  isHeard: boolean
  onHear: (key: TileKey) => void
}

/** A picture that is scrolled out of the wall loads nothing. */
const NO_MARGIN_PX = 0

export const ChannelTile = memo(function ChannelTile({
  channel,
  isHeard,
  onHear,
  ...place
}: ChannelTileProps) {
  const { reading } = useStreamReading(channel, 'row')
  const freshness = useFreshness([streamKey(channel.serverId, channel.name)])
  const host = useHost('server', channel.serverId)
  const playback = usePlayback(channel.id)
  const [box, isInSight] = useInSight<HTMLDivElement>(NO_MARGIN_PX)
  const isSeen = usePageShown() && isInSight && !place.isOpen
  const video = useRef<HTMLVideoElement>(null)
  const { data } = playback
  const sources = useMemo(() => data && sourcesFor(data, new URL(location.href)), [data])
  const { view: player, fault } = useTilePlayer(video, {
    sources,
    direct: data?.direct ?? '',
    isSeen,
    reading,
  })
  const phase = player?.state ?? null
  const clockOffsetMs = freshness.nowMs - useBrowserNow()
  const view = viewOfChannelTile({ reading, freshness, host, phase, clockOffsetMs })
  const stream = detailOf(reading)
  const isOff = stream?.disabled === true
  const isOld = phase?.phase === 'frozen' || phase?.phase === 'missing'
  const note = noteOf({ reading, player, fault, isOpen: place.isOpen, isFailed: playback.isError })
  return (
    <Tile
      place={place}
      object={{ kind: 'channel', id: channel.id }}
      title={channel.title}
      view={view}
      nowMs={freshness.nowMs}
      kbps={stream?.stats.alive === true && !isOff ? downstreamKbps(stream) : null}
      age={ageText(player)}
      pictureRef={box}
      picture={
        <>
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a live feed brings none */}
          <video
            ref={video}
            muted={!isHeard}
            playsInline
            tabIndex={-1}
            data-old={isOld || undefined}
            aria-label={`Picture of ${channel.title}`}
          />
          {note !== null && <div className={classes.note}>{note}</div>}
        </>
      }
      control={
        <IconButton
          icon={isHeard ? 'volume' : 'muted'}
          label={isHeard ? `Mute ${channel.title}` : `Hear ${channel.title}`}
          tone="quiet"
          size={28}
          onClick={() => onHear(place.tileKey)}
        />
      }
    />
  )
})

function ageText(player: PlayerView | null): string {
  if (player === null || player.state.phase !== 'playing') return ''
  return player.secondsBehind === null ? '' : behindText(player.secondsBehind)
}

interface NoteFacts {
  reading: StreamReading
  player: PlayerView | null
  fault: TileFault
  isOpen: boolean
  /** The address could not be read. */
  isFailed: boolean
}

/** In place of the picture, while there is none. */
function noteOf({ reading, player, fault, isOpen, isFailed }: NoteFacts) {
  if (isOpen) return text.PAUSED
  if (player !== null) return player.width > 0 ? null : loading()
  if (reading === 'gone') return text.NO_SUCH_STREAM
  if (reading === 'silent') return text.SERVER_SILENT
  if (reading === 'unread') return loading()
  if (reading.disabled === true) return text.CHANNEL_OFF
  if (reading.stats.alive !== true) return text.NO_MEDIA
  if (fault !== null) return text.FAULTS[fault]
  return isFailed ? text.NO_ADDRESS : loading()
}

function loading() {
  return (
    <>
      <Shape shape="arc" family="move" size={16} />
      {text.LOADING}
    </>
  )
}
