/**
 * Turns a call of the contract into an endpoint: who, what shape in, what shape out. Denies by
 * default: nothing is parsed, and no handler runs, before the role is known to be allowed.
 */
import { Readable } from 'node:stream'
import { mayDo } from '@trunkline/contract/role-table'
import { mayCall } from '@trunkline/contract/roles'
import {
  ADDITION_KEY_HEADER,
  type BodyOf,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  type Route,
} from '@trunkline/contract/route'
import { wording } from '@trunkline/contract/wording'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import * as auditService from '../audit/audit.service.ts'
import { type Attempt, recordIfRefused } from '../audit/refusals.service.ts'
import type { Context } from '../context.ts'
import { AppError, forbidden } from '../errors.ts'
import type { WithParts } from '../in-slices.ts'
import type { Actor } from '../security/actor.ts'
import * as sessionService from '../session/session.service.ts'
import type { SignedIn } from '../session/session-memory.ts'
import { Answer, sendAnswer, sendParts, sendPrepared, type PreparedAnswer } from './answer.ts'
import { answerCacheOf, asksForStates, keptFrom, keyOf, type Look } from './answer-cache.ts'
import { callGuardOf } from './call-guard.ts'
import { isChange } from './call-subject.ts'
import { countCall, fairShareOf, isListCall, takeCall, takeTurn } from './fair-share.ts'
import { refuseNul } from './json-body.ts'
import {
  answerInParts,
  CHECKED,
  COMPARED,
  CUT,
  jsonInSlices,
  shapeInSlices,
  type Shape,
} from './long-answer.ts'
import { withName } from '../save-versioned.ts'
import { noteMounted } from '../open-api/mounted-calls.ts'
import { assertTokenMay } from '../users/api-tokens/token-guard.ts'
import { invalidInput, withRequired } from './sentences.ts'

export interface CallInput<T extends Route> {
  params: ParamsOf<T>
  query: QueryOf<T>
  body: BodyOf<T>
  ip: string
  /** As the client names itself; '' when it does not. */
  userAgent: string
  /** Whether the guest came over TLS, as far as a trusted proxy says. */
  isTls: boolean
  /** Of this API as the guest named it, such as 'https://console.example'; not to be trusted. */
  origin: string
  /** Of what this call adds; '' without. */
  additionKey: string
  /** Of the answer, if the call succeeds or not. */
  setCookie: (cookie: string) => void
  log: FastifyBaseLogger
}

/** Who is calling; throws Unauthenticated. For byte routes that are mounted by hand. */
export async function sessionOf(ctx: Context, request: FastifyRequest): Promise<SignedIn> {
  return sessionService.resume(ctx, request.headers.authorization, request.ip)
}

/** For calls that need a role. The handler's answer is a value of the call's reply. */
export function mount<T extends Route>(
  app: FastifyInstance,
  ctx: Context,
  call: T,
  handle: (input: CallInput<T>, actor: SignedIn) => Promise<WithParts<ReplyOf<T>>>,
): void {
  if (call.may === 'anyone') throw new Error(`${call.name} is open to anyone: use mountOpen.`)
  const actors = new WeakMap<FastifyRequest, SignedIn>()
  const isList = isListCall(call)
  const cache = isList && keptFrom(call) !== null ? answerCacheOf(ctx) : null
  add(app, call, {
    shape: answerShape(ctx),
    isList,
    look(request) {
      const [actor, source] = [actors.get(request), keptFrom(call)]
      if (cache === null || actor === undefined || source === null) return null
      return asksForStates(request) ? null : cache.look(keyOf(actor, request), source)
    },
    admitNow(request) {
      if (!isList) return false
      const actor = sessionService.resumeNow(ctx, request.headers.authorization, request.ip)
      if (actor === null || !mayCall(actor.role, call)) return false
      if (!fairShareOf(ctx).mayCount(actor.id)) return false
      actors.set(request, actor)
      return true
    },
    // Before the body is read: who may not call costs us no parsing.
    async admit(request) {
      const actor = await sessionOf(ctx, request)
      actors.set(request, actor)
      await (isList ? countCall(ctx, actor) : takeCall(ctx, actor))
      await assertMayCall(ctx, { call, request, actor })
    },
    async answer(request, reply) {
      const actor = actors.get(request)
      if (actor === undefined) throw new Error(`${call.name} was reached without a session.`)
      try {
        if (isList) await fairShareOf(ctx).comeIn(actor.id)
        assertTokenMay(actor, call, () => isChange(call, request.body))
        const input = inputOf(call, request, reply)
        if (isList) await takeTurn(ctx, actor, reply)
        else if (!call.name.startsWith('session.')) await ctx.programs.opened()
        await callGuardOf(ctx)?.({ call, input, actor, headers: request.headers })
        return await handle(input, actor)
      } catch (error) {
        await recordIfRefused(ctx, { call, request, actor }, error)
        throw redactFor(actor, await withSaver(ctx, call, error))
      }
    },
  })
}

/** For a call that answers everybody who may call it the same, made ahead. */
export function mountPrepared(
  app: FastifyInstance,
  ctx: Context,
  call: Route,
  prepare: () => Promise<PreparedAnswer>,
): void {
  noteMounted(app, call)
  app.route({
    method: call.method,
    url: call.path,
    onRequest: async (request) => {
      const actor = await sessionOf(ctx, request)
      await takeCall(ctx, actor)
      await assertMayCall(ctx, { call, request, actor })
    },
    handler: async (request, reply) => {
      inputOf(call, request, reply)
      return sendPrepared(reply, await prepare())
    },
  })
}

