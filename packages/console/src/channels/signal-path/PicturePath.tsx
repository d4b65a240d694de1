/**
 * The signal path of a channel: the hops before it, as they are configured, then source, media server,
 * transcoder, playlist and this browser; and in a sentence the first hop that is not well.
 */
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { isStale } from '@trunkline/contract/fleet/state-view.rules'
import { useSyncExternalStore } from 'react'
import { useBrowserNow } from '../../lib/clock.ts'
import { useSignalPath, type LivePath } from '../../paths/signal-path.hook.ts'
import { UpstreamHops } from '../../paths/UpstreamHops.tsx'
import { useApiNow } from '../../lib/live/live-hooks.ts'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { PATH } from '../channel.messages.ts'
import { usePlayback } from '../channel.queries.ts'
import { badAt, type Hop, hopsOf, verdictOf } from './path.rules.ts'
import classes from './PicturePath.module.css'
import type { LivePlayer } from '../player/player.ts'
import { sourcesFor } from '../player/player.rules.ts'
import type { KnownStream } from '../stream-reading.ts'

interface PicturePathProps {
  channel: Channel
  known: KnownStream
  /** Null while none plays. */
  player: LivePlayer | null
}

export function PicturePath({ channel, known, player }: PicturePathProps) {
  const { data: playback } = usePlayback(channel.id)
  const played = useSyncExternalStore(
    player?.subscribe ?? hearNothing,
    () => player?.view() ?? null,
  )
  const hops = hopsOf({
    server: channel.serverInfo.title,
    reading: known.reading,
    isStale: isStale(known.freshness),
    played,
    isDirect: playback !== undefined && sourcesFor(playback, new URL(location.href)).length > 1,
    nowMs: useApiNow(),
    browserNowMs: useBrowserNow(),
  })
  const { path } = useSignalPath({ kind: 'channel', id: channel.id })
  const upstream =
    path === null || path.graph.before(`channel ${channel.id}`).length === 0 ? null : path
  const { troubles, waiting } = upstream?.verdict ?? NO_TROUBLE
  // Another source may carry the picture while one of them is broken.
  const isBrokenBefore = [...troubles, ...waiting].some(({ consequences }) =>
    consequences.includes(`channel ${channel.id}`),
  )
  const bad = isBrokenBefore ? -1 : badAt(hops)
  const isUpstreamShown =
    upstream !== null && (isBrokenBefore || (bad < 0 && hasTroubleBefore(upstream)))
  const verdict = isUpstreamShown ? verdictOfUpstream(upstream) : verdictOf(hops)
  return (
    <div>
      <p className={classes.verdict}>
        <Shape shape={verdict.shape} family={verdict.family} size={12} />
        {verdict.says}
      </p>
      {upstream !== null && <UpstreamHops path={upstream} />}
      <ol className={classes.path} aria-label={PATH.label}>
        {hops.map((hop, at) => (
          <Box
            key={hop.kind}
            hop={hop}
            isBad={at === bad}
            isAfter={isBrokenBefore || (bad >= 0 && at > bad)}
          />
        ))}
      </ol>
    </div>
  )
}

/** What the channel itself shows is told by its own hops, in more detail. */
function hasTroubleBefore({ hops, verdict }: LivePath): boolean {
  return verdict.troubles.some(({ first }) => hops.get(first)?.side === 'before')
}

function verdictOfUpstream({ verdict }: LivePath) {
  const { family, shape, text: says } = verdict
  return { family, shape, says }
}

const NO_TROUBLE = { troubles: [], waiting: [] }

const hearNothing = () => () => undefined

interface BoxProps {
  hop: Hop
  /** The first that is not well. */
  isBad: boolean
  /** Behind it: its line carries nothing that could be trusted. */
  isAfter: boolean
}

function Box({ hop, isBad, isAfter }: BoxProps) {
  return (
    <li
      className={classes.hop}
      data-f={hop.family}
      data-bad={isBad || undefined}
      data-after={isAfter || undefined}
    >
      <span className={classes.kind}>
        <Shape shape={hop.shape} family={hop.family} size={12} />
        {hop.kind}
      </span>
      <b>{hop.name}</b>
      <span className={classes.says}>{hop.says}</span>
    </li>
  )
}
