/** What the player decides from facts alone: which address to load, what to show, when to rebuild. */
import { PLAYBACK_PARAMETER } from '@trunkline/contract/channels/playback-token.rules'

/** dataplane.md 6.1: hls.js may stay stuck without ever calling it fatal, so we watch the frames. */
export const FRAME_TIMEOUT_MS = 5000
export const PLAYLIST_RETRY_MS = 2000
/** Frames older than this are no longer called moving; a busy page delays them by a few hundred ms. */
const MOVING_MS = 2000
/** A slow line must get its first frame before it is rebuilt again, or it never plays. */
const FIRST_FRAME_TIMEOUT_MAX_MS = 20_000

/**
 * The addresses to try, best first (decisions.md 21). The server's own address comes first only
 * where this page may reach it: same scheme, and no loopback unless the console is there itself.
 * Without the playback token, which each request gets as it is then (`withPlaybackToken`): a renewed
 * link is the same source, and the player goes on.
 */
export function sourcesFor(playback: { direct: string; relayed: string }, page: URL): string[] {
  const relayed = new URL(playback.relayed, page).href
  const [direct = ''] = playback.direct.split('?')
  return isReachableFrom(direct, page) ? [direct, relayed] : [relayed]
}

/**
 * `url` as it is asked for now. A playlist names its segments with the token that it was asked for
 * with; `direct` is the newest link, and what lies in its folder gets the token of that.
 */
export function withPlaybackToken(url: string, direct: string): string {
  const [link, target] = [URL.parse(direct), URL.parse(url)]
  const token = link?.searchParams.get(PLAYBACK_PARAMETER) ?? ''
  if (link === null || target === null || token === '') return url
  const folder = link.pathname.slice(0, link.pathname.lastIndexOf('/') + 1)
  if (target.origin !== link.origin || !target.pathname.startsWith(folder)) return url
  target.searchParams.set(PLAYBACK_PARAMETER, token)
  return target.href
}

function isReachableFrom(address: string, page: URL): boolean {
  const target = URL.parse(address)
  return target !== null && target.protocol === page.protocol && !isLoopback(target.hostname)
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/i.test(hostname)
}

/** Our token goes to our own API and to nobody else. */
export function carriesToken(address: string, page: URL): boolean {
  const target = URL.parse(address, page.href)
  return target?.origin === page.origin && target.pathname.startsWith('/api/')
}

/** How long without a frame until the player is built anew; grows while no frame came at all. */
export function frameTimeoutMs(buildsWithoutFrame: number): number {
  return Math.min(FRAME_TIMEOUT_MS * Math.max(1, buildsWithoutFrame), FIRST_FRAME_TIMEOUT_MAX_MS)
}

/**
 * How many segments a player keeps between itself and the newest one. Where the operator asked for
 * short ones, delay counts for more. Two is the least that runs without a wait: one is being made,
 * and the list may be read up to one later than the last time. With one and a half, 75 s in
 * Chromium had four waits.
 */
const SYNC_SEGMENTS = { short: 2, usual: 2.5 }
/** Asked for 1 s, key frames allow up to a fifth more. */
const SHORT_UP_TO_S = 1.2

/** Seconds; of the middle one, so that one segment that spans an outage changes nothing. */
export function usualS(segmentDurationsS: readonly number[]): number {
  const sorted = segmentDurationsS.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 2
}

/**
 * How far behind the newest a player starts. From the usual segment, not from the longest as
 * hls.js does: one segment that spans an outage would send it back to before that outage, and
 * every new player would stumble over it again.
 */
export function startBehindS(segmentDurationsS: readonly number[]): number {
  const segmentS = usualS(segmentDurationsS)
  return segmentS * (segmentS <= SHORT_UP_TO_S ? SYNC_SEGMENTS.short : SYNC_SEGMENTS.usual)
}

/**
 * Further than this a player leaps to where it belongs; nearer it plays a little faster. hls.js
 * itself would stay where it is for as much as six segments.
 */
export function mostBehindS(segmentDurationsS: readonly number[]): number {
  return startBehindS(segmentDurationsS) + 2 * usualS(segmentDurationsS)
}

/** Faster than it came, while a player is further behind than `settledBehindS`. */
export const CATCH_UP_RATE = 1.1

/** So far a player that began late or had to wait comes back; nearer it would soon wait again. */
export function settledBehindS(segmentDurationsS: readonly number[]): number {
  return startBehindS(segmentDurationsS) + usualS(segmentDurationsS) / 2
}

/** What the playlist says of itself. */
export interface PlaylistFacts {
  /** Listed now. */
  segments: number
  /** How long they usually last. */
  segmentS: number
  /** Sizes to choose from. */
  renditions: number
  /** Their heights in lines, in order: a player is made for these. */
  ladder: string
  /** Height of the one in use; 0 when the playlist does not say. */
  renditionLines: number
}

/** A player drifts by a segment or two by itself; more is worth a jump to the newest picture. */
export function isBehindLive(
  secondsBehind: number | null,
  playlist: PlaylistFacts | null,
): boolean {
  if (secondsBehind === null || playlist === null) return false
  return secondsBehind > mostBehindS([playlist.segmentS])
}

/** `httpStatus` 0: nobody answered. */
export type EngineFailure =
  | { kind: 'playlist'; httpStatus: number }
  | { kind: 'network'; httpStatus: number }
  | { kind: 'media' }

export interface PlayerFacts {
  isWanted: boolean
  lastFrameAtMs: number | null
  failure: EngineFailure | null
}

export type PlayerPhase =
  | { phase: 'loading' }
  | { phase: 'playing' }
  | { phase: 'paused' }
  | { phase: 'frozen'; sinceMs: number }
  | { phase: 'missing'; failure: EngineFailure }

export function playerPhase(facts: PlayerFacts, nowMs: number): PlayerPhase {
  if (!facts.isWanted) return { phase: 'paused' }
  const { lastFrameAtMs: sinceMs } = facts
  if (sinceMs !== null && nowMs - sinceMs < MOVING_MS) return { phase: 'playing' }
  if (facts.failure !== null) return { phase: 'missing', failure: facts.failure }
  return sinceMs === null ? { phase: 'loading' } : { phase: 'frozen', sinceMs }
}
