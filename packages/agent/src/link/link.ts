/** One API's WebSocket to a seat: hello first, then answers to what it asks and events as they come. */
import {
  CHANGING_CALLS,
  hostCalls,
  HostConfirmation,
  HostRequest,
  LINK_BEAT_MS,
  SIGN_OF_LIFE_MS,
  type HostCallAnswer,
  type HostCallName,
  type HostCallParams,
  type HostMessage,
} from '@trunkline/contract/agent/host-link.messages'
import type { Seat } from '@trunkline/contract/agent/agent-config.schema'
import { wording } from '@trunkline/contract/wording'
import type { RawData, WebSocket } from 'ws'
import type { z } from 'zod'
import { CommandRefused } from '../commands/refused.ts'
import type { Context } from '../context.ts'
import { isDiskFull } from '../host/disk.ts'
import { isGroupFree, isUdpPortFree } from '../host/free-port.ts'
import { capabilitiesOf } from '../host/host.ts'
import type { SeatIdentity } from '../identity/seat-identity.ts'
import { CallExpired, NO_CONFIRMATION, type Confirm } from '../programs/confirm.ts'
import * as programService from '../programs/program.service.ts'
import type { ProgramEvent } from '../programs/program.ts'
import { SupervisorUnavailable } from '../supervisor/supervisor.silence.ts'
import { LinkTestUnknown } from '../link-test/link-tests.ts'
import { Confirmations } from './confirmations.ts'

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
  const transports = ctx.transports.known(owner)
  if (transports.length > 0)
    send({ type: 'readings', nowMs: ctx.clock(), readings: [], transports })
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
  if (body.type === 'transports') {
    // In a message that older versions of the API understand, and read nothing in.
    return { type: 'readings', nowMs, readings: [], transports: [...body.transports] }
  }
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
  const signs = setInterval(() => socket.pong(), SIGN_OF_LIFE_MS)
  return () => {
    clearInterval(timer)
    clearInterval(signs)
  }
}

type Handlers = {
  [N in HostCallName]: (
    ctx: Context,
    owner: string,
    params: HostCallParams<N>,
    confirm: Confirm,
  ) => Promise<HostCallAnswer<N>> | HostCallAnswer<N>
}

const handlers: Handlers = {
  applyProgram: programService.apply,
  controlProgram: programService.control,
  removeProgram: async (ctx, owner, { programId }, confirm) =>
    programService.remove(ctx, owner, programId, confirm),
  tailProgram: (ctx, owner, { programId, lines }) => ({
    lines: programService.tail(ctx, owner, programId, lines),
  }),
  readThumbnail: programService.thumbnail,
  followTransports: (ctx, owner, { programIds, forMs }) => ({
    followed: ctx.transports.follow(owner, programIds, forMs),
  }),
  readTransportMinutes: (ctx, owner, asked) => ctx.transports.minutes(owner, asked),
  readCapabilities: async (ctx) => {
    await ctx.host.sourceLook.look()
    return capabilitiesOf(ctx.host)
  },
  probePort: (_ctx, _owner, { port, group }) => ({
    free: isUdpPortFree(port),
    ...(group === undefined ? {} : { groupFree: isGroupFree(group) }),
  }),
  makeCertificateKey: (ctx, owner) => ({ publicKey: identityOf(ctx, owner).makeNextKey() }),
  useCertificate: (ctx, owner, { certificate }) => {
    identityOf(ctx, owner).use(certificate)
    return { used: true }
  },
  openLinkTest: async (ctx, _owner, asked) => ctx.linkTests.open(asked),
  callLinkTest: async (ctx, _owner, asked) => ctx.linkTests.call(asked),
  readLinkTest: (ctx, _owner, ref) => ctx.linkTests.read(ref),
  endLinkTest: (ctx, _owner, ref) => ctx.linkTests.end(ref),
}

function identityOf(ctx: Context, owner: string): SeatIdentity {
  const identity = ctx.identities.of(owner)
  if (identity === null) throw new CommandRefused('This seat has no certificate.')
  return identity
}

type Reply = Extract<HostMessage, { type: 'answer' | 'failure' }>

/** Null when the message is no request at all: the other side does not speak our language. */
async function answer(
  ctx: Context,
  owner: string,
  message: unknown,
  confirmations: Confirmations,
): Promise<Reply | null> {
  const request = HostRequest.safeParse(message)
  if (!request.success) return null
  const { id, call, params, requestId } = request.data
  const confirm =
    request.data.confirm === true ? async () => confirmations.ask(id) : NO_CONFIRMATION
  try {
    const result = await handle(ctx, owner, call, params, confirm)
    // One line for what somebody did; readings are asked for all the time.
    if (requestId !== undefined && CHANGING_CALLS.has(call)) {
      ctx.log.info({ call, requestId }, 'a call is carried out')
    }
    return { type: 'answer', id, result }
  } catch (error) {
    const failure = failureOf(ctx, error)
    if (error instanceof CallExpired) ctx.log.warn({ call, requestId }, 'a call came too late')
    else if (failure.code === 'failed')
      ctx.log.error({ call, requestId, reason: String(error) }, 'a call failed')
    return { type: 'failure', id, failure }
  }
}

class InvalidParams extends Error {}

async function handle<N extends HostCallName>(
  ctx: Context,
  owner: string,
  call: N,
  params: unknown,
  confirm: Confirm,
): Promise<HostCallAnswer<N>> {
  const parsed = hostCalls[call].params.safeParse(params, { error: wording })
  if (!parsed.success) throw new InvalidParams(sentenceOf(parsed.error.issues))
  return handlers[call](ctx, owner, parsed.data as HostCallParams<N>, confirm)
}

function sentenceOf(issues: readonly z.core.$ZodIssue[]): string {
  return issues.map((issue) => `${issue.path.join('.') || 'params'} ${issue.message}`).join(' ')
}

function failureOf(ctx: Context, error: unknown): Extract<Reply, { type: 'failure' }>['failure'] {
  const message = error instanceof Error ? error.message : 'Unknown.'
  if (error instanceof CommandRefused || error instanceof CallExpired)
    return { code: 'refused', message }
  const isUnknown =
    error instanceof programService.ProgramUnknown || error instanceof LinkTestUnknown
  if (isUnknown) return { code: 'not_found', message }
  if (isDiskFull(error)) {
    const sentence = `The disk of this host is full, so the settings were not applied. Free some space on the disk of ${ctx.config.dataDir}.`
    return { code: 'refused', message: sentence }
  }
  if (error instanceof SupervisorUnavailable) return { code: 'timeout', message }
  if (error instanceof InvalidParams) return { code: 'invalid', message }
  return { code: 'failed', message: `The host could not do it: ${message}` }
}
