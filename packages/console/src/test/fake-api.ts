/**
 * Stands in for the network in tests of components: answers are typed by the contract and checked
 * against it, so that a test cannot agree with a reply that the API would never give.
 */
import { Failure } from '@trunkline/contract/failure.schema'
import { watchLive } from '@trunkline/contract/fleet/fleet.calls'
import { LIVE_PATH } from '@trunkline/contract/fleet/fleet.schema'
import type { Route } from '@trunkline/contract/route'
import { vi } from 'vitest'
import type { z } from 'zod'
import { makeFakeStream } from './fake-stream.ts'

export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  headers: Headers
  body: unknown
  signal: AbortSignal | null
}

type Refusal = { refused: number; body: unknown }
type RouteTo<R extends z.ZodType> = Route<z.ZodType, z.ZodType, z.ZodType, R>
type Handler = (asked: Asked) => Promise<Response>

/** In place of a reply: what the API answers when it says no. */
export function refuse(status: number, error: string): Refusal {
  return refuseOddly(status, Failure.parse({ status: false, error, msg: error }))
}

/** A refusal that is not what the contract says, as a proxy would send it. */
export function refuseOddly(status: number, body: unknown): Refusal {
  return { refused: status, body }
}

function isRefusal(answer: unknown): answer is Refusal {
  // A bulk reply has a list of that name.
  const isObject = typeof answer === 'object' && answer !== null
  return isObject && 'refused' in answer && typeof answer.refused === 'number'
}

export type FakeApi = ReturnType<typeof makeFakeApi>

export function makeFakeApi() {
  const handlers = new Map<Route, Handler>()
  const asked: Asked[] = []
  const stream = makeFakeStream()
  let isReachable = true
  let isConnectionKnown = true

  async function answer(input: string, init: RequestInit = {}): Promise<Response> {
    const request = askedBy(input, init)
    asked.push(request)
    if (!isReachable) throw new TypeError('fetch failed')
    if (request.path === LIVE_PATH) return stream.connect(request.signal, request.body)
    if (request.path === watchLive.path && isConnectionKnown) return stream.show(request.body)
    const [, handler] = [...handlers].find(([route]) => isOf(route, request)) ?? []
    return handler === undefined
      ? Response.json(refuse(404, 'Nothing here').body, { status: 404 })
      : abortable(handler(request), request.signal)
  }
  vi.stubGlobal('fetch', vi.fn(answer))

  return {
    asked,
    stream,
    /** All requests of that call, oldest first. */
    askedOf: (route: Route) => asked.filter((item) => isOf(route, item)),
    setReachable: (isOn: boolean) => {
      isReachable = isOn
    },
    /** False: another process of the API is asked than the one with the live stream. */
    setConnectionKnown: (isKnown: boolean) => {
      isConnectionKnown = isKnown
    },
    /** In two steps, so that the reply's literals keep the types that the route gives them. */
    on<R extends z.ZodType>(route: RouteTo<R>) {
      type Given = z.output<R> | Refusal
      return {
        answer(reply: (asked: Asked) => Given | Promise<Given>): void {
          for (const known of handlers.keys()) if (known.name === route.name) handlers.delete(known)
          handlers.set(route, async (request) => {
            const given = await reply(request)
            if (isRefusal(given)) return Response.json(given.body, { status: given.refused })
            route.reply.parse(given)
            return Response.json(given, { status: route.successStatus })
          })
        },
      }
    },
  }
}

function askedBy(input: string, init: RequestInit): Asked {
  const url = new URL(input, 'http://console.test')
  return {
    method: init.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: new Headers(init.headers),
    body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
    signal: init.signal ?? null,
  }
}

function isOf(route: Route, { method, path }: Asked): boolean {
  const pattern = new RegExp(`^${route.path.replace(/:[A-Za-z]+/g, '[^/]+')}$`)
  return route.method === method && pattern.test(path)
}

async function abortable(
  response: Promise<Response>,
  signal: AbortSignal | null,
): Promise<Response> {
  if (signal === null) return response
  const aborted = Promise.withResolvers<never>()
  const stop = () => aborted.reject(signal.reason as Error)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([response, aborted.promise])
}
