/** The fleet's calls, and POST /api/live: Server-Sent Events, bytes and so mounted by hand. */
import { health, readLive, watchLive } from '@trunkline/contract/fleet/fleet.calls'
import { LIVE_PATH, WATCHED_BODY_LIMIT, WatchedSet } from '@trunkline/contract/fleet/fleet.schema'
import { wording } from '@trunkline/contract/wording'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { notFound, tooMany } from '../../errors.ts'
import { takeCall } from '../../http/fair-share.ts'
import { mount, mountOpen, sessionOf } from '../../http/mount.ts'
import type { SignedIn } from '../../session/session-memory.ts'
import { invalidInput } from '../../http/sentences.ts'
import { LiveConnection } from './live-connection.ts'
import { LiveHub } from './live-hub.ts'

/** Of one person: that many tabs and screens on walls; more is a client that forgets to hang up. */
const STREAMS_PER_PERSON = 24
const TOO_MANY_RETRY_S = 5

export function liveRoutes(app: FastifyInstance, ctx: Context): void {
  mountOpen(app, health, async () => Promise.resolve({ status: true }))
  mount(app, ctx, readLive, async (_input, actor) => {
    await ctx.programs.opened()
    return { status: true as const, data: ctx.board.snapshotInParts(actor) }
  })
  mountLive(app, ctx)
}

function mountLive(app: FastifyInstance, ctx: Context): void {
  const hub = new LiveHub(ctx)
  app.addHook('preClose', async () => {
    hub.close()
    return Promise.resolve()
  })
  mount(app, ctx, watchLive, async ({ body }, actor) => {
    const connection = hub.find(body.connection, actor.id)
    if (connection === undefined) throw notFound('live connection')
    connection.watch(body)
    return Promise.resolve({ status: true })
  })
  const actors = new WeakMap<FastifyRequest, SignedIn>()
  app.post(LIVE_PATH, {
    bodyLimit: WATCHED_BODY_LIMIT,
    // Before the body is read.
    onRequest: async (request) => {
      const actor = await sessionOf(ctx, request)
      actors.set(request, actor)
      await takeCall(ctx, actor)
    },
    handler: (request, reply) => {
      const actor = actors.get(request)
      if (actor === undefined) throw new Error('The live stream was reached without a session.')
      const set = WatchedSet.safeParse(request.body, { error: wording })
      if (!set.success) throw invalidInput(set.error)
      // Not in turn with the lists of this person: what a page shows waits for its stream, and what that opens with
      // is sent in parts.
      if (!reply.raw.destroyed) openStream({ ctx, hub, request, reply, actor }, set.data)
    },
  })
}

interface Opening {
  ctx: Context
  hub: LiveHub
  request: FastifyRequest
  reply: FastifyReply
  actor: SignedIn
}

function openStream({ ctx, hub, request, reply, actor }: Opening, first: WatchedSet): void {
  if (hub.countOf(actor.id) >= STREAMS_PER_PERSON) {
    throw tooMany(
      'Too many live pages are open under this account. Close some of them.',
      TOO_MANY_RETRY_S,
    )
  }
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // Asks a proxy in between not to gather what must arrive at once.
    'x-accel-buffering': 'no',
  })
  const connection = new LiveConnection({
    ctx,
    response: reply.raw,
    actor,
    readActor: async () => sessionOf(ctx, request),
    onWatch: (key, isWatched) => hub.watch(connection, key, isWatched),
  })
  hub.add(connection)
  reply.raw.on('close', () => hub.remove(connection))
  connection.open(first)
}
