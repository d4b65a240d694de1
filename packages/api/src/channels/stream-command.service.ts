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
import type { AskedServer } from '../fleet/streams/stream-questions.ts'
import type { Actor } from '../security/actor.ts'
import type { StreamChange } from '../stream-servers/flussonic.client.ts'
import type { MediaServer } from '../stream-servers/media-server.ts'
import { publicUrl } from '../stream-servers/stream-secrets.rules.ts'
import { mergePushes, unmetPush } from './stream-push.rules.ts'
import { inTurn, type Turn } from './stream-turn.service.ts'
import * as streamService from './stream.service.ts'

/**
 * How long the answer of a command waits for the stream as it is afterwards: a question to a slow
 * server may be under way. The board has it when it comes.
 */
const AFTERWARDS_LIMIT_MS = 2000

export async function changeStatus(
  ctx: Context,
  actor: Actor,
  { serverId, streamName, data, pushIndex }: BodyOf<typeof changeStreamStatus>,
): Promise<ReplyOf<typeof changeStreamStatus>> {
  const after = shownChange(data)
  const command = { call: 'channels.changeStatus', serverId, streamName, after }
  const stream = await act(ctx, actor, command, async (server, turn) => {
    const change = await freshChange(ctx, server, streamName, { data, pushIndex })
    turn.assertHeld()
    const put = await ctx.hosts.mediaServers.put(server, streamName, change)
    return { stream: put, after: shownChange(change), unmet: (now) => unmetChange(change, now) }
  })
  return { status: true, data: { stream } }
}

/** As the record of changes has it. */
function shownChange({ disabled, pushes }: StreamChange) {
  if (pushes === undefined) return { disabled }
  return { pushes: pushes.map((push) => ({ url: publicUrl(push.url), disabled: push.disabled })) }
}

/** What a server shows otherwise after it took the change; '' when it is as it was asked. */
function unmetChange({ disabled, pushes }: StreamChange, now: StreamDetail): string {
  const isOff = now.disabled === true
  if (disabled !== undefined && disabled !== isOff) return `the stream is ${isOff ? 'off' : 'on'}`
  const push = pushes === undefined ? null : unmetPush(pushes, now.pushes)
  return push === null ? '' : `the push output ${push.url} is ${push.disabled ? 'off' : 'on'}`
}

/** A PUT to a stream that is gone would make a new one, so it is always read first. */
async function freshChange(
  ctx: Context,
  server: MediaServer,
  name: string,
  { data, pushIndex }: Pick<BodyOf<typeof changeStreamStatus>, 'data' | 'pushIndex'>,
): Promise<StreamChange> {
  const current = await ctx.hosts.mediaServers.pushes(server, name)
  if (!('pushes' in data)) return data
  if (pushIndex !== undefined && pushIndex >= data.pushes.length) {
    throw invalid('pushIndex', 'is not an index of the list of pushes.')
  }
  const merged = mergePushes(current, data.pushes, pushIndex)
  if ('pushes' in merged) return merged
  throw invalid(
    `data.pushes.${merged.unknownAt}.url`,
    'is not a push output of this stream. Refresh and try again.',
  )
}

/** Q121: the server stops the stream and lets it come back unless it is disabled. */
export async function restart(
  ctx: Context,
  actor: Actor,
  { serverId, streamName }: BodyOf<typeof restartStream>,
): Promise<ReplyOf<typeof restartStream>> {
  const command = { call: 'channels.restart', serverId, streamName, after: undefined }
  const stream = await act(ctx, actor, command, async (server, turn) => {
    const before = await ctx.hosts.mediaServers.readStream(server, streamName)
    turn.assertHeld()
    await ctx.hosts.mediaServers.stop(server, streamName)
    return { stream: before }
  })
  return { status: true, data: { stream } }
}

/** The push that was shown at this index; if another is there now, it was not meant. */
export async function select(
  ctx: Context,
  actor: Actor,
  { serverId, streamName, index, url }: BodyOf<typeof selectInput>,
): Promise<ReplyOf<typeof selectInput>> {
  const after = { input: publicUrl(url) }
  const command = { call: 'channels.selectInput', serverId, streamName, after }
  const stream = await act(ctx, actor, command, async (server, turn) => {
    const { mediaServers } = ctx.hosts
    const { stream: before, places } = await mediaServers.sources(server, streamName)
    const input = places[index]
    if (input === undefined || input.url !== publicUrl(url)) {
      throw conflict('The sources of this stream have changed. Check them and choose again.', {
        field: 'index',
      })
    }
    turn.assertHeld()
    await mediaServers.select(server, streamName, input.place)
    return { stream: before }
  })
  return { status: true, data: { stream } }
}

interface StreamCommand {
  call: string
  serverId: string
  streamName: string
  /** What was asked for, until it is known what was written. */
  after: unknown
}

interface Performed {
  /** As far as it is known; it stands when the server cannot be asked again. */
  stream: StreamDetail
  /** What was written, when that is not what was asked for. */
  after?: unknown
  /** What the server shows otherwise; '' when all is as it was asked. */
  unmet?: (now: StreamDetail) => string
}

/** Done by the server, read again at once, so that every browser is updated, and audited. */
async function act(
  ctx: Context,
  actor: Actor,
  command: StreamCommand,
  perform: (server: MediaServer, turn: Turn) => Promise<Performed>,
): Promise<StreamDetail> {
  const { call, serverId, streamName, after } = command
  const { server, channelId } = await streamService.load(ctx, actor, serverId, streamName)
  const object =
    channelId === null
      ? ({ kind: 'server', id: serverId } as const)
      : ({ kind: 'channel', id: channelId } as const)
  const entry = { actor, call, object, after }
  try {
    const { done, now } = await streamService.ask(ctx, actor, server, async (at) =>
      inTurn(ctx, { serverId, streamName }, async (turn) => {
        const performed = await perform(at, turn)
        // Within the turn: the next command would look like a server that did something else.
        return { done: performed, now: await afterwards(ctx, at, performed.stream.name) }
      }),
    )
    if (done.after !== undefined) entry.after = done.after
    assertMet(server, done, now)
    await auditService.record(ctx, { ...entry, reason: streamName })
    return now ?? done.stream
  } catch (error) {
    if (error instanceof AppError) {
      const reason = `${streamName}: ${error.message}`
      await auditService.record(ctx, { ...entry, result: 'failed', reason, failure: error })
    }
    throw error
  }
}

function assertMet({ title }: { title: string }, done: Performed, now: StreamDetail | null): void {
  const unmet = now === null ? '' : (done.unmet?.(now) ?? '')
  if (unmet === '') return
  throw conflict(
    `${title} accepted the change, but now reports that ${unmet}. It may have been changed on the server: check it, then try again.`,
  )
}

/** The stream read again, and so on the board; null when the server is slow or away. */
async function afterwards(
  ctx: Context,
  server: AskedServer,
  name: string,
): Promise<StreamDetail | null> {
  const late = new AbortController()
  try {
    return await Promise.race([
      ctx.board.questions.readAfresh(server, name).catch(() => null),
      delay(AFTERWARDS_LIMIT_MS, null, { signal: late.signal }),
    ])
  } finally {
    late.abort()
  }
}
