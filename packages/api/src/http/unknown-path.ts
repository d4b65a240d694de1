/** What is not there: a path nobody serves, a method nobody takes, and the browser's question before a call. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { sendFailure } from './error-handler.ts'

const API = '/api/'
/** Q13: browsers that pass a tunnel send its header on some calls. */
const PREFLIGHT_HEADERS = 'authorization, content-type, ngrok-skip-browser-warning'

/** Call before the first route: it learns which methods each path takes. */
export function watchPaths(app: FastifyInstance): (path: string) => string[] {
  const known: { method: string; pattern: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    if (!url.startsWith(API) || url.endsWith('*')) return
    for (const item of [method].flat()) known.push({ method: item, pattern: patternOf(url) })
  })
  return (path) => [
    ...new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
  ]
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:[A-Za-z]+/g, '[^/]+')}/?$`)
}

/** `sendPage` answers every other path: the console has its own addresses. */
export function answerUnknownPaths(
  app: FastifyInstance,
  methodsOf: (path: string) => string[],
  sendPage: (reply: FastifyReply) => Promise<FastifyReply>,
): void {
  // The console has the API's own origin, so no other origin is named here and none gets in (Q1).
  app.options('/api/*', async (_, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-headers': PREFLIGHT_HEADERS,
        'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      })
      .send(),
  )
  app.setNotFoundHandler(async (request, reply) => {
    const [path = ''] = request.url.split('?')
    if (path.startsWith(API) || !['GET', 'HEAD'].includes(request.method)) {
      return refuse(request, reply, path, methodsOf(path))
    }
    return sendPage(reply)
  })
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  methods: readonly string[],
): FastifyReply {
  // Taken, and yet not found: a part of the address is longer than any of ours.
  if (methods.length === 0 || methods.includes(request.method)) {
    const sentence = `There is nothing at ${shortened(path)}. Check the address.`
    sendFailure(request, reply, new AppError('not_found', sentence, {}))
    return reply
  }
  reply.header('allow', methods.join(', '))
  const sentence = `${request.method} is not allowed here. Use ${methods.filter((method) => method !== 'HEAD').join(' or ')}.`
  sendFailure(request, reply, new AppError('not_found', sentence, { httpStatus: 405 }))
  return reply
}

function shortened(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path
}
