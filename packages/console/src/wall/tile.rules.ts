/** What a tile's frame says, from all that is known: the server's word, and the picture itself. */
import type { HostStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Freshness, StateView } from '@trunkline/contract/fleet/state-view.rules'
import { noPictureText } from '../channels/channel.messages.ts'
import { viewOfStream, type StreamReading } from '@trunkline/contract/channels/stream-view.rules'
import type { PlayerPhase } from '../channels/player/player.rules.ts'
import type { PictureView } from '../encoders/picture/picture.rules.ts'
import * as text from './wall.messages.ts'

export interface ChannelFacts {
  reading: StreamReading
  freshness: Freshness
  /** Of the channel's server. */
  host: HostStatus | null
  /** Null while the tile holds no player. */
  phase: PlayerPhase | null
  /** The API's clock minus this browser's: a player tells its times by the latter. */
  clockOffsetMs: number
}

/** The picture's word counts only where the server says that all is well; worse stays as it is. */
export function viewOfChannelTile(facts: ChannelFacts): StateView {
  const view = viewOfStream(facts.reading, facts.freshness, facts.host)
  return view.family === 'ok' ? viewOfPicture(view, facts) : view
}

function viewOfPicture(view: StateView, { phase, clockOffsetMs }: ChannelFacts): StateView {
  const bad = { ...view, family: 'warn', shape: 'triangle' } as const
  if (phase?.phase === 'frozen') {
    return { ...bad, cause: text.FROZEN, sinceMs: phase.sinceMs + clockOffsetMs }
  }
  if (phase?.phase !== 'missing') return view
  return { ...bad, cause: noPictureText(phase.failure).cause, sinceMs: null }
}

/**
 * Whether a tile loads a picture. A stream that is off or unknown has none; one that is not alive
 * keeps the player that it has, which shows the last picture and goes on by itself, but gets none;
 * where only the server's API is silent a picture that moves is worth more than its word.
 */
export function wantsPlayer(reading: StreamReading, phase: PlayerPhase | null): boolean {
  if (reading === 'gone') return false
  if (reading === 'unread') return phase !== null
  if (reading === 'silent') return phase?.phase === 'playing'
  if (reading.disabled === true) return false
  return reading.stats.alive === true || phase?.phase === 'playing' || phase?.phase === 'frozen'
}

/** Of an encoder that is well, but whose newest picture is old. */
export function viewOfEncoderTile(view: StateView, picture: PictureView): StateView {
  if (view.family !== 'ok' || picture.kind !== 'old') return view
  const takenMs = picture.picture.takenAtMs
  return {
    ...view,
    family: 'warn',
    shape: 'triangle',
    cause: text.NO_NEW_PICTURE,
    sinceMs: takenMs,
  }
}
