/** The fleet's calls, and GET /api/live: Server-Sent Events, bytes and so mounted by hand. */
import { health, readLive } from '@trunkline/contract/fleet/fleet.calls'
import { LIVE_PATH } from '@trunkline/contract/fleet/fleet.schema'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { tooMany } from '../errors.ts'
import { beginTurn, mount, mountOpen, sessionOf, takeCall } from '../http/mount.ts'
import type { SignedIn } from '../session/session-memory.ts'
import { LiveConnection } from './live-connection.ts'

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
  const open = new Map<string, Set<LiveConnection>>()
  app.addHook('preClose', async () => {
    for (const connections of open.values()) {
      for (const connection of connections) connection.close()
    }
    return Promise.resolve()
  })
  // Without a body there is nothing to stream: HEAD would only hold a place.
  app.get(LIVE_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const actor = await sessionOf(ctx, request)
    await takeCall(ctx, actor)
    await ctx.programs.opened()
    // Of what it opens with: the stream itself goes on for hours.
    const endTurn = await beginTurn(ctx, actor)
    try {
      if (!reply.raw.destroyed) openStream(request, reply, actor)
    } finally {
      endTurn()
    }
  })

  function openStream(request: FastifyRequest, reply: FastifyReply, actor: SignedIn): void {
    const connections = open.get(actor.id) ?? new Set()
    if (connections.size >= STREAMS_PER_PERSON) {
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
    const readActor = async () => sessionOf(ctx, request)
    const connection = new LiveConnection({ ctx, response: reply.raw, actor, readActor })
    open.set(actor.id, connections.add(connection))
    reply.raw.on('close', () => {
      connections.delete(connection)
      if (connections.size === 0 && open.get(actor.id) === connections) open.delete(actor.id)
    })
    connection.open()
  }
}
