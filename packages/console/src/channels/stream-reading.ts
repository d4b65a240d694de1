/** What is known of one stream: pushed, or asked for; whichever came last is the truth. */
import { DETAIL_REFRESH_MS } from '@trunkline/contract/channels/channel.rules'
import type { StreamStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Freshness } from '@trunkline/contract/fleet/state-view.rules'
import { streamKey } from '@trunkline/contract/fleet/watch-key.rules'
import { useState } from 'react'
import { useBrowserNow } from '../lib/clock.ts'
import { useFreshness, useHost, useStream } from '../lib/live/live-hooks.ts'
import {
  LIST_REFRESH_MS,
  type StreamName,
  type StreamUse,
  useStreamAnswer,
} from './channel.queries.ts'
import { readingOfStream, type StreamReading } from '@trunkline/contract/channels/stream-view.rules'

export interface KnownStream {
  reading: StreamReading
  /** When it came, this browser's clock; null before the first. */
  cameAtMs: number | null
  /** The call has answered since this was opened, well or not: the player may begin to count. */
  isSettled: boolean
  /** When the call last answered, this browser's clock; null before. */
  askedAtMs: number | null
  isAsking: boolean
  refetch: () => Promise<unknown>
  /** How far the reading may be trusted: one that was just asked for needs no live stream. */
  freshness: Freshness
}

/**
 * A row asks only for what the live stream does not bring, or has not brought before it broke; the
 * open detail asks every 10 s. What it reads is the row's as well, so that the row waits meanwhile.
 */
export function useStreamReading(channel: StreamName, use: 'row' | 'detail'): KnownStream {
  const live = useStream(channel.serverId, channel.name)
  const host = useHost('server', channel.serverId)
  const freshness = useFreshness([streamKey(channel.serverId, channel.name)])
  const nowMs = useBrowserNow()
  const isBroken = freshness.brokenSinceMs !== null
  const isUnknown = live === null && (freshness.isLoaded || isBroken)
  const answer = useStreamAnswer(channel, useOf(use, isUnknown))
  const asked = Math.max(answer.dataUpdatedAt, answer.errorUpdatedAt)
  // What a row has read before does not stand for the reading that the detail begins with.
  const [askedBefore] = useState(asked)
  const last = useLast(live, asked)
  return {
    reading: last.isPush && live !== null ? readingOfStream(live, host) : answered(answer),
    cameAtMs: last.isPush || asked > 0 ? last.cameAtMs : null,
    isSettled: asked > askedBefore,
    askedAtMs: asked || null,
    isAsking: answer.isFetching,
    refetch: answer.refetch,
    freshness: isRecent(answer, nowMs, use) ? { ...freshness, brokenSinceMs: null } : freshness,
  }
}

/** Within two periods: one answer may be on its way. */
function isRecent(
  { dataUpdatedAt, errorUpdatedAt }: ReturnType<typeof useStreamAnswer>,
  nowMs: number,
  use: 'row' | 'detail',
): boolean {
  const periodMs = use === 'detail' ? DETAIL_REFRESH_MS : LIST_REFRESH_MS
  return dataUpdatedAt > errorUpdatedAt && nowMs - dataUpdatedAt < 2 * periodMs
}

function useOf(use: 'row' | 'detail', isUnknown: boolean): StreamUse {
  if (use === 'detail') return 'every 10 s'
  return isUnknown ? 'every 30 s' : 'not now'
}

function answered(answer: ReturnType<typeof useStreamAnswer>): StreamReading {
  if (answer.errorUpdatedAt > answer.dataUpdatedAt) return 'silent'
  if (answer.data === undefined) return 'unread'
  return answer.data ?? 'gone'
}

/** Which of the two changed last, and when; what stood before the component counts as just come. */
function useLast(live: StreamStatus | null, asked: number) {
  const nowMs = useBrowserNow()
  const [seen, setSeen] = useState({ live, asked, isPush: live !== null, cameAtMs: nowMs })
  if (seen.live === live && seen.asked === asked) return seen
  const next = { live, asked, isPush: live !== null && seen.live !== live, cameAtMs: nowMs }
  setSeen(next)
  return next
}
