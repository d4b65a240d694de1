/** The state of a channel's stream, in words: the same on every screen. */
import { type HostAnswer, isUndecided } from '../fleet/first-answer.rules.ts'
import type { HostStatus, StreamStatus } from '../fleet/fleet.schema.ts'
import { CAUSES, STATE_WORDS } from '../fleet/state-words.ts'
import {
  isStale,
  type Family,
  type Freshness,
  type Shape,
  type StateView,
} from '../fleet/state-view.rules.ts'
import {
  channelState,
  isSourceWell,
  lostBackupOf,
  lostPrimaryOf,
  receiverFaultOf,
  sourcesOf,
  startingSinceMs,
} from './channel.rules.ts'
import type { StreamDetail, StreamFinding } from './stream.schema.ts'

/**
 * What is known of a stream. Without one: the server is silent, it knows no such stream, or nobody
 * has asked yet.
 */
export type StreamReading = StreamDetail | 'silent' | 'gone' | 'unread'

/** `host`: the media server; null where nothing is known of it. */
export function readingOfStream(
  status: Pick<StreamStatus, 'stream' | 'readAtMs'>,
  host: Pick<HostStatus, 'online'> | null,
): StreamReading {
  if (status.stream !== null) return status.stream
  if (host?.online === false) return 'silent'
  return status.readAtMs === null ? 'unread' : 'gone'
}

/**
 * CHAN-09 to CHAN-11, what evidence we have for the word, and since when it is so.
 * `host`: the channel's server; null where nothing is known of it.
 */
export function viewOfStream(
  reading: StreamReading,
  freshness: Freshness,
  host: HostAnswer | null = null,
): StateView {
  if (isStale(freshness)) {
    return view('blind', 'diamond-question', STATE_WORDS.unknown, 'stale', freshness.brokenSinceMs)
  }
  const nowMs = freshness.brokenSinceMs ?? freshness.nowMs
  // A console that starts together with the server may be the earlier of the two.
  const isAwaited = reading === 'silent' && host !== null && isUndecided(host, nowMs)
  if (reading === 'unread' || isAwaited) return view('move', 'arc', STATE_WORDS.reading, '', null)
  if (reading === 'silent') {
    const sinceMs = host?.online === false ? host.sinceMs : null
    return view('blind', 'diamond-x', STATE_WORDS.offline, CAUSES.serverSilent, sinceMs)
  }
  if (reading === 'gone') {
    return view('bad', 'octagon', STATE_WORDS.offline, CAUSES.noSuchStream, null)
  }
  const beganMs = startingSinceMs(reading, nowMs)
  switch (channelState(reading)) {
    case 'Disabled':
      return view('off', 'ring-slash', STATE_WORDS.disabled, '', null)
    case 'Online':
      if (beganMs === null) return viewOfOnline(reading)
      // Its last segments of before are still played.
      return view('move', 'arc', STATE_WORDS.online, CAUSES.restarting, beganMs)
    case 'Offline': {
      if (beganMs !== null) return view('move', 'arc', STATE_WORDS.starting, '', beganMs)
      const sinceMs = lastMediaMs(reading, freshness.nowMs)
      const cause = receiverFaultOf(reading) === '' ? CAUSES.noMedia : CAUSES.receiverDown
      return view('bad', 'octagon', STATE_WORDS.offline, cause, sinceMs)
    }
  }
}

/** Media come; what they show is another matter. Since the picture's fault, which is seen first. */
function viewOfOnline(stream: StreamDetail): StateView {
  const lostSinceMs = sourceLostMs(stream)
  if (lostSinceMs !== null) {
    const cause = receiverFaultOf(stream) === '' ? 'source lost' : CAUSES.receiverDown
    return view('warn', 'ring', STATE_WORDS.online, cause, lostSinceMs)
  }
  const { stats } = stream
  const findings = stats.findings ?? []
  const [first] = findings
  if (first === undefined) return viewOfWell(stream)
  const cause = findings.map(({ kind }) => FINDING_CAUSES[kind]).join(', ')
  return view('warn', 'triangle', STATE_WORDS.online, cause, first.since)
}

/** What goes out is well; what is behind it may be lost already. */
function viewOfWell(stream: StreamDetail): StateView {
  const lost = lostPrimaryOf(stream)
  const found = lost ?? lostBackupOf(stream)
  if (found === null) return view('ok', 'disc', STATE_WORDS.online, '', null)
  const cause = lost === null ? NO_BACKUP : ON_BACKUP
  return view('warn', 'half-disc', STATE_WORDS.online, cause, found.sinceMs)
}

/** Its playlist outlives a source by some seconds; null while the source is well, or nobody says so. */
export function sourceLostMs(stream: StreamDetail): number | null {
  const { error = '', since } = sourcesOf(stream).current?.stats ?? {}
  return error === '' || since === undefined ? null : since
}

/** Null: never, unsaid, or in the future of a media server whose clock is ahead. */
function lastMediaMs(stream: StreamDetail, nowMs: number): number | null {
  const { since, last_dts_at: lastAtMs } = stream.stats
  const lastMs = (isSourceWell(stream) ? (lastAtMs ?? since) : (since ?? lastAtMs)) ?? null
  return lastMs === null || lastMs > nowMs ? null : lastMs
}

export const FINDING_CAUSES: Readonly<Record<StreamFinding['kind'], string>> = {
  black: 'black picture',
  frozen: 'frozen picture',
  silent: 'silent audio',
}

/** While the primary source is lost. */
export const ON_BACKUP = 'on backup source'
/** While the primary source is shown, and nothing could take over from it. */
export const NO_BACKUP = 'backup not ready'

function view(
  family: Family,
  shape: Shape,
  word: string,
  cause: string,
  sinceMs: number | null,
): StateView {
  return { family, shape, word, cause, sinceMs }
}
