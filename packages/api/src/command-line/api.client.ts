/** Calls an API as any other client does, with an API token. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '@trunkline/contract/failure.schema'
import type { MakeCall } from '@trunkline/contract/as-text/site.client'
import { ON_AIR_TITLES_HEADER, titlesHeader } from '@trunkline/contract/on-air/on-air.rules'
import { ADDITION_KEY_HEADER } from '@trunkline/contract/route'
import { sendAgain } from '@trunkline/contract/send-again'
import type { ClientConfig } from '../config.ts'

/** While an API restarts. */
const SENT_AGAIN_AFTER_MS = [500, 2000] as const

/** A call that comes too soon after others is not carried out; the API says when it may come again. */
const TOO_MANY = 429
const WAITS_AT_MOST = 60

/** Its message is the API's own sentence. */
export class CallRefused extends Error {
  readonly httpStatus: number
  readonly failure: Failure | null
  constructor(sentence: string, httpStatus: number, failure: Failure | null) {
    super(sentence)
    this.httpStatus = httpStatus
    this.failure = failure
  }
}

function isLost(error: unknown): boolean {
  return error instanceof CallRefused && error.httpStatus === 0
}

/** `onAirTitles`: of what may be interrupted although it is on air. */
export function makeApiCall(config: ClientConfig, onAirTitles: readonly string[]): MakeCall {
  return async (route, { params, query, body }) => {
    const path = `${pathOf(route.path, params)}${queryOf(query)}`
    const headers = {
      ...(onAirTitles.length === 0 ? {} : { [ON_AIR_TITLES_HEADER]: titlesHeader(onAirTitles) }),
      ...(route.addsObject ? { [ADDITION_KEY_HEADER]: randomUUID() } : {}),
    }
    const send = async () =>
      openAnswer(config, path, {
        method: route.method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const response = await (route.addsObject
      ? sendAgain({ send, isLost, waitsMs: SENT_AGAIN_AFTER_MS, pause })
      : send())
    const answer: unknown = await response.json().catch(() => null)
    if (answer === null) throw refusal(config.url, response, answer)
    const parsed = route.reply.safeParse(answer)
    if (!parsed.success) {
      throw new CallRefused(
        `${config.url} answers in a way that this version does not know. Use the command of the same version.`,
        response.status,
        null,
      )
    }
    return parsed.data as never
  }
}

/** An answer that is not a refusal, its body unread; a call that came too soon waits. Throws CallRefused. */
export async function openAnswer(
  { url, token }: ClientConfig,
  path: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...init.headers,
  }
  let response = await send(url, `${url}${path}`, { ...init, headers })
  for (let wait = 1; wait <= WAITS_AT_MOST; wait++) {
    const seconds = Number(response.headers.get('retry-after'))
    if (response.status !== TOO_MANY || !(seconds > 0)) break
    await response.body?.cancel()
    await pause(seconds * 1000)
    response = await send(url, `${url}${path}`, { ...init, headers })
  }
  if (response.ok) return response
  const answer: unknown = await response.json().catch(() => null)
  throw refusal(url, response, answer)
}

async function send(url: string, address: string, init: RequestInit): Promise<Response> {
  try {
    // A redirection to another origin would lose the token, and the answer would be 'Please sign in.'
    return await fetch(address, { ...init, redirect: 'manual' })
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    throw new CallRefused(unreachedText(url, cause?.code ?? ''), 0, null)
  }
}

/** `code`: of what failed below HTTP; '' for none. */
function unreachedText(url: string, code: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `The name in ${url} is not known on this machine (${code}). Check TRUNKLINE_URL.`
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return `${url} does not use TLS (${code}). Give TRUNKLINE_URL with http://, or check its port.`
  }
  if (UNTRUSTED.has(code)) {
    return `The certificate of ${url} is not trusted here (${code}). Name the file of its authority in NODE_EXTRA_CA_CERTS.`
  }
  if (code === 'CERT_HAS_EXPIRED') {
    return `The certificate of ${url} has expired. Renew it there.`
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `The certificate of ${url} is for another name. Give TRUNKLINE_URL the name that it is for.`
  }
  if (NO_HTTP.has(code) && url.startsWith('http:')) {
    return `${url} does not answer by HTTP (${code}). If it uses TLS, give TRUNKLINE_URL with https://. Otherwise check its port, and that the API runs.`
  }
  const why = code === '' ? '' : ` (${code})`
  return `${url} does not answer${why}. Check TRUNKLINE_URL, and that the API runs.`
}

/** Something took the connection and ended it, as a port with TLS does. */
const NO_HTTP: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET'])

const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

function refusal(url: string, { status, headers }: Response, answer: unknown): CallRefused {
  const target = new URL(headers.get('location') ?? '', url).origin
  if (target !== new URL(url).origin) {
    const sentence = `${url} redirects calls to ${target}. If the console is there, give TRUNKLINE_URL that address.`
    return new CallRefused(sentence, status, null)
  }
  const failure = Failure.safeParse(answer).data ?? null
  if (failure === null) {
    const sentence = `${url} answered ${status}, but not as the API of Trunkline does: something else is there, or a proxy refused the call. Check TRUNKLINE_URL.`
    return new CallRefused(sentence, status, null)
  }
  const issues = (failure.issues ?? []).map(({ message }) => message)
  // 'Please check required fields' alone does not say which.
  const more = issues.filter((message) => !failure.error.includes(message))
  return new CallRefused([failure.error, ...more].join(' '), status, failure)
}

function pathOf(path: string, params: unknown): string {
  const values = (params ?? {}) as Record<string, unknown>
  return path.replace(/:([A-Za-z]+)/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  )
}

function queryOf(query: unknown): string {
  const entries = Object.entries((query ?? {}) as Record<string, unknown>)
  const given = entries.filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`
}
