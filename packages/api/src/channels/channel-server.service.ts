/** The media server of a channel: how it is queried, and what an operator sees when it fails. */
import { CANNOT_SELECT_INPUT } from '@trunkline/contract/channels/channel.rules'
import { isAdminLevel } from '@trunkline/contract/roles'
import type { Context } from '../context.ts'
import { type AppError, hostTimeout, hostUnreachable, notFound, refused } from '../errors.ts'
import type { Actor } from '../security/actor.ts'
import * as serverService from '../servers/server.service.ts'
import { baseUrlOf, MediaServerDown, MediaServerRefused } from '../stream-servers/media-server.ts'
import type { AskedServer } from '../fleet/streams/stream-questions.ts'
import type { ChannelServer } from './channel.store.ts'

/** With its key in clear: for a call to it, nowhere else. */
export function mediaServerOf(ctx: Context, server: ChannelServer): AskedServer {
  return {
    id: server.id,
    baseUrl: baseUrlOf(server.host, server.port),
    apiKey: serverService.apiKeyOf(ctx, server),
  }
}

/**
 * null when the media server has nothing to do with it. Only admins see why it is away: it
 * may name keys and addresses.
 */
export function serverFailure(
  actor: Actor,
  server: ChannelServer,
  error: unknown,
): AppError | null {
  if (error instanceof MediaServerDown) {
    const { kind, sentence } = error.fault
    const message = isAdminLevel(actor.role)
      ? sentence
      : `${server.title} does not answer. Ask an admin to look after it.`
    return kind === 'timeout' ? hostTimeout(message) : hostUnreachable(message)
  }
  if (!(error instanceof MediaServerRefused)) return null
  if (error.kind === 'unknown stream') return notFound('stream')
  if (error.kind === 'unknown call') {
    return refused(CANNOT_SELECT_INPUT, { httpStatus: 400 })
  }
  return refused(`${server.title} refuses this: ${error.message}`, { httpStatus: 400 })
}
