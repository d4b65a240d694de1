/** The live streams behind channels: read on their own server, and who may reach which. */
import type { readStreams } from '@trunkline/contract/channels/channel.calls'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { mayDo } from '@trunkline/contract/role-table'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import { forbidden, invalid, notFound } from '../errors.ts'
import type { AskedServer } from '../fleet/streams/stream-questions.ts'
import { groupScope, type Actor } from '../security/actor.ts'
import * as serverService from '../servers/server.service.ts'
import { MediaServerDown } from '../stream-servers/media-server.ts'
import { mediaServerOf, serverFailure } from './channel-server.service.ts'
import { seesChannel } from './channel.policy.ts'
import * as channelStore from './channel.store.ts'
import type { ChannelServer } from './channel.store.ts'

/** The board is asked every 2 s while somebody looks; one round and its answer are as good as new. */
const FRESH_MS = 3000
/** A silent server is asked every 10 s or more often; nobody else waits for it meanwhile. */
const SILENCE_FRESH_MS = 10_000

export async function read(
  ctx: Context,
  actor: Actor,
  { serverId, streamName }: QueryOf<typeof readStreams>,
): Promise<ReplyOf<typeof readStreams>> {
  if (streamName === undefined) return readList(ctx, actor, serverId)
  const { server } = await load(ctx, actor, serverId, streamName)
  const known = freshOnBoard(ctx, serverId, streamName)
  const streamDetail =
    known ??
    (await ask(ctx, actor, server, async (at) => {
      assertHeard(ctx, serverId)
      return ctx.board.questions.read(at, streamName)
    }))
  return { status: true, streamDetail }
}

/** For the Sync dialog: all streams of the server but those that only other groups have saved. */
async function readList(
  ctx: Context,
  actor: Actor,
  serverId: string,
): Promise<ReplyOf<typeof readStreams>> {
  if (!mayDo(actor.role, 'syncChannels')) throw forbidden()
  const server = await loadServer(ctx, actor, serverId)
  const all = await ask(ctx, actor, server, async (at) => ctx.board.questions.list(at))
  const channels = await channelStore.listByServers(ctx.db, [serverId])
  const foreign = new Set(
    channels.filter((channel) => !seesChannel(actor, channel)).map((channel) => channel.name),
  )
  const streams = all.filter((stream) => !foreign.has(stream.name))
  return { status: true, streams: { streams, estimated_count: streams.length } }
}

export interface LoadedStream {
  server: ChannelServer
  /** null: nobody has saved this stream. */
  channelId: string | null
}

/**
 * A saved stream belongs to its groups. An unsaved stream belongs to all at manager level who see
 * the server: they may save it, too. Anything else is not there.
 */
export async function load(
  ctx: Context,
  actor: Actor,
  serverId: string,
  name: string,
): Promise<LoadedStream> {
  const channel = await channelStore.findStream(ctx.db, serverId, name, groupScope(actor))
  if (channel !== null) return { server: channel.server, channelId: channel.id }
  if (!mayDo(actor.role, 'syncChannels')) throw notFound('stream')
  const server = await loadServer(ctx, actor, serverId)
  const ofOthers = await channelStore.findStream(ctx.db, serverId, name, 'all')
  if (ofOthers !== null) throw notFound('stream')
  return { server, channelId: null }
}

async function loadServer(ctx: Context, actor: Actor, serverId: string): Promise<ChannelServer> {
  const server = await serverService.load(ctx, actor, serverId)
  if (server.serverType === 'channel') return server
  throw invalid('serverId', 'must be a server of type channel. Choose another server.')
}

function freshOnBoard(ctx: Context, serverId: string, name: string): StreamDetail | null {
  const known = ctx.board.streams.find(serverId, name)
  if (known === null || known.readAtMs === null) return null
  return ctx.clock() - known.readAtMs <= FRESH_MS ? known.stream : null
}

/** What was found of a silent server a moment ago is said at once. */
function assertHeard(ctx: Context, serverId: string): void {
  const known = ctx.board.streams.server(serverId)
  if (known === null || known.fault === null) return
  if (ctx.clock() - known.askedAtMs <= SILENCE_FRESH_MS) throw new MediaServerDown(known.fault)
}

/** Whatever the media server does wrong becomes a sentence. */
export async function ask<T>(
  ctx: Context,
  actor: Actor,
  server: ChannelServer,
  question: (at: AskedServer) => Promise<T>,
): Promise<T> {
  try {
    return await question(mediaServerOf(ctx, server))
  } catch (error) {
    throw serverFailure(actor, server, error) ?? error
  }
}
