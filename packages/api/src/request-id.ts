/**
 * The name of a request, in its answer (`x-request-id`), in the log lines of this process, and in those
 * of the hosts that it asks: by it what an operator saw is found again.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

const current = new AsyncLocalStorage<string>()

/** 48 random bits: in the logs of a site no two meet, and a person can read it out. */
const ID_CHARACTERS = 12

export function newRequestId(): string {
  return randomUUID().replaceAll('-', '').slice(0, ID_CHARACTERS)
}

/** Each answer says the name of its request, and what is done for it knows that name. */
export function nameRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    current.run(request.id, done)
  })
}

/** Undefined for what no request has asked for. */
export function currentRequestId(): string | undefined {
  return current.getStore()
}
