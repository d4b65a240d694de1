/** One seat: its port, its key, and behind them the link; for a channel server the streamer API too. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Seat } from '@trunkline/contract/agent/agent-config.schema'
import { LINK_PATH } from '@trunkline/contract/agent/host-link.messages'
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify'
import { WebSocketServer } from 'ws'
import type { Context } from '../context.ts'
import { AGENT_VERSION } from '../host/host.ts'
import { isSameSecret } from '../secret.ts'
import { mountStreamApi, mountStreamsUnreadable } from '../streams/api/stream.routes.ts'
import type { StreamService } from '../streams/stream.service.ts'
import { StreamsUnreadable } from '../streams/definition/stream.store.ts'
import { serveLink } from './link.ts'

const MAX_MESSAGE_BYTES = 1024 * 1024

/**
 * `owner` names the seat's programs: they stay its own when its port or key is changed. `streams`: the
 * channel server of this host, or why its streams cannot be read; null without a seat of that kind.
 */
export async function openSeat(
  ctx: Context,
  seat: Seat,
  owner: string,
  streams: StreamService | StreamsUnreadable | null,
): Promise<AsyncDisposable> {
  const app = fastify({
    logger: false,
    forceCloseConnections: true,
    frameworkErrors: (_error, _request, reply) => sendPlainFailure(reply, 400, BAD_ADDRESS),
  })
  app.setNotFoundHandler((_request, reply) => sendPlainFailure(reply, 404, NOTHING_HERE))
  const links = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES })
  let isClosed = false
  app.server.on('upgrade', (request, socket, head) => {
    if (!mayLink(request, socket, seat)) return
    // The hello lists the sources: a camera may have been plugged in since the last hello.
    void ctx.host.sourceLook.look().then(() => {
      if (isClosed) socket.destroy()
      else links.handleUpgrade(request, socket, head, (link) => serveLink(ctx, seat, owner, link))
    })
  })
  mountHealth(app, seat)
  if (seat.kind === 'channel' && streams !== null) {
    if (streams instanceof StreamsUnreadable) mountStreamsUnreadable(app, streams, seat.key)
    else mountStreamApi(app, streams, seat, ctx.clock)
  }
  await listen(app, seat)
  ctx.log.info({ seat: owner, ip: seat.listenIp, port: seat.port }, 'seat listens')
  if (seat.kind === 'channel' && seat.playback === undefined) {
    ctx.log.warn({ seat: owner, port: seat.port }, PLAYBACK_NOT_SET)
  }
  return {
    async [Symbol.asyncDispose]() {
      isClosed = true
      for (const link of links.clients) link.terminate()
      await app.close()
    },
  }
}

const WRONG_KEY =
  'The key is not the one of this seat. Compare the API key of the record with the agent’s configuration.'
const PLAYBACK_NOT_SET =
  'Anybody who reaches this channel server can play its streams. Set "playback" of its seat to "signed" to require links from the console, or to "open" to keep it so.'
const BAD_ADDRESS = 'The address is not valid. Check its % signs.'
const NOTHING_HERE = 'There is nothing at this address. Check it, and the port.'

function sendPlainFailure(reply: FastifyReply, status: number, sentence: string): void {
  reply.code(status).send({ status: false, error: sentence, msg: sentence })
}

async function listen(app: FastifyInstance, seat: Seat): Promise<void> {
  try {
    await app.listen({ host: seat.listenIp, port: seat.port })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `The ${seat.kind} seat cannot listen on ${seat.listenIp}:${seat.port} (${reason}). End what uses that port, or configure another.`,
    )
  }
}

function mountHealth(app: FastifyInstance, seat: Seat): void {
  app.get('/health', async (request, reply) => {
    if (!hasKey(request.raw, seat)) {
      return reply.code(401).send({ status: false, error: WRONG_KEY, msg: WRONG_KEY })
    }
    return { status: true, kind: seat.kind, version: AGENT_VERSION }
  })
}

/** `Authorization: Bearer <key>`. */
function hasKey(request: IncomingMessage, { key }: Seat): boolean {
  return isSameSecret(/^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '', key)
}

function mayLink(request: IncomingMessage, socket: Duplex, seat: Seat): boolean {
  // A peer that goes away in the middle of the handshake is no fault of ours.
  socket.on('error', () => socket.destroy())
  const path = (request.url ?? '').split('?')[0]
  if (path !== LINK_PATH) return refuse(socket, '404 Not Found', `There is no ${path} here.`)
  if (!hasKey(request, seat)) return refuse(socket, '401 Unauthorized', WRONG_KEY)
  return true
}

function refuse(socket: Duplex, status: string, sentence: string): false {
  const body = JSON.stringify({ status: false, error: sentence, msg: sentence })
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`
  socket.end(head + body)
  return false
}