async function assertMayCall(ctx: Context, attempt: Attempt): Promise<void> {
  if (mayCall(attempt.actor.role, attempt.call)) return
  const error = forbidden()
  await recordIfRefused(ctx, attempt, error)
  throw error
}

/** A save over somebody else's says whose it is, where the record of activity knows. */
async function withSaver(ctx: Context, call: Route, error: unknown): Promise<unknown> {
  if (!(error instanceof AppError) || error.more.savedNoun === undefined) return error
  const { current, savedNoun } = error.more
  const id: unknown = Reflect.get(Object(current) as object, '_id')
  const who = typeof id === 'string' ? await auditService.lastSaverOf(ctx, id, call.name) : ''
  if (who === '') return error
  const named = withName(error.message, savedNoun, who)
  return new AppError(error.code, named, { ...error.more, savedBy: who })
}

/** Why a host is away is not for everybody. */
function redactFor(actor: Actor, error: unknown): unknown {
  if (!(error instanceof AppError) || mayDo(actor.role, 'readFault')) return error
  const { neutral, ...more } = error.more
  return neutral === undefined ? error : new AppError(error.code, neutral, more)
}

/** For the calls that anyone may use: there is no actor. */
export function mountOpen<T extends Route>(
  app: FastifyInstance,
  call: T,
  handle: (input: CallInput<T>) => Promise<ReplyOf<T>>,
): void {
  if (call.may !== 'anyone') throw new Error(`${call.name} needs a role: use mount.`)
  add(app, call, {
    shape: CHECKED,
    isList: false,
    look: () => null,
    admitNow: () => false,
    admit: async () => Promise.resolve(),
    answer: async (request, reply) => handle(inputOf(call, request, reply)),
  })
}

/** Services answer what was checked when it was stored: to look it over for each who reads it costs most of a list. */
function answerShape(ctx: Context): Shape {
  return ctx.config.checksAnswers ? COMPARED : CUT
}

interface Endpoint<T extends Route> {
  /** Fields that the call does not name are cut off by it: what may not be seen cannot leave by accident. */
  shape: Shape
  isList: boolean
  /** For an answer that is kept; null when none of this call is. */
  look(request: FastifyRequest): Look | null
  /** Whether the caller is admitted without asking the database; false: ask `admit`. */
  admitNow(request: FastifyRequest): boolean
  admit(request: FastifyRequest): Promise<void>
  answer(request: FastifyRequest, reply: FastifyReply): Promise<WithParts<ReplyOf<T>> | ReplyOf<T>>
}

function add<T extends Route>(app: FastifyInstance, call: T, endpoint: Endpoint<T>): void {
  noteMounted(app, call)
  for (const url of [call.path, ...call.aliases]) {
    app.route({
      method: call.method,
      url,
      bodyLimit: call.bodyLimitBytes,
      onRequest: (request, _reply, done) => {
        if (endpoint.admitNow(request)) done()
        else endpoint.admit(request).then(() => done(), done)
      },
      handler: (request, reply) => {
        reply.code(call.successStatus)
        const look = endpoint.look(request)
        const found = look?.found ?? null
        return found === null
          ? sendNew(call, endpoint, request, reply, look)
          : sendAnswer(reply, found)
      },
    })
  }
}

async function sendNew<T extends Route>(
  call: T,
  endpoint: Endpoint<T>,
  request: FastifyRequest,
  reply: FastifyReply,
  look: Look | null,
): Promise<FastifyReply> {
  const answer = await outputOf(call, await endpoint.answer(request, reply), endpoint.shape)
  const long = answer instanceof Readable ? answer : jsonInSlices(answer)
  if (long !== null) return sendParts(reply, long, endpoint.isList)
  if (!endpoint.isList) return reply.send(answer)
  const list = new Answer(JSON.stringify(answer))
  look?.keep(list)
  return sendAnswer(reply, list)
}

/** All three are looked at before the first complaint, so that the operator hears of every fault at once. */
function inputOf<T extends Route>(
  call: T,
  request: FastifyRequest,
  reply: FastifyReply,
): CallInput<T> {
  const inAddress = { ...(request.params as object), ...(request.query as object) }
  for (const [name, value] of Object.entries(inAddress)) refuseNul(name, String(value))
  const parts = [
    call.params.safeParse(request.params, { error: wording }),
    call.query.safeParse(request.query, { error: wording }),
    call.body.safeParse(request.body, { error: wording }),
  ] as const
  const issues = parts.flatMap((part) => part.error?.issues ?? [])
  if (issues.length > 0) {
    const failure = invalidInput({ issues } as unknown as z.core.$ZodError)
    throw call.requiredText === null
      ? failure
      : withRequired(failure, request.body, call.requiredText)
  }
  const [params, query, body] = parts
  return {
    params: params.data as ParamsOf<T>,
    query: query.data as QueryOf<T>,
    body: body.data as BodyOf<T>,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    additionKey: String(request.headers[ADDITION_KEY_HEADER] ?? ''),
    isTls: request.protocol === 'https',
    origin: `${request.protocol}://${request.host}`,
    setCookie: (cookie) => void reply.header('set-cookie', cookie),
    log: request.log,
  }
}

async function outputOf<T extends Route>(call: T, answer: unknown, shape: Shape): Promise<unknown> {
  try {
    return (
      answerInParts(call.reply, answer, shape) ?? (await shapeInSlices(call.reply, answer, shape))
    )
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new AppError('internal', 'The answer could not be built. Please report this.', {
      cause: new Error(`${call.name} gives an answer that does not match its contract: ${why}`),
    })
  }
}
