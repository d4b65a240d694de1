/**
 * Tokens for playlists and segments of our own channel server, where it requires them. Other media
 * servers get none: a token may mean something else to them.
 */
import type { Context } from '../context.ts'
import { bearerOf } from '../stream-servers/flussonic.client.ts'
import { MediaServerDown, MediaServerRefused } from '../stream-servers/media-server.ts'
import { mediaServerOf } from './channel-server.service.ts'
import type { ChannelServer } from './channel.store.ts'
import { playbackToken } from './playback-token.rules.ts'

/** Long enough for a player elsewhere that is given the link by hand. */
const VALID_AT_LEAST_S = 12 * 3600
/** The same link for a whole hour: whoever reads it again finds nothing changed. */
const EXPIRY_STEP_S = 3600

export interface PlaybackPass {
  token: string
  expiresAtMs: number
}

/** Valid for 12 to 13 hours; null where the server serves anybody, or has not answered yet. */
export function passFor(ctx: Context, server: ChannelServer, name: string): PlaybackPass | null {
  if (ctx.board.streams.server(server.id)?.requiresToken !== true) return null
  const earliestS = ctx.clock() / 1000 + VALID_AT_LEAST_S
  const expiresAtS = Math.ceil(earliestS / EXPIRY_STEP_S) * EXPIRY_STEP_S
  // As it is sent: that is what the server has for its key.
  const seatKey = bearerOf(mediaServerOf(ctx, server).apiKey)
  return { token: playbackToken(seatKey, name, expiresAtS), expiresAtMs: expiresAtS * 1000 }
}

/** Just after a start nothing is known of the server: it is asked once, and may be silent. */
export async function askOnce(ctx: Context, server: ChannelServer): Promise<void> {
  if (ctx.board.streams.server(server.id) !== null) return
  try {
    await ctx.board.questions.list(mediaServerOf(ctx, server))
  } catch (error) {
    if (!(error instanceof MediaServerDown || error instanceof MediaServerRefused)) throw error
  }
}
