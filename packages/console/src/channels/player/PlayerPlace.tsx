/**
 * Where the picture goes: black, 16:9, and in words why there is none yet. The address is set 3 s
 * after the data came (CHAN-31), is empty while the channel is off (CHAN-30), and is never set
 * again while it stays the same, so that the 10 s refresh leaves the picture alone (CHAN-33).
 */
import { PLAYER_DELAY_MS, trackOf } from '@trunkline/contract/channels/channel.rules'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { SECOND_MS } from '@trunkline/contract/durations'
import { createElement, useEffect, useState } from 'react'
import { readFailureText } from '../../lib/api-error.ts'
import { useLater } from '../../lib/later.ts'
import { usePlayback } from '../channel.queries.ts'
import { detailOf } from '../channel-view.rules.ts'
import type { LivePlayer } from './player.ts'
import { PLAYER } from './player.loader.ts'
import { sourcesFor } from './player.rules.ts'
import { PlayerFrame, PlayerNote } from './PlayerFrame.tsx'
import type { KnownStream } from '../stream-reading.ts'

interface PlayerPlaceProps {
  channel: Channel
  known: KnownStream
  /** Must stay the same function: it is called once per player. */
  onPlayer: (player: LivePlayer | null) => void
}

export function PlayerPlace({ channel, known, onPlayer }: PlayerPlaceProps) {
  const stream = detailOf(known.reading)
  const playback = usePlayback(channel.id)
  const isOff = stream?.disabled === true
  const leftMs = useDelay(known.isSettled && !isOff)
  const player = useLater(PLAYER)
  if (isOff) return <PlayerFrame note={<PlayerNote title="Channel is off" />} />
  if (playback.isError && playback.data === undefined) {
    return (
      <PlayerFrame
        note={<NoAddress error={playback.error} onRetry={() => void playback.refetch()} />}
      />
    )
  }
  const sources = playback.data && sourcesFor(playback.data, new URL(location.href))
  if (leftMs > 0 || sources === undefined || playback.data === undefined) {
    return <PlayerFrame note={<PlayerNote title={delayText(known.isSettled, leftMs)} isBusy />} />
  }
  if (player === 'failed') return <PlayerFrame note={<NoPlayer />} />
  if (player === 'loading') {
    return <PlayerFrame note={<PlayerNote title="Loading the player" isBusy />} />
  }
  return createElement(player, {
    key: sources.join(' '),
    title: channel.title,
    sources,
    direct: playback.data.direct,
    isAlive: stream?.stats.alive !== false,
    unplayable: stream?.stats.unplayable ?? '',
    hasSound: stream === null || hasSound(stream),
    onPlayer,
  })
}

/** False only where its server lists a picture, and no sound beside it. */
function hasSound(stream: StreamDetail): boolean {
  return trackOf(stream, 'video') === null || trackOf(stream, 'audio') !== null
}

function NoPlayer() {
  return (
    <PlayerNote
      title="The player could not be loaded"
      detail="The console may have been updated meanwhile, or does not answer. Reload the page."
      onRetry={() => location.reload()}
    />
  )
}

function delayText(isSettled: boolean, leftMs: number): string {
  if (!isSettled || leftMs <= 0) return 'Reading the stream'
  return `Loads in ${Math.ceil(leftMs / SECOND_MS)} s`
}

function NoAddress({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <PlayerNote
      title="The address of the picture could not be read"
      detail={readFailureText(error)}
      onRetry={onRetry}
    />
  )
}

/** Milliseconds left of the delay, in steps of a second; it begins anew with `isRunning`. */
function useDelay(isRunning: boolean): number {
  const [leftMs, setLeft] = useState(PLAYER_DELAY_MS)
  useEffect(() => {
    if (!isRunning) return
    const steps = setInterval(
      () => setLeft((left) => Math.max(SECOND_MS, left - SECOND_MS)),
      SECOND_MS,
    )
    // Counted at once, not by the steps: those may each come a little late.
    const end = setTimeout(() => {
      clearInterval(steps)
      setLeft(0)
    }, PLAYER_DELAY_MS)
    return () => {
      clearInterval(steps)
      clearTimeout(end)
      setLeft(PLAYER_DELAY_MS)
    }
  }, [isRunning])
  return leftMs
}
