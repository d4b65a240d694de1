/** Which calls an API serves: noted while they are mounted, read by the description of the API. */
import type { Route } from '@trunkline/contract/route'
import type { FastifyInstance } from 'fastify'

const mounted = new WeakMap<FastifyInstance, Route[]>()

export function noteMounted(app: FastifyInstance, call: Route): void {
  const calls = mounted.get(app) ?? []
  calls.push(call)
  mounted.set(app, calls)
}

/** In the order of their mounting; all of them once the app is ready. */
export function mountedCalls(app: FastifyInstance): readonly Route[] {
  return mounted.get(app) ?? []
}
