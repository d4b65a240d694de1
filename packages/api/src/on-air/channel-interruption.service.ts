/** What calls about channels touch. A stream that is no channel is on no signal path. */
import {
  changeStreamStatus,
  removeChannel,
  restartStream,
  selectInput,
} from '@trunkline/contract/channels/channel.calls'
import type { BodyOf, Route } from '@trunkline/contract/route'
import * as channelService from '../channels/channel.service.ts'
import type { Context } from '../context.ts'
import { maySeeStream } from '../fleet/scope.rules.ts'
import type { PathKey } from '../paths/path-source.ts'
import type { Actor } from '../security/actor.ts'
import { interruption, type Interruption } from './interruption.ts'

interface NamedStream {
  serverId: string
  streamName: string
}

function channelOf(ctx: Context, actor: Actor, stream: NamedStream): PathKey[] {
  const known = ctx.board.streams.known(stream)
  if (known === null || !maySeeStream(actor, known.channel.groupIds)) return []
  return [{ kind: 'channel', id: known.channel.id }]
}

/** As its server last said; null where it has not. */
function streamOf(ctx: Context, { serverId, streamName }: NamedStream) {
  return ctx.board.streams.find(serverId, streamName)?.stream ?? null
}

/** Off, or a push output off that is on: switching on takes nothing away. */
function switchesOff(ctx: Context, body: BodyOf<typeof changeStreamStatus>): boolean {
  const { data, pushIndex } = body
  const stream = streamOf(ctx, body)
  if ('disabled' in data) return data.disabled && stream?.disabled !== true
  const asked = pushIndex === undefined ? data.pushes : data.pushes.slice(pushIndex, pushIndex + 1)
  const isOff = (url: string) =>
    stream?.pushes.some((push) => push.url === url && push.disabled === true) === true
  return asked.some((push) => push.disabled && !isOff(push.url))
}

export const CHANNEL_INTERRUPTIONS: readonly Interruption<Route>[] = [
  interruption(changeStreamStatus, async (ctx, actor, { body }) =>
    Promise.resolve(switchesOff(ctx, body) ? channelOf(ctx, actor, body) : []),
  ),
  // A restart of a channel that is not alive loses no picture.
  interruption(restartStream, async (ctx, actor, { body }) =>
    Promise.resolve(streamOf(ctx, body)?.stats.alive === false ? [] : channelOf(ctx, actor, body)),
  ),
  interruption(selectInput, async (ctx, actor, { body }) =>
    Promise.resolve(channelOf(ctx, actor, body)),
  ),
  interruption(removeChannel, async (ctx, actor, { params: { channelId } }) => {
    await channelService.load(ctx, actor, channelId)
    return [{ kind: 'channel', id: channelId }]
  }),
]
