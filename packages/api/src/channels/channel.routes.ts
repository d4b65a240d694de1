import {
  changeStreamStatus,
  listChannels,
  readPlayback,
  readStreams,
  relayPath,
  removeChannel,
  renameChannel,
  restartStream,
  saveChannels,
  selectInput,
} from '@trunkline/contract/channels/channel.calls'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { tooMany } from '../errors.ts'
import { refuseNul } from '../http/json-body.ts'
import { mount, sessionOf } from '../http/mount.ts'
import * as channelRemoveService from './channel-remove.service.ts'
import * as channelService from './channel.service.ts'
import * as relayService from './relay.service.ts'
import * as streamCommandService from './stream-command.service.ts'
import * as streamService from './stream.service.ts'

export function channelRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listChannels, async ({ body }, actor) => channelService.list(ctx, actor, body))
  mount(app, ctx, saveChannels, async ({ body }, actor) => channelService.save(ctx, actor, body))
  mount(app, ctx, renameChannel, async ({ params, body }, actor) =>
    channelService.rename(ctx, actor, params.channelId, body),
  )
  mount(app, ctx, removeChannel, async ({ params }, actor) =>
    channelRemoveService.remove(ctx, actor, params.channelId),
  )
  mount(app, ctx, readPlayback, async ({ params }, actor) =>
    channelService.playback(ctx, actor, params.channelId),
  )
  mount(app, ctx, readStreams, async ({ query }, actor) => streamService.read(ctx, actor, query))
  mount(app, ctx, changeStreamStatus, async ({ body }, actor) =>
    streamCommandService.changeStatus(ctx, actor, body),
  )
  mount(app, ctx, restartStream, async ({ body }, actor) =>
    streamCommandService.restart(ctx, actor, body),
  )
  mount(app, ctx, selectInput, async ({ body }, actor) =>
    streamCommandService.select(ctx, actor, body),
  )
  mountRelay(app, ctx)
}

/** Files of one person on their way: a wall of players; more is a client that does not read them. */
const FILES_PER_PERSON = 24
const TOO_MANY_RETRY_S = 2

/** Bytes, and so mounted by hand. What stands behind a question mark is not looked at. */
function mountRelay(app: FastifyInstance, ctx: Context): void {
  const open = new Map<string, number>()
  const path = relayPath(':channelId', '*')
  app.get<{ Params: { channelId: string; '*': string } }>(
    path,
    { exposeHeadRoute: false },
    async (request, reply) => {
      const actor = await sessionOf(ctx, request)
      const count = open.get(actor.id) ?? 0
      if (count >= FILES_PER_PERSON) {
        throw tooMany(
          'Too many players are open under this account. Close some of them.',
          TOO_MANY_RETRY_S,
        )
      }
      open.set(actor.id, count + 1)
      const signal = closing(reply, () => {
        const left = (open.get(actor.id) ?? 1) - 1
        if (left === 0) open.delete(actor.id)
        else open.set(actor.id, left)
      })
      const { channelId, '*': fileName } = request.params
      refuseNul('channelId', channelId)
      const file = await relayService.open(ctx, actor, { channelId, fileName, signal })
      if (file.lengthBytes !== null) reply.header('content-length', file.lengthBytes)
      return reply.type(file.contentType).header('cache-control', 'no-store').send(file.body)
    },
  )
}

/** Aborts when the answer is over, whole or not; at once for a viewer who has left meanwhile. */
function closing(reply: FastifyReply, whenOver: () => void): AbortSignal {
  const controller = new AbortController()
  const end = () => {
    controller.abort(relayService.OVER)
    whenOver()
  }
  // No event for a stream that has closed already.
  if (reply.raw.closed || reply.raw.destroyed) end()
  else reply.raw.once('close', end)
  return controller.signal
}
