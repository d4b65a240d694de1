/** The live streams behind channels: read, switched on and off, restarted, on their own server. */
import type {
  changeStreamStatus,
  readStreams,
  restartStream,
} from '@trunkline/contract/channels/channel.calls'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { mayDo } from '@trunkline/contract/role-table'
import type { BodyOf, QueryOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context } from '../context.ts'
import { AppError, forbidden, invalid, notFound } from '../errors.ts'
import { groupScope, type Actor } from '../security/actor.ts'
import * as serverService from '../servers/server.service.ts'
import type { StreamChange } from '../stream-servers/flussonic.client.ts'
import type { MediaServer } from '../stream-servers/media-server.ts'
import { publicUrl } from '../stream-servers/stream-secrets.rules.ts'
import { mediaServerOf, serverFailure } from './channel-server.service.ts'
import { seesChannel } from './channel.policy.ts'
import * as channelStore from './channel.store.ts'
import type { ChannelServer } from './channel.store.ts'
import { mergePushes } from './stream-push.rules.ts'

/** The board is asked every 2 s while somebody looks; one round and its answer are as good as new. */
const FRESH_MS = 3000

export async function read(
  ctx: Context,
  actor: Actor,
  { serverId, streamName }: QueryOf<typeof readStreams>,
): Promise<ReplyOf<typeof readStreams>> {
  if (streamName === undefined) return readList(ctx, actor, serverId)
  const { server } = await load(ctx, actor, serverId, streamName)
  const known = freshOnBoard(ctx, serverId, streamName)
  const streamDetail =
    known ?? (await ask(ctx, actor, server, async (at) => readAgain(ctx, at, server, streamName)))
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
  const all = await ask(ctx, actor, server, async (at) => ctx.hosts.mediaServers.list(at))
  ctx.board.streams.answered(serverId, all)
  const channels = await channelStore.listByServers(ctx.db, [serverId])
  const foreign = new Set(
    channels.filter((channel) => !seesChannel(actor, channel)).map((channel) => channel.name),
  )
  const streams = all.filter((stream) => !foreign.has(stream.name))
  return { status: true, streams: { streams, estimated_count: streams.length } }
}

export async function changeStatus(
  ctx: Context,
  actor: Actor,
  { serverId, streamName, data }: BodyOf<typeof changeStreamStatus>,
  ip: string,
): Promise<ReplyOf<typeof changeStreamStatus>> {
  const after =
    'pushes' in data
      ? { pushes: data.pushes.map(({ url, disabled }) => ({ url: publicUrl(url), disabled })) }
      : data
  const command = { call: 'channels.changeStatus', serverId, streamName, after, ip }
  const stream = await act(ctx, actor, command, async (server) => {
    const change = await freshChange(ctx, server, streamName, data)
    return ctx.hosts.mediaServers.put(server, streamName, change)
  })
  return { status: true, data: { stream } }
}

/** A PUT to a stream that is gone would make a new one, so it is always read first. */
async function freshChange(
  ctx: Context,
  server: MediaServer,
  name: string,
  data: BodyOf<typeof changeStreamStatus>['data'],
): Promise<StreamChange> {
  const current = await ctx.hosts.mediaServers.pushes(server, name)
  if (!('pushes' in data)) return data
  const merged = mergePushes(current, data.pushes)
  if ('pushes' in merged) return merged
  throw invalid(
    `data.pushes.${merged.unknownAt}.url`,
    'is no push output of this stream. Refresh and try again.',
  )
}

/** Q121: the server stops the stream and lets it come back unless it is disabled. */
export async function restart(
  ctx: Context,
  actor: Actor,
  { serverId, streamName }: BodyOf<typeof restartStream>,
  ip: string,
): Promise<ReplyOf<typeof restartStream>> {
  const command = { call: 'channels.restart', serverId, streamName, after: undefined, ip }
  const stream = await act(ctx, actor, command, async (server) => {
    const before = await ctx.hosts.mediaServers.one(server, streamName)
    await ctx.hosts.mediaServers.stop(server, streamName)
    return before
  })
  return { status: true, data: { stream } }
}

interface StreamCommand {
  call: string
  serverId: string
  streamName: string
  after: unknown
  ip: string
}

/**
 * Done by the server, noted, and read again at once, so that every browser is told. `perform`
 * answers the stream as far as it knows it; that stands when the server cannot be asked again.
 */
async function act(
  ctx: Context,
  actor: Actor,
  command: StreamCommand,
  perform: (server: MediaServer) => Promise<StreamDetail>,
): Promise<StreamDetail> {
  const { call, serverId, streamName, after, ip } = command
  const { server, channelId } = await load(ctx, actor, serverId, streamName)
  const object =
    channelId === null
      ? ({ kind: 'server', id: serverId } as const)
      : ({ kind: 'channel', id: channelId } as const)
  const entry = { actor, call, object, after, ip }
  try {
    const known = await ask(ctx, actor, server, perform)
    await auditService.record(ctx, { ...entry, result: 'done', reason: streamName })
    return await readAgain(ctx, mediaServerOf(ctx, server), server, streamName).catch(() => known)
  } catch (error) {
    if (error instanceof AppError) {
      const reason = `${streamName}: ${error.message}`
      await auditService.record(ctx, { ...entry, result: 'failed', reason, failure: error })
    }
    throw error
  }
}

interface LoadedStream {
  server: ChannelServer
  /** null: nobody has saved this stream. */
  channelId: string | null
}

/**
 * A saved stream is its groups'. One that nobody has saved belongs to all at manager level who see
 * the server: they may save it, too. Anything else is not there.
 */
async function load(
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

/** The stream from its server, and so on the board. */
async function readAgain(
  ctx: Context,
  at: MediaServer,
  server: ChannelServer,
  name: string,
): Promise<StreamDetail> {
  const stream = await ctx.hosts.mediaServers.one(at, name)
  ctx.board.streams.answeredOne(server.id, stream)
  return stream
}

/** Whatever the media server does wrong becomes a sentence. */
async function ask<T>(
  ctx: Context,
  actor: Actor,
  server: ChannelServer,
  question: (at: MediaServer) => Promise<T>,
): Promise<T> {
  try {
    return await question(mediaServerOf(ctx, server))
  } catch (error) {
    throw serverFailure(actor, server, error) ?? error
  }
}
