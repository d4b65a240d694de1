/** What viewers get: the playlist's address, and how its segments come (CHAN-26). */
import { keyFrameEveryS, outputTracks } from '@trunkline/contract/channels/channel.rules'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { useSyncExternalStore } from 'react'
import { clockTimeText, UNKNOWN } from '../../shared/format.ts'
import { CopyText } from '../../ui/button/CopyText.tsx'
import { audioText, videosText, withUnit } from '../channel-view.rules.ts'
import { usePlayback } from '../channel.queries.ts'
import { AudioMeter } from './AudioMeter.tsx'
import { Fact, Facts, Panel } from './Panel.tsx'
import classes from './Panel.module.css'
import type { LivePlayer, PlayerView } from '../player/player.ts'
import { sourcesFor } from '../player/player.rules.ts'
import { keyFramesText, rateText, segmentsText } from './segments.rules.ts'
import { ZONE_WORD } from '../../lib/locale/time-zone.ts'

interface OutputPanelProps {
  channel: Channel
  stream: StreamDetail | null
  /** Null while none plays. */
  player: LivePlayer | null
}

export function OutputPanel({ channel, stream, player }: OutputPanelProps) {
  const { data: playback } = usePlayback(channel.id)
  const isDirect = playback !== undefined && sourcesFor(playback, new URL(location.href)).length > 1
  const late = stream === null ? '' : keyFramesText(stream.segment_duration, keyFrameEveryS(stream))
  const tracks = stream === null ? [] : outputTracks(stream)
  return (
    <Panel title="Output">
      <Facts>
        <Fact name="HLS">
          {playback === undefined ? (
            UNKNOWN
          ) : (
            <CopyText
              text={playback.direct}
              shown={playback.direct.replace(/^https?:\/\/[^/]+/, '…').replace(/\?.*$/, '?…')}
              label="Copy the playlist's address"
            />
          )}
        </Fact>
        {playback !== undefined && playback.directExpiresAt !== null && (
          <Fact name="">Link valid until {expiryText(playback.directExpiresAt)}</Fact>
        )}
        <Fact name="Video">{videosText(tracks) || UNKNOWN}</Fact>
        <Fact name="Audio">{withUnit(audioText(tracks))}</Fact>
        {stream?.stats.audio_level !== undefined && (
          <Fact name="Audio peak">
            <AudioMeter level={stream.stats.audio_level} />
          </Fact>
        )}
        <Fact name="Segments">
          <Played player={player} textOf={(played) => segmentsText(played, stream)} />
        </Fact>
        {late !== '' && (
          <Fact name="">
            <span className={classes.warn}>{late}</span>
          </Fact>
        )}
        <Fact name="Bandwidth">
          <Played player={player} textOf={rateText} />
        </Fact>
        <Fact name="Player">{playback === undefined ? UNKNOWN : playedText(isDirect)}</Fact>
      </Facts>
    </Panel>
  )
}

interface PlayedProps {
  player: LivePlayer | null
  textOf: (played: PlayerView | null) => string
}

/** Alone, so that what changes twice a second draws nothing else anew. */
function Played({ player, textOf }: PlayedProps) {
  const text = useSyncExternalStore(player?.subscribe ?? hearNothing, () =>
    textOf(player?.view() ?? null),
  )
  return <>{text}</>
}

const hearNothing = () => () => undefined

/** `08:00 UTC`: within the next 13 hours, so the day is clear without its date. */
function expiryText(at: string): string {
  return `${clockTimeText(Date.parse(at)).slice(0, 5)} ${ZONE_WORD}`
}

function playedText(isDirect: boolean): string {
  return isDirect ? 'From the channel server' : 'Via the console'
}
