/** The only fetch of the console: a route of the contract in, its parsed answer out. */
import { Failure } from '@trunkline/contract/failure.schema'
import { watchLive } from '@trunkline/contract/fleet/fleet.calls'
import { LIVE_PATH } from '@trunkline/contract/fleet/fleet.schema'
import type { AnswerOf, Route } from '@trunkline/contract/route'
import { jwtLogin, login, signOut } from '@trunkline/contract/session/session.calls'
import type { z } from 'zod'
import { sendAddition } from './answer/addition.ts'
import { watchAnswer } from './answer/late-answer.ts'
import { ApiError } from './api-error.ts'
import { confirmOnAir, takeConfirmed } from './on-air.ts'
import { withFieldLabel } from './field-labels.ts'
import { plainSentence } from './plain-sentence.ts'
import { endSession, readSession } from './session.ts'

/** AUTH-20, Q1: '' is the address this page came from. The one place that names it. */
export const API_BASE = ''

type Input<S extends z.ZodType> = z.input<S>
/** A part that may be left empty need not be given. */
type Part<K extends string, S extends z.ZodType> =
  Record<never, never> extends Input<S> ? { [P in K]?: Input<S> } : { [P in K]: Input<S> }

export type CallInput<T extends Route> = Part<'params', T['params']> &
  Part<'query', T['query']> &
  (undefined extends Input<T['body']> ? { body?: Input<T['body']> } : Part<'body', T['body']>) & {
    signal?: AbortSignal
  }

interface LooseInput {
  params?: unknown
  query?: unknown
  body?: unknown
  signal?: AbortSignal
}

/**
 * What would interrupt something on air is sent again once the operator has confirmed that.
 * @returns the reply, parsed by the contract
 * @throws ApiError for every failure; an AbortError when `signal` was used
 */
export async function call<T extends Route>(route: T, input: CallInput<T>): Promise<AnswerOf<T>> {
  for (let confirmed = takeConfirmed({ ...input, call: route.name }); ;) {
    try {
      const answer = route.addsObject
        ? sendAddition(JSON.stringify([route.name, input]), async (key) =>
            callOnce(route, input, { ...confirmed, ...key }),
          )
        : callOnce(route, input, confirmed)
      // Nobody asked for a check of the session.
      const isAsked = isChange(route, input.signal) && route.name !== jwtLogin.name
      return await (isAsked ? watchAnswer(answer) : answer)
    } catch (error) {
      const headers = error instanceof ApiError ? await confirmOnAir(route.name, error) : null
      if (headers === null) throw error
      confirmed = headers
    }
  }
}

async function callOnce<T extends Route>(
  route: T,
  given: LooseInput,
  confirmed: Readonly<Record<string, string>>,
): Promise<AnswerOf<T>> {
  const token = readSession()?.token ?? null
  const signal = signalFor(route, given)
  const response = await send(`${API_BASE}${pathOf(route, given)}`, {
    method: route.method,
    headers: { ...headersOf(route, token), ...confirmed },
    ...(route.method === 'GET' || route.method === 'DELETE'
      ? {}
      : { body: JSON.stringify(given.body ?? {}) }),
    ...(signal === undefined ? {} : { signal }),
    // Also when the page is closed right after it.
    ...(route.name === signOut.name ? { keepalive: true } : {}),
  })
  const body = await readJson(response)
  if (!response.ok) throw failed(route, response.status, body, token, response.headers)
  const parsed = route.reply.safeParse(body)
  if (!parsed.success) throw oddAnswer(response.status)
  return parsed.data as AnswerOf<T>
}

/** How the live stream is asked for, by this page or by the worker that all tabs share. */
export function liveRequest() {
  const token = readSession()?.token ?? null
  return {
    account: readSession()?.user.id ?? '',
    url: `${API_BASE}${LIVE_PATH}`,
    watchUrl: `${API_BASE}${watchLive.path}`,
    headers: authorization(token),
    token,
  }
}

/** The refusal of a live stream that was asked for with that token. */
export function liveRefused(status: number, body: unknown, token: string | null): ApiError {
  return failed(null, status, body, token)
}

/** What a loader outside `call` must send: the player's playlist requests (decisions.md 21). */
export function authorization(token: string | null): Record<string, string> {
  return token === null ? {} : { Authorization: `Bearer ${token}` }
}

/**
 * How long a read is waited for: a server that hangs takes connections and never answers. The longest
 * read asks a host, which is given 5 s; the rest is for a loaded server and a slow line.
 */
