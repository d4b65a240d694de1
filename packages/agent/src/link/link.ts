/** One API's WebSocket to a seat: hello first, then answers to what it asks and events as they come. */
import {
  HostConfirmation,
  LINK_BEAT_MS,
  type HostMessage,
} from '@trunkline/contract/agent/host-link.messages'
import type { Seat } from '@trunkline/contract/agent/agent-config.schema'
import type { RawData, WebSocket } from 'ws'
import type { Context } from '../context.ts'
import { capabilitiesOf } from '../host/host.ts'
import * as programService from '../programs/program.service.ts'
import type { ProgramEvent } from '../programs/program.ts'
import { Confirmations } from './confirmations.ts'
import { answer } from './dispatch.ts'

/** An API that does not read for so long gets a new hello instead of an endless backlog. */
const MAX_BACKLOG_BYTES = 4_000_000
const MISSED_BEATS = 2
const CLOSE_NOT_OUR_LANGUAGE = 4400

/** Lives as long as the socket. */
export function serveLink(ctx: Context, seat: Seat, owner: string, socket: WebSocket): void {
  const send = (message: HostMessage) => {
    if (socket.bufferedAmount > MAX_BACKLOG_BYTES) socket.terminate()
    else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }
  // Between the list and the first event nothing may happen unseen: no await in between.
  const stopListening = ctx.board.listen((event) => {
    if (event.owner === owner) send(toMessage(event, ctx.clock()))
  })
  send({
    type: 'hello',
    seatKind: seat.kind,
    nowMs: ctx.clock(),
    capabilities: capabilitiesOf(ctx.host),
    programs: programService.list(ctx, owner),
    confirmsCalls: true,
    health: ctx.health.now,
  })
  const stopHealth = ctx.health.listen((health) => send({ type: 'health', health }))
  const confirmations = new Confirmations(send)
  const stopBeat = beat(socket)
  socket.on('message', (data) => {
    const message = parseJson(data)
    const confirmation = HostConfirmation.safeParse(message)
    if (confirmation.success) return confirmations.take(confirmation.data)
    void answer(ctx, owner, message, confirmations).then((reply) =>
      reply
        ? send(reply)
        : socket.close(CLOSE_NOT_OUR_LANGUAGE, 'This is no request of a host link.'),
    )
  })
  socket.on('error', (error) => ctx.log.warn({ reason: error.message }, 'a link failed'))
  socket.once('close', () => {
    stopListening()
    stopHealth()
    stopBeat()
    confirmations[Symbol.dispose]()
    ctx.log.info({ seat: owner }, 'link closed')
  })
  ctx.log.info({ seat: owner }, 'link open')
}

function parseJson(data: RawData): unknown {
  try {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer)
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

function toMessage(event: ProgramEvent, nowMs: number): HostMessage {
  const { owner: _owner, ...body } = event
  return body.type === 'program' || body.type === 'readings' ? { ...body, nowMs } : body
}

/** Either side notices a silent other one; TCP alone takes minutes. */
function beat(socket: WebSocket): () => void {
  let missed = 0
  socket.on('pong', () => (missed = 0))
  const timer = setInterval(() => {
    if (missed >= MISSED_BEATS) return socket.terminate()
    missed += 1
    socket.ping()
  }, LINK_BEAT_MS)
  return () => clearInterval(timer)
}
