/**
 * What a seat of kind 'channel' serves beside its link: the streamer API, version 3, as far as our
 * console and its like use it (dataplane.md 7), and HLS, without the key: for playback links, or
 * for anybody.
 */
import type { Seat } from '@trunkline/contract/agent/agent-config.schema'
import { StreamName } from '@trunkline/contract/channels/channel.schema'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { wording } from '@trunkline/contract/wording'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AGENT_VERSION } from '../../host/host.ts'
import { isSameSecret } from '../../secret.ts'
import { withinLimit } from './answer-limit.ts'
import { mountHls } from './hls.routes.ts'
import { apiFailure, sendFailure } from './api-failure.ts'
import type { StreamService } from '../stream.service.ts'
import { playbackCheck } from './playback-access.ts'
import { StreamRefused, StreamUnknown } from '../definition/stream.refusal.ts'
import { StreamListQuery, StreamPut, type StoredStream } from '../definition/stream.schema.ts'
import type { StreamsUnreadable } from '../definition/stream.store.ts'

const API = '/streamer/api/v3'
/** Forty inputs and pushes of the longest addresses. */
const BODY_LIMIT_BYTES = 64 * 1024

/** In place of the API while the streams cannot be read: it says why; their programs run on. */
export function mountStreamsUnreadable(
  app: FastifyInstance,
  cause: StreamsUnreadable,
  key: string,
): void {
  app.all('/*', async (request, reply) =>
    sendFailure(reply, { status: 503, code: 'streams_unreadable', title: titleFor(request) }),
  )
  const titleFor = ({ headers }: FastifyRequest) =>
    isAllowed(headers.authorization, key) ? cause.message : OUT
}

const OUT = 'This channel server does not work. Check the log of its agent.'

/** `answerLimitMs`: so long a call waits for the programs that it changes. */
export function mountStreamApi(
  app: FastifyInstance,
  streams: StreamService,
  seat: Pick<Seat, 'key' | 'playback'>,
  { clock, answerLimitMs }: { clock: () => number; answerLimitMs: number },
): void {
  mountHls(app, streams, playbackCheck(seat, clock))
  void app.register(async (scope) => {
    // Only JSON is read; plain text would reach the checks as a string.
    scope.removeContentTypeParser('text/plain')
    scope.setErrorHandler((error, _request, reply) => {
      const failure = apiFailure(error)
      if (failure.status >= 500) streams.logFailure(error)
      return sendFailure(reply, failure)
    })
    scope.addHook('onRequest', async (request, reply) => {
      if (!isAllowed(request.headers.authorization, seat.key)) {
        return sendFailure(reply, UNAUTHORIZED)
      }
      return undefined
    })
    mountStreams(scope, streams, { playback: seat.playback ?? 'open', answerLimitMs })
    mountStatus(scope, streams)
  })
}

const UNAUTHORIZED = {
  status: 401,
  code: 'unauthorized',
  title:
    'The key is not the one of this server. Compare the API key of the record with the host’s configuration.',
}

/**
 * `Bearer <key>`; `Basic <key>`, as media servers take their ready-made token; or the key as the
 * password of any user, as browsers and curl send it. Takes the same time whatever the key.
 */
