/** Commands to the streams behind channels: switched on and off, restarted, to another source. */
import { setTimeout as delay } from 'node:timers/promises'
import type {
  changeStreamStatus,
  restartStream,
  selectInput,
} from '@trunkline/contract/channels/channel.calls'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context } from '../context.ts'
import { AppError, conflict, invalid } from '../errors.ts'
import type { AskedServer } from '../fleet/stream-questions.ts'
import type { Actor } from '../security/actor.ts'
import type { StreamChange } from '../stream-servers/flussonic.client.ts'
import type { MediaServer } from '../stream-servers/media-server.ts'
import { publicUrl } from '../stream-servers/stream-secrets.rules.ts'
import { mediaServerOf } from './channel-server.service.ts'
import { mergePushes } from './stream-push.rules.ts'
import * as streamService from './stream.service.ts'

/**
 * How long the answer of a command waits for the stream as it is afterwards: a question to a slow
 * server may be under way. The board has it when it comes.
 */
const AFTERWARDS_LIMIT_MS = 2000

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

/** The one that was shown at this place; if another stands there now, nobody meant that one. */
export async function select(
  ctx: Context,
  actor: Actor,
  { serverId, streamName, index, url }: BodyOf<typeof selectInput>,
  ip: string,
): Promise<ReplyOf<typeof selectInput>> {
  const after = { input: publicUrl(url) }
  const command = { call: 'channels.selectInput', serverId, streamName, after, ip }
  const stream = await act(ctx, actor, command, async (server) => {
    const { mediaServers } = ctx.hosts
    const { stream: before, places } = await mediaServers.sources(server, streamName)
    const input = places[index]
    if (input === undefined || input.url !== publicUrl(url)) {
      throw conflict('The sources of this stream have changed. Look at them and choose again.', {
        field: 'index',
      })
    }
    await mediaServers.select(server, streamName, input.place)
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
  const { server, channelId } = await streamService.load(ctx, actor, serverId, streamName)
  const object =
    channelId === null
      ? ({ kind: 'server', id: serverId } as const)
      : ({ kind: 'channel', id: channelId } as const)
  const entry = { actor, call, object, after, ip }
  try {
    const known = await streamService.ask(ctx, actor, server, async (at) =>
      ctx.board.questions.inTurn(serverId, streamName, async () => perform(at)),
    )
    await auditService.record(ctx, { ...entry, result: 'done', reason: streamName })
    return await afterwards(ctx, mediaServerOf(ctx, server), known)
  } catch (error) {
    if (error instanceof AppError) {
      const reason = `${streamName}: ${error.message}`
      await auditService.record(ctx, { ...entry, result: 'failed', reason, failure: error })
    }
    throw error
  }
}

/** The stream read again, and so on the board; as it is known when the server is slow or away. */
async function afterwards(
  ctx: Context,
  server: AskedServer,
  known: StreamDetail,
): Promise<StreamDetail> {
  const late = new AbortController()
  try {
    return await Promise.race([
      ctx.board.questions.readAfresh(server, known.name).catch(() => known),
      delay(AFTERWARDS_LIMIT_MS, known, { signal: late.signal }),
    ])
  } finally {
    late.abort()
  }
}