export const READ_LIMIT_MS = 20_000

/**
 * A change has no limit: whether it was carried out would be unknown. What may be aborted is a read,
 * also where its call is a POST.
 */
function signalFor(route: Route, { signal }: LooseInput): AbortSignal | undefined {
  if (isChange(route, signal)) return undefined
  const limit = AbortSignal.timeout(READ_LIMIT_MS)
  return signal === undefined ? limit : AbortSignal.any([signal, limit])
}

function isChange(route: Route, signal: AbortSignal | undefined): boolean {
  return route.method !== 'GET' && signal === undefined
}

/** Q13: the contribution and channel calls carry it; the API ignores it. */
const BROWSER_WARNING_SKIP = { 'ngrok-skip-browser-warning': 'true' }

function headersOf(route: Route, token: string | null): Record<string, string> {
  const wantsSkip = /^\/api\/(contribution|channel)\b/.test(route.path)
  return {
    Accept: 'application/json',
    ...(route.method === 'GET' || route.method === 'DELETE'
      ? {}
      : { 'Content-Type': 'application/json' }),
    // AUTH-18: every call carries the token, login excepted.
    ...(route.name === login.name ? {} : authorization(token)),
    ...(wantsSkip ? BROWSER_WARNING_SKIP : {}),
  }
}

function pathOf(route: Route, input: LooseInput): string {
  const params = asRecord(input.params)
  const path = route.path.replace(/:([A-Za-z]+)/g, (_, name: string) =>
    encodeURIComponent(textOf(params[name])),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asRecord(input.query))) {
    if (value !== undefined) query.set(name, textOf(value))
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (isNamed(error, 'AbortError')) throw error
    throw noAnswer(isNamed(error, 'TimeoutError'))
  }
}

/** Null when the body is no JSON: the caller then says so in its own words. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return (await response.json()) as unknown
  } catch (error) {
    if (isNamed(error, 'AbortError')) throw error
    if (isNamed(error, 'TimeoutError')) throw noAnswer(true)
    return null
  }
}

function isNamed(error: unknown, name: 'AbortError' | 'TimeoutError'): boolean {
  return error instanceof DOMException && error.name === name
}

function noAnswer(isLate: boolean): ApiError {
  return new ApiError({ ...EMPTY, kind: 'no-answer', status: 0, isLate })
}

const EMPTY = { sentence: '', code: null, field: null, issues: [], current: null, changed: [] }

function failed(
  route: Route | null,
  status: number,
  body: unknown,
  usedToken: string | null,
  headers?: Headers,
): ApiError {
  const failure = Failure.safeParse(body).data
  const plain = plainSentence(failure?.error ?? looseSentence(body))
  const sentence = withFieldLabel(plain, failure?.field ?? '')
  // Another tab may have slid the token meanwhile: only the one refused is thrown away.
  const isOurs = usedToken !== null && readSession()?.token === usedToken
  if (status === 401 && route?.name !== login.name && isOurs) endSession(sentence)
  const request = headers?.get('x-request-id')
  // A gateway's own page stands for an API that is not there.
  const isGateway = failure === undefined && (status === 502 || status === 503 || status === 504)
  return new ApiError({
    kind: isGateway ? 'no-answer' : 'refused',
    // What an operator can fix says so; this is looked up in the logs.
    sentence: request && sentence && status === 500 ? `${sentence} Request ${request}.` : sentence,
    status,
    code: failure?.code ?? null,
    field: failure?.field ?? null,
    issues: (failure?.issues ?? [])
      .map(({ field, message }) => ({
        field,
        message: withFieldLabel(plainSentence(message), field),
      }))
      .filter(({ message }) => message !== ''),
    current: failure?.current ?? null,
    changed: failure?.changed ?? [],
    savedBy: failure?.savedBy ?? '',
    onAir: failure?.onAir,
    secondFactor: failure?.secondFactor,
    failed: (failure?.failed ?? []).map(({ name, error }) => ({
      name,
      error: plainSentence(error),
    })),
  })
}

/** ERR-47: an error that is not a text is no sentence. */
function looseSentence(body: unknown): string {
  const { error, msg } = asRecord(body)
  if (typeof error === 'string') return error
  return typeof msg === 'string' ? msg : ''
}

function oddAnswer(status: number): ApiError {
  return new ApiError({ ...EMPTY, kind: 'odd-answer', status })
}