function isAllowed(authorization: string | undefined, key: string): boolean {
  const [, scheme = '', token = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(authorization ?? '') ?? []
  const decoded = scheme.toLowerCase() === 'basic' ? Buffer.from(token, 'base64').toString() : ''
  const password = decoded.slice(decoded.indexOf(':') + 1)
  const [byToken, byPassword] = [isSameSecret(token, key), isSameSecret(password, key)]
  return byToken || byPassword
}

function mountStreams(
  app: FastifyInstance,
  streams: StreamService,
  options: { playback: NonNullable<Seat['playback']>; answerLimitMs: number },
): void {
  const { playback, answerLimitMs } = options
  const onLate = (error: unknown) => streams.logFailure(error)
  /** So that who reads it knows whether its links need a token. */
  const answer = (stream: StoredStream): StreamDetail => {
    const detail = streams.answer(stream)
    return { ...detail, stats: { ...detail.stats, playback } }
  }
  app.get(`${API}/streams`, async (request) =>
    pageOf(streams.list(), StreamListQuery.parse(request.query, { error: wording }), answer),
  )
  app.get(`${API}/streams/*`, async (request) => answer(streams.find(nameOf(request))))
  app.put(`${API}/streams/*`, { bodyLimit: BODY_LIMIT_BYTES }, async (request) => {
    const name = newNameOf(request)
    const put = StreamPut.parse(request.body === undefined ? {} : request.body, { error: wording })
    const change = async (onKept: (stream: StoredStream) => void) => streams.put(name, put, onKept)
    return answer(await withinLimit(answerLimitMs, change, onLate))
  })
  app.delete(`${API}/streams/*`, async (request, reply) => {
    await streams.remove(nameOf(request))
    return reply.code(204).send()
  })
  app.post(`${API}/streams/*`, async (request, reply) => {
    const command = commandIn(wildcard(request))
    if (command === null) return sendFailure(reply, NO_SUCH_CALL)
    if (command.input === null) {
      const restart = async (onBegun: () => void) => streams.restart(command.name, onBegun)
      await withinLimit(answerLimitMs, restart, onLate)
    } else await streams.select(command.name, command.input)
    return reply.code(204).send()
  })
}

/** `streams` in the order of their names; only those of the page are answered in full. */
function pageOf(
  streams: readonly StoredStream[],
  { limit, cursor, select }: StreamListQuery,
  answer: (stream: StoredStream) => StreamDetail,
) {
  const after = cursor === undefined ? '' : readCursor(cursor)
  const rest = streams.filter((stream) => stream.name > after)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return {
    streams: page.map((stream) => selected(answer(stream), select)),
    estimated_count: streams.length,
    ...(rest.length > page.length && last ? { next: writeCursor(last.name) } : {}),
  }
}

/** The name after which the page begins; opaque, so that nobody builds on it. */
function writeCursor(name: string): string {
  return Buffer.from(name).toString('base64url')
}

function readCursor(cursor: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(cursor)) return Buffer.from(cursor, 'base64url').toString()
  throw new StreamRefused('cursor', "is not a 'next' value of a list.")
}

function selected(stream: StreamDetail, select: string | undefined): Partial<StreamDetail> {
  if (select === undefined || select === '') return stream
  const wanted = new Set(['name', ...select.split(',').map((field) => field.trim())])
  return Object.fromEntries(Object.entries(stream).filter(([field]) => wanted.has(field)))
}

const NO_SUCH_CALL = {
  status: 404,
  code: 'not_found',
  title:
    'There is no such call. Streams know POST …/stop and …/inputs/N/select, and GET, PUT and DELETE of themselves.',
}

/** Names hold slashes: whatever stands before the last '/stop' or '/inputs/N/select'. */
function commandIn(path: string): { name: string; input: number | null } | null {
  if (path.endsWith('/stop')) return { name: path.slice(0, -'/stop'.length), input: null }
  const [, name, index] = /^(.+)\/inputs\/(\d{1,4})\/select$/.exec(path) ?? []
  return name === undefined ? null : { name, input: Number(index) }
}

/** A text that is no name is no stream either. */
function nameOf(request: FastifyRequest): string {
  const name = wildcard(request)
  if (!StreamName.safeParse(name).success) throw new StreamUnknown(name.slice(0, 120))
  return name
}

function newNameOf(request: FastifyRequest): string {
  const parsed = StreamName.safeParse(wildcard(request), { error: wording })
  if (parsed.success) return parsed.data
  throw new StreamRefused('name', parsed.error.issues[0]?.message ?? 'is not allowed.')
}

function wildcard(request: FastifyRequest): string {
  return (request.params as { '*': string })['*']
}

function mountStatus(app: FastifyInstance, streams: StreamService): void {
  const startedAtMs = Date.now()
  app.get(`${API}/monitoring/liveness`, async () => ({ status: 'ok' }))
  app.get(`${API}/config/stats`, async () => {
    const answers = streams.list().map((stream) => streams.answer(stream))
    return {
      server_version: AGENT_VERSION,
      started_at: startedAtMs,
      now: Date.now(),
      total_streams: answers.length,
      online_streams: answers.filter(({ stats }) => stats.alive === true).length,
    }
  })
}
