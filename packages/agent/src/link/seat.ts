/** One seat: its port, its key, and behind them the link; for a channel server the streamer API too. */
import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Seat } from '@trunkline/contract/agent/agent-config.schema'
import { LINK_PATH } from '@trunkline/contract/agent/host-link.messages'
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Context } from '../context.ts'
import { AGENT_VERSION } from '../host/host.ts'
import type { SeatIdentity } from '../identity/seat-identity.ts'
import { LATEST_ANSWER_MS } from '../streams/api/answer-limit.ts'
import { mountStreamApi, mountStreamsUnreadable } from '../streams/api/stream.routes.ts'
import type { StreamService } from '../streams/stream.service.ts'
import { StreamsUnreadable } from '../streams/definition/stream.store.ts'
import { DialOut } from './dial-out.ts'
import { serveLink } from './link.ts'
import { refusalOf, takeTls, type Refusal } from './seat-door.ts'

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
  const identity = ctx.identities.of(owner)
  const door = identity === null ? null : takeTls(app.server, identity)
  const stopCutting = identity === null ? null : cutWhenReplaced(identity, links.clients)
  let isClosed = false
  app.server.on('upgrade', (request, socket, head) => {
    if (!mayLink(request, socket, seat, identity)) return
    // The hello lists the sources: a camera may have been plugged in since the last hello.
    void ctx.host.sourceLook.look().then(() => {
      if (isClosed) socket.destroy()
      else links.handleUpgrade(request, socket, head, (link) => serveLink(ctx, seat, owner, link))
    })
  })
  mountHealth(app, seat, identity)
  if (seat.kind === 'channel' && streams !== null) {
    if (streams instanceof StreamsUnreadable) mountStreamsUnreadable(app, streams, seat.key)
    else mountStreamApi(app, streams, seat, { clock: ctx.clock, answerLimitMs: LATEST_ANSWER_MS })
  }
  await listen(app, seat)
  const dialOut = identity === null ? null : new DialOut({ ctx, seat, owner, identity })
  const isEnrolled = identity?.isEnrolled === true
  ctx.log.info({ seat: owner, ip: seat.listenIp, port: seat.port, isEnrolled }, 'seat listens')
  if (seat.kind === 'channel' && seat.playback === undefined) {
    ctx.log.warn({ seat: owner, port: seat.port }, PLAYBACK_NOT_SET)
  }
  return {
    async [Symbol.asyncDispose]() {
      isClosed = true
      dialOut?.[Symbol.dispose]()
      stopCutting?.()
      for (const link of links.clients) link.terminate()
      await app.close()
      door?.[Symbol.dispose]()
    },
  }
}

/** Links of before: with the key, or of the console that it was enrolled at. */
function cutWhenReplaced(identity: SeatIdentity, links: ReadonlySet<WebSocket>): () => void {
  return identity.listen((change) => {
    if (change === 'replaced') for (const link of links) link.terminate()
  })
}

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

function mountHealth(app: FastifyInstance, seat: Seat, identity: SeatIdentity | null): void {
  app.get('/health', async (request, reply) => {
    const refusal = refusalOf(request.raw, seat.key, identity)
    if (refusal === null) return { status: true, kind: seat.kind, version: AGENT_VERSION }
    const { status, sentence, headers } = refusal
    return reply
      .headers(headers)
      .code(status)
      .send({ status: false, error: sentence, msg: sentence })
  })
}

function mayLink(
  request: IncomingMessage,
  socket: Duplex,
  seat: Seat,
  identity: SeatIdentity | null,
): boolean {
  // A peer that goes away in the middle of the handshake is no fault of ours.
  socket.on('error', () => socket.destroy())
  const path = (request.url ?? '').split('?')[0]
  if (path !== LINK_PATH) {
    return refuse(socket, { status: 404, sentence: `There is no ${path} here.`, headers: {} })
  }
  const refusal = refusalOf(request, seat.key, identity)
  return refusal === null || refuse(socket, refusal)
}

function refuse(
  socket: Duplex,
  { status, sentence, headers }: Omit<Refusal, 'status'> & { status: number },
): false {
  const body = JSON.stringify({ status: false, error: sentence, msg: sentence })
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...more,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  return false
}
